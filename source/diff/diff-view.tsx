import { Box, useApp } from 'ink';
import { exitCodes } from '../cli/errors/exit-codes.ts';
import type { ContractDiff } from '../contract/contract-change.ts';
import { fitLine, type Line } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { isFilterShown } from '../kit/list/filter-state.ts';
import { type Size, useBodySize, useUi } from '../kit/theme/use-ui.ts';
import { FilteredTreeView } from '../kit/tree/filtered-tree-view.tsx';
import type { TreeRow } from '../kit/tree/tree-state.ts';
import type { ProjectState } from '../load/project-state.ts';
import { useMarks } from '../screens/marks/use-marks.ts';
import { MasterDetail } from '../screens/master-detail.tsx';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { countClasses } from './count-classes.ts';
import { toDiffDetails } from './diff-details.ts';
import { audienceNames } from './diff-text.ts';
import { classTokens } from './diff-tree.ts';
import { reachesClass } from './reaches-class.ts';
import { type Side, toSidesLine } from './sides-line.ts';
import { type JudgedScreenDiff, useDiff } from './use-diff.ts';
import { type DiffViewOptions, useDiffView } from './use-diff-view.ts';

export interface DiffViewProps {
  /** The other side as it was named. */
  readonly config: string;
  readonly before: ProjectState;
  /** The project as it is now. @default the project that is open */
  readonly now?: ProjectState | undefined;
  /** The newer side as it was named. @default the capabilities file of the project */
  readonly nowName?: string | undefined;
  /** Loads the other side again; absent where it is watched, or never changes. */
  readonly onReload?: (() => void) | undefined;
}

/** The screen of two sides that are loaded, or not yet. */
export function DiffView({ config: from, before, now, nowName, onReload }: DiffViewProps) {
  const { entry, project: open, config } = useScreen();
  const project = now ?? open;
  const after = nowName ?? config ?? project.manifest?.project.config ?? 'this project';
  const { exit } = useApp();
  const judged = useDiff(before, project);
  const failOn = entry.route.screen === 'diff' && entry.id === 0 ? entry.route.failOn : undefined;
  const fails = judged !== undefined && reachesClass(judged.diff, failOn);
  return (
    <ScreenFrame
      screen="diff"
      failure={before.failure}
      {...(fails ? { onLeave: () => exit({ exitCode: exitCodes.failed }) } : {})}
    >
      <DiffBody
        judged={judged}
        before={{ path: from, state: before }}
        after={{ path: after, state: project }}
        onReload={onReload}
      />
    </ScreenFrame>
  );
}

interface DiffBodyProps extends Pick<DiffViewProps, 'onReload'> {
  readonly judged: JudgedScreenDiff | undefined;
  readonly before: Side;
  readonly after: Side;
}

/** The state of the sides, and under it their differences as of the last good load of each. */
function DiffBody({ judged, before, after, onReload }: DiffBodyProps) {
  const { columns, rows } = useBodySize();
  const { symbols } = useUi();
  const { marks } = useScreen();
  const otherMarks = useMarks(before.state);
  // The banner has room for one reason.
  const second = before.state.failure && after.state.failure ? before.state.failure : undefined;
  const head: readonly Line[] = [
    toSidesLine(before, after, { columns, symbols }),
    ...[second?.message, judged?.problem].flatMap((reason): readonly Line[] =>
      reason === undefined ? [] : [[{ text: `   ${reason}`, token: 'danger' }]],
    ),
  ];
  const isBroken = before.state.failure !== undefined || after.state.failure !== undefined;
  return (
    <Box flexDirection="column" height={rows}>
      {head.map((line, row) => (
        <LineView key={row} line={fitLine(line, columns, symbols.ellipsis)} />
      ))}
      {judged && before.state.manifest && after.state.manifest ? (
        <Differences
          judged={judged}
          before={before.state.manifest}
          after={after.state.manifest}
          marks={marks.size === 0 ? otherMarks : marks}
          onReload={onReload}
          columns={columns}
          rows={rows - head.length}
        />
      ) : (
        <LineView
          line={[
            {
              text: isBroken ? '   Nothing to compare until both sides load.' : '   Loading both sides',
              token: 'muted',
            },
          ]}
        />
      )}
    </Box>
  );
}

function Differences({ columns, rows, ...options }: DiffViewOptions & Size) {
  const { tree, rowCount, details, shownClass, audience, places } = useDiffView(options);
  const { diff, ignored } = options.judged;
  return (
    <Box flexDirection="column" height={rows}>
      <Counts diff={diff} ignoredCount={ignored.length} shownClass={shownClass} audience={audience} columns={columns} />
      <MasterDetail
        columns={columns}
        rows={rows - 1}
        details={details}
        listRows={rowCount + (isFilterShown(tree.filter) ? 1 : 0)}
        toDetails={(width) => toDiffDetails(tree.selected ?? {}, width, places)}
      >
        {(size) => (
          <FilteredTreeView
            {...size}
            tree={tree}
            title="Differences"
            marksFound={false}
            isMarked={isMarked}
            isFocused={!details.isFocused}
            onFocus={details.isFocused ? details.toggle : undefined}
            empty="No differences."
            noMatch="No difference matches."
            isNarrowed={diff.class !== undefined || ignored.length > 0}
            placeholder="a capability"
          />
        )}
      </MasterDetail>
    </Box>
  );
}

interface CountsProps extends Pick<ReturnType<typeof useDiffView>, 'shownClass' | 'audience'> {
  readonly diff: ContractDiff;
  readonly ignoredCount: number;
  readonly columns: number;
}

function Counts({ diff, ignoredCount, shownClass, audience, columns }: CountsProps) {
  const { symbols } = useUi();
  const counts = countClasses(diff);
  const line: Line = [
    { text: '  ' },
    ...(['breaking', 'risky', 'safe'] as const).flatMap(
      (type): Line => [{ text: ` ${counts[type]} ${type}`, token: counts[type] > 0 ? classTokens[type] : 'muted' }],
    ),
    { text: ignoredCount === 0 ? '' : ` ${ignoredCount} ignored`, token: 'muted' },
    { text: shownClass === undefined ? '' : `  only ${shownClass}`, token: 'accent' },
    { text: audience === undefined ? '' : `  for ${audienceNames[audience]}`, token: 'accent' },
  ];
  return <LineView line={fitLine(line, columns, symbols.ellipsis)} />;
}

/** The tree has drawn what the last save changed in a colour of its own; without colours the sign tells. */
function isMarked({ node, depth }: TreeRow): boolean {
  return depth === 1 && node.line.some(({ token }) => token === 'changed');
}
