import { Box } from 'ink';
import { fitLine, type Line } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { cutStart, textWidth } from '../kit/text.ts';
import { signs } from '../kit/theme.ts';
import { type Size, useBodySize } from '../kit/use-ui.ts';
import { RowsWithDetails } from '../screens/master-detail.tsx';
import { toClock } from '../screens/shell-status.ts';
import { useScreen } from '../screens/use-screen.ts';
import { toDiffDetails } from './diff-details.ts';
import { classTokens } from './diff-rows.ts';
import { countClasses } from './diff-totals.ts';
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
  const { project } = useScreen();
  const failure = isNamed ? problem : project.failure;
  const width = Math.floor(columns / 2) - 1;
  const head: readonly Line[] = [
    [
      ...toSide({ name: names.before, at: loadedAt, failure: problem, width }),
      { text: ` ${signs.arrow}`, token: 'muted' },
      ...toSide({ name: names.after, at: isNamed ? loadedAt : project.loadedAt, failure, width }),
    ],
    ...(problem === undefined ? [] : [[{ text: `   ${problem.message}`, token: 'danger' } as const]]),
  ];
  const isBroken = problem !== undefined || failure !== undefined;
  const waiting = isBroken ? '   Nothing to compare until both sides load.' : '   Loading both sides';
  const manifests = sides && { before: sides[0].manifest, after: sides[1].manifest };
  return (
    <Box flexDirection="column" height={rows}>
      {head.map((line, row) => (
        <LineView key={row} line={fitLine(line, columns)} />
      ))}
      {judged && manifests ? (
        <Differences {...manifests} {...{ judged, columns }} onReload={reload} rows={rows - head.length} />
      ) : (
        <LineView line={[{ text: waiting, token: 'muted' }]} />
      )}
    </Box>
  );
}

interface ShownSide {
  readonly name: string;
  /** When it was loaded, milliseconds since 1970. */
  readonly at: number | undefined;
  readonly failure: object | undefined;
  readonly width: number;
}

/** `● main 12:03:10` */
function toSide({ name, at, failure, width }: ShownSide): Line {
  const isLoading = failure === undefined && at === undefined;
  const note = failure !== undefined ? 'broken' : at === undefined ? 'loading' : toClock(at);
  const sign = isLoading ? signs.dot : failure === undefined ? signs.live : signs.cross;
  const token = isLoading ? 'muted' : failure === undefined ? 'success' : 'danger';
  const room = width - textWidth(` ${sign}  ${note}`);
  return [{ text: ` ${sign} `, token }, { text: cutStart(name, room) }, { text: ` ${note}`, token }];
}

function Differences({ columns, rows, ...options }: DiffViewOptions & Size) {
  const { marks } = useScreen();
  const { list, places } = useDiffView(options);
  const { diff, ignored } = options.judged;
  const counts = countClasses(diff);
  const line: Line = [
    { text: '  ' },
    ...(['breaking', 'risky', 'safe'] as const).map((type) => ({
      text: ` ${counts[type]} ${type}`,
      token: counts[type] > 0 ? classTokens[type] : ('muted' as const),
    })),
    { text: ignored.length === 0 ? '' : ` ${ignored.length} ignored`, token: 'muted' },
  ];
  return (
    <Box flexDirection="column" height={rows}>
      <LineView line={fitLine(line, columns)} />
      <RowsWithDetails
        columns={columns}
        rows={rows - 1}
        list={list}
        toDetails={(width) => toDiffDetails(list.selected ?? {}, width, places)}
        title="Differences"
        marked={new Set([...marks].flatMap((key) => [`changed/${key}`, `added/${key}`, `removed/${key}`]))}
        empty="No differences."
        noMatch="No difference matches."
        placeholder="words of a capability or a change: breaking agents"
      />
    </Box>
  );
}
