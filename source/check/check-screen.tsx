import { Box, useApp } from 'ink';
import { useMemo } from 'react';
import { exitCodes } from '../cli/exit-codes.ts';
import type { Problem } from '../project/problem.ts';
import { DetailsLayout } from '../ui/details-layout.tsx';
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
import { useKeys } from '../ui/use-keys.ts';
import { useMarkedItems } from '../ui/use-marked-items.ts';
import { useKept, useScreen } from '../ui/use-screen.ts';
import { useBodySize, useUi } from '../ui/use-ui.ts';
import { checkProject, failsCheck } from './check-project.ts';
import { toProblemDetails, toProblemId, toProblemLine, toProblemText } from './problem-lines.ts';

type CheckAction = 'show' | 'edit' | 'copy' | 'pane';

const bindings: readonly KeyBinding<CheckAction>[] = [
  { action: 'edit', keys: ['e', 'enter'], help: 'Open the source in $EDITOR', hint: 'edit' },
  { action: 'show', keys: ['s'], help: 'Show the capability', hint: 'show' },
  { action: 'copy', keys: ['y'], help: 'Copy the problem', hint: 'copy' },
  { action: 'pane', keys: ['tab', 'shift+tab'], help: 'Between the list and the explanation', hint: 'pane' },
];

/** `capix check`: what is wrong with the project, why, and what to do, as of now. */
export default function CheckScreen() {
  const { project, entry } = useScreen();
  const { exit } = useApp();
  const strict = entry.route.screen === 'check' && entry.route.strict === true;
  const manifest = project.isOutline ? undefined : project.manifest;
  const checked = useMemo(() => manifest && checkProject(manifest), [manifest]);
  const fails = entry.id === 0 && (project.failure !== undefined || (checked && failsCheck(checked, { strict })));
  return (
    <ScreenFrame screen="check" {...(fails ? { onLeave: () => exit({ exitCode: exitCodes.failed }) } : {})}>
      {checked === undefined ? <LoadingLine /> : <Problems {...checked} />}
    </ScreenFrame>
  );
}

interface ProblemsProps {
  readonly problems: readonly Problem[];
  readonly capabilityCount: number;
}

function Problems({ problems, capabilityCount }: ProblemsProps) {
  const size = useBodySize();
  const { symbols } = useUi();
  const { found, selected, list, setList, filter, setFilter, offset, setOffset, isInDetails } = useProblems(problems);
  const marked = useMarkedItems(problems, toProblemId);
  if (problems.length === 0) return <NoProblems capabilityCount={capabilityCount} />;
  return (
    <DetailsLayout
      {...size}
      toDetails={(columns) => (selected ? toProblemDetails(selected, columns) : [])}
      offset={offset}
      onOffset={setOffset}
      isInDetails={isInDetails}
    >
      {({ columns, rows }) => (
        <Box flexDirection="column" width={columns} height={rows}>
          <Box height={rows - (isFilterShown(filter) ? 1 : 0)}>
            <ListView
              items={found}
              getKey={({ item }) => toProblemId(item)}
              toLine={({ item, matches }, width) => toProblemLine(item, { symbols, matches, width })}
              isMarked={({ item }) => marked.has(toProblemId(item))}
              state={list}
              onState={setList}
              columns={columns}
              rows={rows - (isFilterShown(filter) ? 1 : 0)}
              title="Problems"
              isFocused={!isInDetails}
              empty="No problem matches."
            />
          </Box>
          <FilterLine
            state={filter}
            onState={setFilter}
            columns={columns}
            count={`${found.length} of ${problems.length}`}
            placeholder="code or text of a problem"
            isActive={!isInDetails}
          />
        </Box>
      )}
    </DetailsLayout>
  );
}

/** What the screen keeps, and what its keys do to it. */
function useProblems(problems: readonly Problem[]) {
  const { go, edit, copy } = useScreen();
  const [list, setList] = useKept<ListState | undefined>('list', undefined);
  const [filter, setFilter] = useKept('filter', noFilter);
  const [offset, setOffset] = useKept('offset', 0);
  const [isInDetails, setIsInDetails] = useKept('isInDetails', false);
  const found = filterFuzzily(problems, filter.field.text, { getText: toProblemText });
  const selected = findSelected(found, list, ({ item }) => toProblemId(item))?.item;
  useKeys<CheckAction>({
    title: 'Problem',
    bindings,
    isActive: selected !== undefined,
    onAction: (action) => {
      if (action === 'pane') return setIsInDetails(!isInDetails);
      if (selected === undefined) return;
      const { keys, file, line, message, hint = '' } = selected;
      if (action === 'edit') edit(file === undefined ? undefined : { file, line });
      else if (action === 'copy') copy(`${message}\n${hint}`, 'the problem');
      else if (keys[0] !== undefined) go({ screen: 'show', key: keys[0] });
    },
  });
  return {
    found,
    selected,
    list,
    setList: (state: ListState): void => {
      setOffset(0);
      setList(state);
    },
    filter,
    setFilter,
    offset,
    setOffset,
    isInDetails: isInDetails && selected !== undefined,
  };
}

function NoProblems({ capabilityCount }: Pick<ProblemsProps, 'capabilityCount'>) {
  const { columns } = useBodySize();
  const { symbols } = useUi();
  const text = `No problems in ${capabilityCount === 1 ? '1 capability' : `${capabilityCount} capabilities`}`;
  return (
    <LineView line={fitLine([{ text: `  ${symbols.tick} `, token: 'success' }, { text }], columns, symbols.ellipsis)} />
  );
}
