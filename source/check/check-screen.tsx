import { useApp } from 'ink';
import { useMemo } from 'react';
import { exitCodes } from '../cli/exit-codes.ts';
import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-table.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { fitLine, type Line } from '../kit/line/line-segments.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { FilteredListView } from '../kit/list/filtered-list-view.tsx';
import type { ListState } from '../kit/list/list-state.ts';
import { useFilteredList } from '../kit/list/use-filtered-list.ts';
import { useBodySize, useUi } from '../kit/theme/use-ui.ts';
import type { Problem } from '../manifest/problem.ts';
import { DetailsLayout } from '../screens/details-layout.tsx';
import { LoadingLine } from '../screens/loading-line.tsx';
import { ScreenFrame } from '../screens/screen-frame.tsx';
import { useMarkedItems } from '../screens/use-marked-items.ts';
import { useScreen } from '../screens/use-screen.ts';
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
  const { list, offset, setOffset, isInDetails } = useProblems(problems);
  const marked = useMarkedItems(problems, toProblemId);
  if (problems.length === 0) return <NoProblems capabilityCount={capabilityCount} />;
  return (
    <DetailsLayout
      {...size}
      toDetails={(columns) => (list.selected ? toProblemDetails(list.selected, columns) : [])}
      offset={offset}
      onOffset={setOffset}
      isInDetails={isInDetails}
    >
      {({ columns, rows }) => (
        <FilteredListView
          list={list}
          toLine={(problem, width) => toProblemLine(problem, { symbols, width })}
          isMarked={(problem) => marked.has(toProblemId(problem))}
          columns={columns}
          rows={rows}
          title="Problems"
          isFocused={!isInDetails}
          noMatch="No problem matches."
          placeholder="code or text of a problem"
        />
      )}
    </DetailsLayout>
  );
}

/** What the screen keeps, and what its keys do to it. */
function useProblems(problems: readonly Problem[]) {
  const { go, edit, copy } = useScreen();
  const list = useFilteredList(problems, { name: 'list', getKey: toProblemId, getText: toProblemText });
  const [offset, setOffset] = useKept('offset', 0);
  const [isInDetails, setIsInDetails] = useKept('isInDetails', false);
  const { selected } = list;
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
    list: {
      ...list,
      onState: (state: ListState): void => {
        setOffset(0);
        list.onState(state);
      },
    },
    offset,
    setOffset,
    isInDetails: isInDetails && selected !== undefined,
  };
}

function NoProblems({ capabilityCount }: Pick<ProblemsProps, 'capabilityCount'>) {
  const { project } = useScreen();
  const { columns } = useBodySize();
  const { symbols } = useUi();
  const text = `No problems in ${capabilityCount === 1 ? '1 capability' : `${capabilityCount} capabilities`}`;
  const line: Line =
    project.failure === undefined
      ? [{ text: `  ${symbols.tick} `, token: 'success' }, { text }]
      : [{ text: `  ${text} before it broke`, token: 'muted' }];
  return <LineView line={fitLine(line, columns, symbols.ellipsis)} />;
}
