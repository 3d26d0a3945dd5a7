import { Box, useApp } from 'ink';
import { useEffect } from 'react';
import { exitCodes } from '../cli/exit-codes.ts';
import type { ContractDiff } from '../contract/contract-change.ts';
import type { ProjectState } from '../project/project-state.ts';
import { DetailsLayout } from '../ui/details-layout.tsx';
import { FilterLine } from '../ui/filter-line.tsx';
import { isFilterShown } from '../ui/filter-state.ts';
import { fitLine, type Line } from '../ui/line-segments.ts';
import { LineView } from '../ui/line-view.tsx';
import { PromptLine } from '../ui/prompt-line.tsx';
import { ScreenFrame } from '../ui/screen-frame.tsx';
import { toTextField } from '../ui/text-field-state.ts';
import { TreeView } from '../ui/tree-view.tsx';
import { useMarks } from '../ui/use-marks.ts';
import { useKept, useScreen } from '../ui/use-screen.ts';
import { useBodySize, useUi } from '../ui/use-ui.ts';
import { countClasses } from './count-classes.ts';
import { classTokens, toDiffDetails } from './diff-tree.ts';
import { reachesClass } from './reaches-class.ts';
import { useDiff, useOtherSide } from './use-diff.ts';
import { type DiffViewOptions, useDiffView } from './use-diff-view.ts';

/** `capix diff`: what the open project changes for those who call it as another config file has it. */
export default function DiffScreen() {
  const { entry } = useScreen();
  const { exit } = useApp();
  const given = entry.route.screen === 'diff' ? entry.route.before : undefined;
  const [before, setBefore] = useKept('before', given);
  const [problem, setProblem] = useKept<string | undefined>('problem', undefined);
  if (before === undefined) return <AskForSide problem={problem} onSide={setBefore} />;
  return (
    <Comparison
      config={before}
      onProblem={(reason) => {
        // Who named it on the command line is told there.
        if (given !== undefined && entry.id === 0) return exit(reason);
        setProblem(reason.message);
        setBefore(undefined);
      }}
    />
  );
}

interface AskForSideProps {
  readonly problem: string | undefined;
  readonly onSide: (config: string) => void;
}

function AskForSide({ problem, onSide }: AskForSideProps) {
  const { back } = useScreen();
  const { columns } = useBodySize();
  const [field, setField] = useKept('field', toTextField(''));
  return (
    <ScreenFrame screen="diff">
      <LineView line={[{ text: ' Compare this project with another capabilities file.' }]} />
      <PromptLine
        label="As it was in"
        state={field}
        onState={setField}
        onEnter={() => {
          if (field.text.trim() !== '') onSide(field.text.trim());
        }}
        onCancel={back}
        columns={columns}
        placeholder="../old/src/capabilities.ts"
        note={
          problem === undefined
            ? { text: 'From the folder where capix was started', isProblem: false }
            : { text: problem, isProblem: true }
        }
      />
    </ScreenFrame>
  );
}

interface ComparisonProps {
  readonly config: string;
  /** Called where there is no such file. */
  readonly onProblem: (reason: Error) => void;
}

function Comparison({ config, onProblem }: ComparisonProps) {
  const { state, problem } = useOtherSide(config);
  useEffect(() => {
    if (problem !== undefined) onProblem(problem);
  });
  return <DiffView config={config} before={state} />;
}

export interface DiffViewProps {
  /** The other side as it was named. */
  readonly config: string;
  readonly before: ProjectState;
}

/** The screen of two sides that are loaded, or not yet. */
export function DiffView({ config, before }: DiffViewProps) {
  const { entry, project, marks } = useScreen();
  const { exit } = useApp();
  const otherMarks = useMarks(before);
  const diff = useDiff(before, project);
  const failOn = entry.route.screen === 'diff' && entry.id === 0 ? entry.route.failOn : undefined;
  const fails = diff !== undefined && reachesClass(diff, failOn);
  return (
    <ScreenFrame
      screen="diff"
      failure={before.failure}
      {...(fails ? { onLeave: () => exit({ exitCode: exitCodes.failed }) } : {})}
    >
      {diff && before.manifest && project.manifest ? (
        <Differences
          config={config}
          diff={diff}
          before={before.manifest}
          after={project.manifest}
          marks={marks.size === 0 ? otherMarks : marks}
        />
      ) : (
        <LineView
          line={[
            {
              text:
                before.failure || project.failure
                  ? '  Nothing to compare until both sides load.'
                  : '  Loading both sides',
              token: 'muted',
            },
          ]}
        />
      )}
    </ScreenFrame>
  );
}

function Differences({ config, ...options }: DiffViewOptions & { readonly config: string }) {
  const { columns, rows } = useBodySize();
  const view = useDiffView(options);
  const { diff, after } = options;
  const hasFilter = isFilterShown(view.filter);
  return (
    <Box flexDirection="column" height={rows}>
      <Head from={config} to={after.project.config} diff={diff} shownClass={view.shownClass} columns={columns} />
      <DetailsLayout
        columns={columns}
        rows={rows - 1}
        toDetails={(width) => toDiffDetails(view.selected ?? {}, width)}
        offset={view.offset}
        onOffset={view.setOffset}
        isInDetails={view.isInDetails}
      >
        {(size) => (
          <Box flexDirection="column" width={size.columns} height={size.rows}>
            <Box height={size.rows - (hasFilter ? 1 : 0)}>
              <TreeView
                nodes={view.nodes}
                state={view.tree}
                onState={view.setTree}
                columns={size.columns}
                rows={size.rows - (hasFilter ? 1 : 0)}
                title="Differences"
                isFocused={!view.isInDetails}
                empty={diff.class === undefined ? 'No differences.' : 'No difference matches.'}
              />
            </Box>
            <FilterLine
              state={view.filter}
              onState={view.setFilter}
              columns={size.columns}
              count={`${view.nodes.reduce((sum, { children = [] }) => sum + children.length, 0)} of ${countAll(diff)}`}
              placeholder="a capability"
              isActive={!view.isInDetails}
            />
          </Box>
        )}
      </DetailsLayout>
    </Box>
  );
}

function countAll({ added, removed, changed }: ContractDiff): number {
  return added.length + removed.length + changed.length;
}

interface HeadProps extends Pick<ReturnType<typeof useDiffView>, 'shownClass'> {
  readonly from: string;
  readonly to: string;
  readonly diff: ContractDiff;
  readonly columns: number;
}

/** The counts first: of two long paths the ends may be cut. */
function Head({ from, to, diff, shownClass, columns }: HeadProps) {
  const { symbols } = useUi();
  const counts = countClasses(diff);
  const line: Line = [
    ...(['breaking', 'risky', 'safe'] as const).flatMap(
      (type): Line => [{ text: ` ${counts[type]} ${type}`, token: counts[type] > 0 ? classTokens[type] : 'muted' }],
    ),
    { text: shownClass === undefined ? '' : `  only ${shownClass}`, token: 'accent' },
    { text: `   ${from}`, token: 'muted' },
    { text: ` ${symbols.arrow} ` },
    { text: to, token: 'muted' },
  ];
  return <LineView line={fitLine(line, columns, symbols.ellipsis)} />;
}
