import { Box, useApp } from 'ink';
import { useMemo } from 'react';
import { exitCodes } from '../cli/exit-codes.ts';
import type { Problem } from '../project/problem.ts';
import { FilterLine } from '../ui/filter-line.tsx';
import { isFilterShown, noFilter } from '../ui/filter-state.ts';
import { filterFuzzily } from '../ui/fuzzy-filter.ts';
import type { KeyBinding } from '../ui/key-table.ts';
import { fitLine, type Line } from '../ui/line-segments.ts';
import { LineView } from '../ui/line-view.tsx';
import { findSelected, type ListState } from '../ui/list-state.ts';
import { ListView } from '../ui/list-view.tsx';
import { LoadingLine } from '../ui/loading-line.tsx';
import { ScreenFrame } from '../ui/screen-frame.tsx';
import { SidePane } from '../ui/side-pane.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { useKept, useScreen } from '../ui/use-screen.ts';
import { useBodySize, useUi } from '../ui/use-ui.ts';
import { checkProject, failsCheck } from './check-project.ts';
import { toProblemDetails, toProblemId, toProblemLine } from './problem-lines.ts';

type CheckAction = 'show' | 'edit' | 'copy';

const bindings: readonly KeyBinding<CheckAction>[] = [
  { action: 'edit', keys: ['e', 'enter'], help: 'Open the source in $EDITOR', hint: 'edit' },
  { action: 'show', keys: ['s'], help: 'Show the capability', hint: 'show' },
  { action: 'copy', keys: ['y'], help: 'Copy the problem', hint: 'copy' },
];

/** `capix check`: what is wrong with the project, why, and what to do, as of now. */
export default function CheckScreen() {
  const { project, entry } = useScreen();
  const { exit } = useApp();
  const manifest = project.isOutline ? undefined : project.manifest;
  const checked = useMemo(() => manifest && checkProject(manifest), [manifest]);
  const fails = entry.id === 0 && checked !== undefined && failsCheck(checked, { strict: false });
  return (
    <ScreenFrame screen="check" {...(fails ? { onLeave: () => exit({ exitCode: exitCodes.failed }) } : {})}>
      {checked === undefined ? <LoadingLine /> : <Problems {...checked} />}
    </ScreenFrame>
  );
}

/** From this width on the selected problem is explained beside the list, else below it. */
const WIDE = 110;

interface ProblemsProps {
  readonly problems: readonly Problem[];
  readonly capabilityCount: number;
}

function Problems({ problems, capabilityCount }: ProblemsProps) {
  const { columns, rows } = useBodySize();
  const { symbols } = useUi();
  const { found, selected, list, setList, filter, setFilter } = useProblems(problems);
  if (problems.length === 0) return <NoProblems capabilityCount={capabilityCount} />;
  const isWide = columns >= WIDE;
  const width = isWide ? columns - Math.floor(columns * 0.42) : columns;
  const details = selected ? toProblemDetails(selected, isWide ? columns - width - 3 : columns - 4) : [];
  const height = isWide ? rows : rows - Math.min(details.length + 1, Math.floor(rows / 2));
  return (
    <Box height={rows} flexDirection={isWide ? 'row' : 'column'}>
      <Box flexDirection="column" width={width} height={height}>
        <Box height={height - (isFilterShown(filter) ? 1 : 0)}>
          <ListView
            items={found}
            getKey={toProblemId}
            toLine={(problem) => toProblemLine(problem, symbols)}
            state={list}
            onState={setList}
            columns={width}
            rows={height - (isFilterShown(filter) ? 1 : 0)}
            title="Problems"
            empty="No problem matches."
          />
        </Box>
        <FilterLine
          state={filter}
          onState={setFilter}
          columns={width}
          count={`${found.length} of ${problems.length}`}
        />
      </Box>
      {isWide ? (
        <SidePane columns={columns - width} rows={rows}>
          <Details lines={details} columns={columns - width - 3} rows={rows} />
        </SidePane>
      ) : (
        <Box flexDirection="column" height={rows - height} overflowY="hidden">
          <LineView line={[{ text: symbols.line.repeat(columns), token: 'muted' }]} />
          <Box paddingLeft={2}>
            <Details lines={details} columns={columns - 4} rows={rows - height - 1} />
          </Box>
        </Box>
      )}
    </Box>
  );
}

/** What the screen keeps, and what its keys do to it. */
function useProblems(problems: readonly Problem[]) {
  const { go, edit, copy } = useScreen();
  const [list, setList] = useKept<ListState | undefined>('list', undefined);
  const [filter, setFilter] = useKept('filter', noFilter);
  const getText = ({ code, message }: Problem): string => `${code} ${message}`;
  const found = filterFuzzily(problems, filter.field.text, { getText }).map(({ item }) => item);
  const selected = findSelected(found, list, toProblemId);
  useKeys<CheckAction>({
    title: 'Problem',
    bindings,
    isActive: selected !== undefined,
    onAction: (action) => {
      if (selected === undefined) return;
      const { keys, file, line, message, hint = '' } = selected;
      if (action === 'edit') edit(file === undefined ? undefined : { file, line });
      else if (action === 'copy') copy(`${message}\n${hint}`, 'the problem');
      else if (keys[0] !== undefined) go({ screen: 'show', key: keys[0] });
    },
  });
  return { found, selected, list, setList, filter, setFilter };
}

function NoProblems({ capabilityCount }: Pick<ProblemsProps, 'capabilityCount'>) {
  const { columns } = useBodySize();
  const { symbols } = useUi();
  const text = `No problems in ${capabilityCount === 1 ? '1 capability' : `${capabilityCount} capabilities`}`;
  return (
    <LineView line={fitLine([{ text: `  ${symbols.tick} `, token: 'success' }, { text }], columns, symbols.ellipsis)} />
  );
}

interface DetailsProps {
  readonly lines: readonly Line[];
  readonly columns: number;
  readonly rows: number;
}

function Details({ lines, columns, rows }: DetailsProps) {
  const { symbols } = useUi();
  return (
    <Box flexDirection="column">
      {lines.slice(0, rows).map((line, index) => (
        <LineView key={index} line={fitLine(line, columns, symbols.ellipsis)} />
      ))}
    </Box>
  );
}
