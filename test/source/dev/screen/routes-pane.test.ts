import { expect, it } from 'vitest';
import { type RouteEntry, RouteStats } from '../../../../source/dev/screen/dev-store.ts';
import { toRouteRows } from '../../../../source/dev/screen/routes-pane.tsx';
import { toLineText } from '../../../../source/kit/line.ts';
import { toRowLine } from '../../../../source/kit/row.ts';
import { textWidth } from '../../../../source/kit/text.ts';

function toEntry(path: string, timesMs: readonly number[], status = 200): RouteEntry {
  const stats = new RouteStats();
  for (const durationMs of timesMs) stats.add({ status, durationMs });
  return {
    id: `GET ${path}`,
    route: { method: 'GET', path, key: 'items.listItems' },
    mark: undefined,
    stats,
  };
}

it.each([
  { columns: 40, hasP95: false, hasKey: false },
  { columns: 70, hasP95: true, hasKey: false },
  { columns: 100, hasP95: true, hasKey: true },
])('a route shows what there is room for: %j', ({ columns, hasP95, hasKey }) => {
  const { rows, toTitles } = toRouteRows([
    toEntry('/a', [...Array.from({ length: 99 }, () => 1), 1000, 1000, 8]),
  ]);
  const line = toLineText(toRowLine(rows[0]!, columns));
  expect({ hasP95: line.includes('1.0 ms'), hasKey: line.includes('items.') }).toEqual({
    hasP95,
    hasKey,
  });
  expect(textWidth(line)).toBeLessThanOrEqual(columns);
  expect(textWidth(toLineText(toTitles(columns)))).toBe(textWidth(line));
});
