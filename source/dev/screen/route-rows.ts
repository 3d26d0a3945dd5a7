import type { Line } from '../../kit/line.ts';
import type { Row } from '../../kit/row.ts';
import { type Column, createTable } from '../../kit/table.ts';
import { toDuration } from '../../kit/text.ts';
import { signs, toMethodToken, toStatusText, toStatusToken } from '../../kit/theme.ts';
import type { RouteEntry } from './dev-store.ts';

/** A route with what happened on it, or a group of some. */
export interface RouteRow extends Row {
  readonly entry?: RouteEntry;
}

export interface RouteTable {
  readonly rows: readonly RouteRow[];
  /** The line of the titles in the room that a row has. */
  readonly toTitles: (columns: number) => Line;
}

/** More routes are in groups. */
const FLAT_UNTIL = 100;

/** The routes in the order of the server; many are in groups, of which the first one is open. */
export function toRouteRows(routes: readonly RouteEntry[]): RouteTable {
  const toTable = createTable(routes, tableColumns);
  const toRow = (entry: RouteEntry): RouteRow => {
    const { method, path, key } = entry.route;
    const token = entry.mark === 'gone' ? 'removed' : undefined;
    return {
      id: entry.id,
      entry,
      line: (width) => toTable(width).toLine(entry, token),
      search: `${method} ${path} ${key}`,
    };
  };
  const groups = new Map<string, RouteEntry[]>();
  for (const entry of routes) {
    const name = entry.route.key.split('.').slice(0, -1).join('.');
    groups.set(name, [...(groups.get(name) ?? []), entry]);
  }
  if (routes.length <= FLAT_UNTIL || groups.size === 1)
    return { rows: routes.map(toRow), toTitles: (width) => toTable(width).titles };
  const rows = [...groups].map(([name, inside], index): RouteRow => {
    const line = toGroupLine(name === '' ? 'without a group' : name, inside);
    return { id: `group ${name}`, line, search: name, isOpen: index === 0, children: inside.map(toRow) };
  });
  return { rows, toTitles: (width) => [{ text: '    ' }, ...toTable(width - 4).titles] };
}

/** `users  12   340 requests, 2 errors, p95 up to 120 ms`: tells of the routes of a group while they are folded. */
function toGroupLine(name: string, routes: readonly RouteEntry[]): Line {
  const summaries = routes.map(({ stats }) => stats.summary());
  const count = summaries.reduce((sum, summary) => sum + summary.count, 0);
  const errors = Math.round(summaries.reduce((sum, summary) => sum + summary.errorRate * summary.count, 0));
  const slowestMs = Math.max(...summaries.map(({ p95Ms = 0 }) => p95Ms));
  const title: Line = [
    { text: name, token: 'title' },
    { text: `  ${routes.length}`, token: 'muted' },
  ];
  if (count === 0) return title;
  return [
    ...title,
    { text: `   ${count === 1 ? '1 request' : `${count} requests`}`, token: 'muted' },
    { text: errors === 0 ? '' : `, ${errors === 1 ? '1 error' : `${errors} errors`}`, token: 'danger' },
    { text: `, p95 up to ${toDuration(slowestMs)}`, token: 'muted' },
  ];
}

/** The times that a chart has, one a column. */
const CHART = 10;

const tableColumns: readonly Column<RouteEntry>[] = [
  { title: 'Method', get: ({ route }) => route.method, token: ({ route }) => toMethodToken(route.method) },
  { title: 'Path', get: ({ route }) => route.path, most: 60, least: 8 },
  { title: 'Capability', get: ({ route }) => route.key, token: 'muted', most: 48, least: 14, from: 72 },
  {
    title: 'Count',
    get: ({ stats }) => `${stats.summary().count}`,
    token: ({ stats }) => (stats.summary().count === 0 ? 'muted' : undefined),
    isRight: true,
  },
  {
    title: 'Errors',
    get: ({ stats }) => toRate(stats.summary()),
    token: ({ stats }) => (stats.summary().errorRate > 0 ? 'danger' : 'muted'),
    isRight: true,
    from: 46,
  },
  toTimeColumn('p95', 54),
  {
    title: 'Last',
    get: ({ stats }) => toLast(stats.summary().lastStatus),
    token: ({ stats }) => toStatusToken(stats.summary().lastStatus ?? 200),
    from: 30,
  },
  { title: 'Latency', get: ({ stats }) => toSparkline(stats.latestMs(CHART)), token: 'accent', from: 64 },
  toTimeColumn('p50', 100),
  toTimeColumn('p99', 100),
  { title: '', get: ({ mark = '' }) => mark, token: ({ mark }) => (mark === 'new' ? 'added' : 'changed') },
];

function toTimeColumn(name: 'p50' | 'p95' | 'p99', from: number): Column<RouteEntry> {
  const get = ({ stats }: RouteEntry): string => {
    const durationMs = stats.summary()[`${name}Ms`];
    return durationMs === undefined ? '' : toDuration(durationMs);
  };
  return { title: name, get, isRight: true, from };
}

/** Numbers as a row of bars, one a column, each as high as its share of the highest: `▁▁█▂`. */
export function toSparkline(values: readonly number[]): string {
  const { bars } = signs;
  const highest = Math.max(...values, Number.MIN_VALUE);
  return values.map((value) => bars[Math.round((Math.max(0, value) / highest) * (bars.length - 1))] ?? '').join('');
}

function toRate({ count, errorRate }: { readonly count: number; readonly errorRate: number }): string {
  const percent = errorRate * 100;
  if (count === 0) return '';
  return percent === 0 ? '0 %' : percent < 1 ? '<1 %' : `${Math.round(percent)} %`;
}

function toLast(status: number | undefined): string {
  return status === undefined ? '' : toStatusText(status);
}
