import { Box } from 'ink';
import type { JudgedDiff } from '../contract/apply-settings.ts';
import { fitLine, type Line } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { isFilterShown } from '../kit/list-state.ts';
import { RowsView } from '../kit/rows-view.tsx';
import { type Size, useBodySize } from '../kit/use-ui.ts';
import { MasterDetail } from '../screens/master-detail.tsx';
import { toClock } from '../screens/shell-status.ts';
import { useScreen } from '../screens/use-screen.ts';
import { countClasses } from './count-classes.ts';
import { toDiffDetails } from './diff-details.ts';
import { classTokens } from './diff-rows.ts';
import { type SideState, toSidesLine } from './sides-line.ts';
import { type DiffViewOptions, useDiffView } from './use-diff-view.ts';
import type { OpenSides } from './use-sides.ts';

export interface DiffViewProps extends OpenSides {
  /** The sides as they were named. */
  readonly names: { readonly before: string; readonly after: string };
  /** Whether the newer one was named, and is not the open project. */
  readonly isNamed: boolean;
}

/** The state of both sides, and under it their differences as of the last good load of each. */
export function DiffView({ sides, loadedAt, judged, problem, reload, names, isNamed }: DiffViewProps) {
  const { columns, rows } = useBodySize();
  const { marks, project } = useScreen();
  const named = toState(names.before, loadedAt, problem);
  const open = toState(names.after, project.loadedAt, project.failure);
  const after = isNamed ? { ...named, name: names.after } : open;
  const head: readonly Line[] = [
    toSidesLine(named, after, { columns }),
    ...(problem === undefined ? [] : [[{ text: `   ${problem.message}`, token: 'danger' } as const]]),
  ];
  const isBroken = [named, after].some(({ kind }) => kind === 'broken');
  const waiting = isBroken ? '   Nothing to compare until both sides load.' : '   Loading both sides';
  return (
    <Box flexDirection="column" height={rows}>
      {head.map((line, row) => (
        <LineView key={row} line={fitLine(line, columns)} />
      ))}
      {judged && sides ? (
        <Differences
          judged={judged}
          before={sides[0].manifest}
          after={sides[1].manifest}
          marks={marks}
          onReload={reload}
          columns={columns}
          rows={rows - head.length}
        />
      ) : (
        <LineView line={[{ text: waiting, token: 'muted' }]} />
      )}
    </Box>
  );
}

function toState(name: string, at: number | undefined, failure: object | undefined): SideState {
  if (failure !== undefined) return { name, note: 'broken', kind: 'broken' };
  return at === undefined ? { name, note: 'loading', kind: 'loading' } : { name, note: toClock(at), kind: 'ready' };
}

function Differences({ columns, rows, ...options }: DiffViewOptions & Size) {
  const { list, details, places } = useDiffView(options);
  const marked = new Set([...options.marks].flatMap((key) => [`changed/${key}`, `added/${key}`, `removed/${key}`]));
  return (
    <Box flexDirection="column" height={rows}>
      <Counts {...options.judged} columns={columns} />
      <MasterDetail
        columns={columns}
        rows={rows - 1}
        details={details}
        listRows={list.seen.length + (isFilterShown(list.filter) ? 1 : 0)}
        toDetails={(width) => toDiffDetails(list.selected ?? {}, width, places)}
      >
        {(size) => (
          <RowsView
            {...size}
            list={{
              ...list,
              onState: (state) => {
                details.rewind();
                list.onState(state);
              },
            }}
            title="Differences"
            marked={marked}
            isFocused={!details.isFocused}
            empty="No differences."
            noMatch="No difference matches."
            placeholder="words of a capability or a change: breaking agents"
          />
        )}
      </MasterDetail>
    </Box>
  );
}

function Counts({ diff, ignored, columns }: JudgedDiff & Pick<Size, 'columns'>) {
  const counts = countClasses(diff);
  const line: Line = [
    { text: '  ' },
    ...(['breaking', 'risky', 'safe'] as const).map((type) => ({
      text: ` ${counts[type]} ${type}`,
      token: counts[type] > 0 ? classTokens[type] : ('muted' as const),
    })),
    { text: ignored.length === 0 ? '' : ` ${ignored.length} ignored`, token: 'muted' },
  ];
  return <LineView line={fitLine(line, columns)} />;
}
