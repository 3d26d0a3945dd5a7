import { Box, useApp } from 'ink';
import { useMemo } from 'react';
import { exitCodes } from '../cli/exit-codes.ts';
import type { Problem } from '../project/problem.ts';
import { FilterLine } from '../ui/filter-line.tsx';
import { isFilterShown, noFilter } from '../ui/filter-state.ts';
import { filterFuzzily } from '../ui/fuzzy-filter.ts';
import type { KeyBinding } from '../ui/key-table.ts';
import { fitLine } from '../ui/line-segments.ts';
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
  const { manifest } = project;
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

function Problems({
  problems,
  capabilityCount,
}: {
  readonly problems: readonly Problem[];
  readonly capabilityCount: number;
}) {
  const { go, edit, copy } = useScreen();
  const { columns, rows } = useBodySize();
  const { symbols } = useUi();
  const [list, setList] = useKept<ListState | undefined>('list', undefined);
  const [filter, setFilter] = useKept('filter', noFilter);
  const found = filterFuzzily(problems, filter.field.text, {
    getText: ({ code, message }) => `${code} ${message}`,
  }).map(({ item }) => item);
  const selected = findSelected(found, list, toProblemId);
  useKeys<CheckAction>({
    title: 'Problem',
    bindings,
    isActive: selected !== undefined,
    onAction: (action) => {
      const [key] = selected?.keys ?? [];
      if (action === 'show' && key !== undefined) go({ screen: 'show', key });
      else if (action === 'edit')
        edit(selected?.file === undefined ? undefined : { file: selected.file, line: selected.line });
      else if (action === 'copy' && selected) copy(`${selected.message}\n${selected.hint ?? ''}`, 'the problem');
    },
  });
  if (problems.length === 0) {
    return (
      <LineView
        line={fitLine(
          [
            { text: `  ${symbols.tick} `, token: 'success' },
            { text: `No problems in ${capabilityCount === 1 ? '1 capability' : `${capabilityCount} capabilities`}` },
          ],
          columns,
          symbols.ellipsis,
        )}
      />
    );
  }
  const isWide = columns >= WIDE;
  const sideWidth = isWide ? Math.floor(columns * 0.42) : 0;
  const detailWidth = isWide ? sideWidth - 3 : columns - 4;
  const details = selected ? toProblemDetails(selected, detailWidth) : [];
  const below = isWide ? 0 : Math.min(details.length + 1, Math.floor(rows / 2));
  const filterRows = isFilterShown(filter) ? 1 : 0;
  const view = details.map((line, index) => (
    <LineView key={index} line={fitLine(line, detailWidth, symbols.ellipsis)} />
  ));
  return (
    <Box height={rows} flexDirection={isWide ? 'row' : 'column'}>
      <Box flexDirection="column" width={columns - sideWidth} height={rows - below}>
        <ListView
          items={found}
          getKey={toProblemId}
          toLine={(problem) => toProblemLine(problem, symbols)}
          state={list}
          onState={setList}
          columns={columns - sideWidth}
          rows={rows - below - filterRows}
          title="Problems"
          empty="No problem matches."
        />
        <FilterLine
          state={filter}
          onState={setFilter}
          columns={columns - sideWidth}
          count={`${found.length} of ${problems.length}`}
        />
      </Box>
      {isWide ? (
        <SidePane columns={sideWidth} rows={rows}>
          {view}
        </SidePane>
      ) : (
        <Box flexDirection="column" height={below} overflow="hidden">
          <LineView line={[{ text: symbols.line.repeat(columns), token: 'muted' }]} />
          <Box flexDirection="column" paddingLeft={2}>
            {view.slice(0, below - 1)}
          </Box>
        </Box>
      )}
    </Box>
  );
}
