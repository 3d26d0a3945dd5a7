import type { Line } from '../../kit/line.ts';
import type { Row } from '../../kit/row.ts';
import { type Column, createTable } from '../../kit/table.ts';
import { toDuration } from '../../kit/text.ts';
import { toMethodToken, toStatusText, toStatusToken } from '../../kit/theme.ts';
import type { RouteEntry, RouteStats } from './dev-store.ts';

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

/** `users  12   340 requests, 2 errors`: tells of the routes of a group while they are folded. */
function toGroupLine(name: string, routes: readonly RouteEntry[]): Line {
  const sum = (get: (stats: RouteStats) => number): number => routes.reduce((all, { stats }) => all + get(stats), 0);
  const [count, errors] = [sum((stats) => stats.count), sum((stats) => stats.errorCount)];
  return [
    { text: name, token: 'title' },
    { text: `  ${routes.length}   ${count} requests`, token: 'muted' },
    { text: errors === 0 ? '' : `, ${errors} errors`, token: 'danger' },
  ];
}

const tableColumns: readonly Column<RouteEntry>[] = [
  { title: 'Method', get: ({ route }) => route.method, token: ({ route }) => toMethodToken(route.method) },
  { title: 'Path', get: ({ route }) => route.path, most: 60, least: 8 },
  { title: 'Capability', get: ({ route }) => route.key, token: 'muted', most: 48, least: 14, from: 72 },
  {
    title: 'Count',
    get: ({ stats }) => `${stats.count}`,
    token: ({ stats }) => (stats.count === 0 ? 'muted' : undefined),
    isRight: true,
  },
  {
    title: 'Errors',
    get: ({ stats }) => toRate(stats),
    token: ({ stats }) => (stats.errorCount > 0 ? 'danger' : 'muted'),
    isRight: true,
    from: 46,
  },
  {
    title: 'p95',
    get: ({ stats }) => (stats.count === 0 ? '' : toDuration(stats.p95Ms())),
    isRight: true,
    from: 54,
  },
  {
    title: 'Last',
    get: ({ stats }) => (stats.lastStatus === undefined ? '' : toStatusText(stats.lastStatus)),
    token: ({ stats }) => toStatusToken(stats.lastStatus ?? 200),
    from: 30,
  },
  { title: '', get: ({ mark = '' }) => mark, token: ({ mark }) => (mark === 'new' ? 'added' : 'changed') },
];

function toRate({ count, errorCount }: RouteStats): string {
  const percent = (errorCount / count) * 100;
  if (count === 0) return '';
  return percent > 0 && percent < 1 ? '<1 %' : `${Math.round(percent)} %`;
}
