import { describe, expect, it } from 'vitest';
import type { RouteEntry } from '../../../../../source/dev/screen/dev-store.ts';
import { toRouteRows, toSparkline } from '../../../../../source/dev/screen/route-rows.ts';
import { RouteStats } from '../../../../../source/dev/screen/route-stats.ts';
import { toLineText } from '../../../../../source/kit/line.ts';
import { toRowLine } from '../../../../../source/kit/row.ts';
import { textWidth } from '../../../../../source/kit/text.ts';

function toEntry(path: string, timesMs: readonly number[], status = 200): RouteEntry {
  const stats = new RouteStats();
  for (const durationMs of timesMs) stats.add({ status, durationMs });
  return { id: `GET ${path}`, route: { method: 'GET', path, key: 'items.listItems' }, mark: undefined, stats };
}

describe('the chart of a route', () => {
  it('shows the last times, the highest as a whole bar', () => {
    expect(toSparkline([])).toBe('');
    expect(toSparkline([0, 0])).toBe('▁▁');
    expect(toSparkline([1, 8, 4])).toBe('▂█▅');
  });

  it('knows the last times in their order, also when the oldest are gone', () => {
    const { stats } = toEntry(
      '/a',
      Array.from({ length: 503 }, (_, index) => index),
    );
    expect(stats.latestMs(3)).toEqual([500, 501, 502]);
    expect(toEntry('/a', [7]).stats.latestMs(3)).toEqual([7]);
    expect(toEntry('/a', []).stats.latestMs(3)).toEqual([]);
  });

  it.each([
    { columns: 30, hasChart: false, hasKey: false },
    { columns: 56, hasChart: false, hasKey: false },
    { columns: 70, hasChart: true, hasKey: false },
    { columns: 100, hasChart: true, hasKey: true },
  ])('has a place: %j', ({ columns, hasChart, hasKey }) => {
    const { rows, toTitles } = toRouteRows([toEntry('/a', [1, 8])]);
    const line = toLineText(toRowLine(rows[0]!, columns));
    expect({ hasChart: line.includes('█'), hasKey: line.includes('items.') }).toEqual({ hasChart, hasKey });
    expect(textWidth(line)).toBeLessThanOrEqual(columns);
    expect(textWidth(toLineText(toTitles(columns)))).toBe(textWidth(line));
  });
});

it('puts more than a hundred routes into groups that tell of what is in them', () => {
  const many = Array.from({ length: 101 }, (_, index) => {
    const entry = toEntry(`/r${index}`, [index]);
    return { ...entry, route: { ...entry.route, key: `${index % 2 ? 'odd' : 'even'}.get${index}` } };
  });
  const { rows } = toRouteRows(many);
  expect(rows.map((row) => [toLineText(toRowLine(row, 80)), row.isOpen])).toEqual([
    ['even  51   51 requests, p95 up to 100 ms', true],
    ['odd  50   50 requests, p95 up to 99 ms', false],
  ]);
});
