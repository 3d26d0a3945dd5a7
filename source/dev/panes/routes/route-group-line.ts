import type { Line } from '../../../kit/line/line.ts';
import { type ListEntry, toGroupHeader } from '../../../kit/list/list-entry.ts';
import { toDuration } from '../../../kit/text/to-duration.ts';
import type { Symbols } from '../../../kit/theme/tokens.ts';
import type { RouteEntry } from '../../dev-store.ts';

/** `▸ users  12   340 requests, 2 errors, p95 up to 120 ms`: the line above the routes of a group, which tells of them while they are folded. */
export function toRouteGroupLine(
  entry: Extract<ListEntry<RouteEntry>, { readonly kind: 'group' }>,
  symbols: Symbols,
): Line {
  const summaries = entry.rows.map(({ stats }) => stats.summary());
  const count = summaries.reduce((sum, summary) => sum + summary.count, 0);
  const errors = Math.round(summaries.reduce((sum, summary) => sum + summary.errorRate * summary.count, 0));
  const slowestMs = Math.max(...summaries.map(({ p95Ms = 0 }) => p95Ms));
  const header = toGroupHeader(entry, symbols);
  if (count === 0) return header;
  return [
    ...header,
    { text: `   ${count === 1 ? '1 request' : `${count} requests`}`, token: 'muted' },
    ...(errors === 0
      ? []
      : ([{ text: `, ${errors === 1 ? '1 error' : `${errors} errors`}`, token: 'danger' }] as const)),
    { text: `, p95 up to ${toDuration(slowestMs)}`, token: 'muted' },
  ];
}
