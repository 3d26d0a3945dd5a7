import type { RouteEntry } from '../../dev-store.ts';
import type { RouteColumns } from './route-columns.ts';

/** The order of the routes; `declared` is that of the server. Of what is counted, the most is first. */
export interface RouteSort {
  readonly by: 'declared' | 'path' | 'count' | 'errors' | 'p95';
  readonly isReversed: boolean;
}

export const serverOrder: RouteSort = { by: 'declared', isReversed: false };

/** The order by the next column that is shown. */
export function toNextRouteSort({ by, isReversed }: RouteSort, { hasRate, times }: RouteColumns): RouteSort {
  const orders: readonly RouteSort['by'][] = [
    'declared',
    'path',
    'count',
    ...(hasRate ? (['errors'] as const) : []),
    ...(times.includes('p95') ? (['p95'] as const) : []),
  ];
  return { by: orders[(orders.indexOf(by) + 1) % orders.length] ?? 'declared', isReversed };
}

/** Whether the least is first. */
export function isAscending({ by, isReversed }: RouteSort): boolean {
  return (by === 'declared' || by === 'path') !== isReversed;
}

export function sortRoutes(routes: readonly RouteEntry[], sort: RouteSort): readonly RouteEntry[] {
  const { by, isReversed } = sort;
  if (by === 'declared') return isReversed ? routes.toReversed() : routes;
  const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0);
  const sorted = routes
    .map((entry) => ({ entry, value: by === 'path' ? entry.route.path : toFigure(entry, by) }))
    .toSorted((a, b) => (isAscending(sort) ? compare(a.value, b.value) : compare(b.value, a.value)));
  return sorted.map(({ entry }) => entry);
}

function toFigure({ stats }: RouteEntry, by: 'count' | 'errors' | 'p95'): number {
  const { count, errorRate, p95Ms = -1 } = stats.summary();
  switch (by) {
    case 'count':
      return count;
    case 'errors':
      return errorRate;
    case 'p95':
      return p95Ms;
  }
}
