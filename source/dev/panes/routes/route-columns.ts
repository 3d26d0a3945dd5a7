import { type Line, toCell } from '../../../kit/line/line.ts';
import { toDuration } from '../../../kit/text/to-duration.ts';
import { toSparkline } from '../../../kit/text/to-sparkline.ts';
import { toMethodToken } from '../../../kit/theme/tokens.ts';
import { toStatusText, toStatusToken } from '../../../screens/status-token.ts';
import type { RouteEntry } from '../../dev-store.ts';
import { METHOD, MIN_KEY, TIME, toLongest, toSpacedCell } from '../spaced-cell.ts';
import { isAscending, type RouteSort } from './route-sort.ts';

export interface RouteColumns {
  readonly path: number;
  readonly key: number;
  /** Which of the figures there is room for, besides count and last status. */
  readonly times: readonly ('p50' | 'p95' | 'p99')[];
  readonly hasRate: boolean;
  /** Columns of the chart of the last times, with the space before it; 0 where there is no room. */
  readonly chart: number;
}

const COUNT = 8;
const RATE = 7;
const STATUS = 6;
const MARK = 9;
const CHART = 12;
/** As narrow as its title lets it be, where it would cut the key. */
const LEAST_CHART = 10;
/** The share of the routes whose paths are worth more than the chart: one long path may be cut for it. */
const USUAL_SHARE = 0.9;
/**
 * Divides a row: what is counted keeps its width, path and key share the rest, the key only where there is room for it. The chart is there where nothing
 * is cut for it; `isChartFirst`, or where there is no room for the key: where the paths of most routes are whole beside it.
 */
export function toRouteColumns(
  routes: readonly RouteEntry[],
  columns: number,
  { isChartFirst = false }: { readonly isChartFirst?: boolean } = {},
): RouteColumns {
  const times: RouteColumns['times'] = columns >= 90 ? ['p50', 'p95', 'p99'] : columns >= 56 ? ['p95'] : [];
  const hasRate = columns >= 48;
  const mark = routes.some((route) => route.mark !== undefined) ? MARK : 0;
  const all = columns - METHOD - COUNT - (hasRate ? RATE : 0) - TIME * times.length - STATUS - mark;
  const longestPath = toLongest(routes.map(({ route }) => route.path));
  const longestKey = toLongest(['Capability', ...routes.map(({ route }) => route.key)]);
  const isKeyShown = all - longestPath >= MIN_KEY;
  const uncut = isChartFirst || !isKeyShown ? toUsualPath(routes) : longestPath + longestKey;
  const spare = all - longestPath - (isKeyShown ? longestKey : 0);
  const chart = all - LEAST_CHART >= uncut ? Math.min(CHART, Math.max(LEAST_CHART, spare)) : 0;
  const room = all - chart;
  const shared = { times, hasRate, chart };
  if (room - longestPath < MIN_KEY) return { ...shared, path: Math.max(8, Math.min(longestPath, room)), key: 0 };
  return { ...shared, path: longestPath, key: Math.min(longestKey, room - longestPath) };
}

/** Columns of the path that nine of ten routes need, with the space to the next column. */
function toUsualPath(routes: readonly RouteEntry[]): number {
  const widths = routes.map(({ route }) => toLongest([route.path])).toSorted((a, b) => a - b);
  return widths[Math.ceil(widths.length * USUAL_SHARE) - 1] ?? 0;
}

/** The names of the columns, with a mark at the one that sorts. */
export function toRouteTitle({ path, key, times, hasRate, chart }: RouteColumns, sort: RouteSort): Line {
  const toTitle = (by: string, title: string, width: number): Line => {
    const text = by === sort.by ? `${title} ${isAscending(sort) ? '^' : 'v'}` : title;
    return [{ text: text.padStart(width), token: by === sort.by ? 'accent' : 'muted' }];
  };
  return [
    { text: 'Method'.padEnd(METHOD), token: 'muted' },
    ...toTitle('path', 'Path', 0),
    { text: ' '.repeat(Math.max(0, path - (sort.by === 'path' ? 6 : 4))) },
    { text: 'Capability'.padEnd(key).slice(0, key), token: 'muted' },
    ...toTitle('count', 'Count', COUNT),
    ...(hasRate ? toTitle('errors', sort.by === 'errors' ? 'Err' : 'Errors', RATE) : []),
    ...times.flatMap((name) => toTitle(name, name, TIME)),
    { text: `${chart === 0 ? '' : '  Latency'.padEnd(chart)}${'Last'.padStart(STATUS)}`, token: 'muted' },
  ];
}

/** `bars`: those of the chart. */
export function toRouteLine(entry: RouteEntry, columns: RouteColumns, bars: readonly string[]): Line {
  const { route, mark, stats } = entry;
  const { path, key, times, hasRate, chart } = columns;
  const { count, errorRate, p50Ms, p95Ms, p99Ms, lastStatus } = stats.summary();
  const durationsMs = { p50: p50Ms, p95: p95Ms, p99: p99Ms };
  const rate = count === 0 ? '' : toPercent(errorRate);
  const chartText = chart === 0 ? '' : `  ${toSparkline(stats.latestMs(chart - 2), bars)}`;
  return [
    ...toCell(route.method, { width: METHOD, token: toMethodToken(route.method) }),
    ...toSpacedCell(route.path, { width: path, token: mark === 'gone' ? 'removed' : undefined }),
    ...toSpacedCell(route.key, { width: key, token: 'muted' }),
    { text: String(count).padStart(COUNT), token: count === 0 ? 'muted' : undefined },
    { text: hasRate ? rate.padStart(RATE) : '', token: errorRate > 0 ? 'danger' : 'muted' },
    ...times.map((name) => ({ text: toTimeText(durationsMs[name]).padStart(TIME) })),
    { text: chartText.padEnd(chart), token: 'accent' },
    {
      text: (lastStatus === undefined ? '' : toStatusText(lastStatus)).padStart(STATUS),
      token: toStatusToken(lastStatus ?? 200),
    },
    {
      text: mark === undefined ? '' : `  ${mark}`,
      token: mark === 'gone' ? 'removed' : mark === 'new' ? 'added' : 'changed',
    },
  ];
}

function toTimeText(durationMs: number | undefined): string {
  return durationMs === undefined ? '' : toDuration(durationMs);
}

function toPercent(share: number): string {
  const percent = share * 100;
  return percent === 0 ? '0 %' : percent < 1 ? '<1 %' : `${Math.round(percent)} %`;
}
