import { describe, expect, it } from 'vitest';
import type { RouteEntry } from '../../../../../source/dev/dev-store.ts';
import { toRouteColumns, toRouteLine, toRouteTitle } from '../../../../../source/dev/panes/routes/route-columns.ts';
import { serverOrder, sortRoutes, toNextRouteSort } from '../../../../../source/dev/panes/routes/route-sort.ts';
import { RouteStats } from '../../../../../source/dev/panes/routes/route-stats.ts';
import { toLineText } from '../../../../../source/kit/line/line.ts';
import { textWidth } from '../../../../../source/kit/text/text-width.ts';
import { toSparkline } from '../../../../../source/kit/text/to-sparkline.ts';
import { toSymbols } from '../../../../../source/kit/theme/tokens.ts';

function toEntry(path: string, timesMs: readonly number[], status = 200): RouteEntry {
  const stats = new RouteStats();
  for (const durationMs of timesMs) stats.add({ status, durationMs });
  return { id: `GET ${path}`, route: { method: 'GET', path, key: 'items.listItems' }, mark: undefined, stats };
}

const { bars } = toSymbols({});

describe('the chart of a route', () => {
  it('shows the last times, the highest as a whole bar', () => {
    expect(toSparkline([], bars)).toBe('');
    expect(toSparkline([0, 0], bars)).toBe('▁▁');
    expect(toSparkline([1, 8, 4], bars)).toBe('▂█▅');
    expect(toSparkline([1, 8], toSymbols({ TERM: 'linux' }).bars)).toBe('.#');
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
    { columns: 30, isChartFirst: true, hasChart: false, hasKey: false },
    { columns: 56, isChartFirst: false, hasChart: false, hasKey: true },
    { columns: 77, isChartFirst: false, hasChart: true, hasKey: true },
    { columns: 70, isChartFirst: true, hasChart: true, hasKey: true },
    { columns: 56, isChartFirst: true, hasChart: true, hasKey: false },
    { columns: 44, isChartFirst: true, hasChart: true, hasKey: false },
  ])('has a place: %j', ({ columns, isChartFirst, hasChart, hasKey }) => {
    const entries = [toEntry('/a', [1, 8])];
    const layout = toRouteColumns(entries, columns, { isChartFirst });
    const line = toLineText(entries.flatMap((entry) => toRouteLine(entry, layout, bars)));
    expect({ hasChart: line.includes('█'), hasKey: line.includes('items.') }).toEqual({ hasChart, hasKey });
    expect(textWidth(line)).toBeLessThanOrEqual(columns);
    expect(textWidth(toLineText(toRouteTitle(layout, serverOrder)))).toBe(textWidth(line));
  });
});

describe('a path beside the chart', () => {
  const short = Array.from({ length: 9 }, (_, index) => toEntry(`/shops/:shopId/order-${index}`, [1, 8]));
  const toRows = (paths: readonly RouteEntry[], columns: number): readonly string[] => {
    const layout = toRouteColumns(paths, columns, { isChartFirst: true });
    return paths.map((entry) => toLineText(toRouteLine(entry, layout, bars)));
  };

  it.each([60, 64, 66, 68, 72])('is whole in %i columns, with the chart where there is room for both', (columns) => {
    const rows = toRows(short, columns);
    expect(rows.filter((row) => row.includes('…'))).toEqual([]);
    expect(rows[0]?.includes('█')).toBe(columns >= 70);
  });

  it('is cut for it where it alone is long', () => {
    const rows = toRows([...short, toEntry(`/shops/:shopId/orders/:orderId/lines/:lineId`, [1, 8])], 72);
    expect(rows.map((row) => row.includes('…'))).toEqual([...short.map(() => false), true]);
    expect(rows.every((row) => row.includes('█'))).toBe(true);
  });
});

describe('the order of the routes', () => {
  const entries = [toEntry('/b', [5, 5]), toEntry('/a', [90]), toEntry('/c', [1], 500), toEntry('/d', [])];
  const toPaths = (by: Parameters<typeof sortRoutes>[1]['by'], isReversed = false) =>
    sortRoutes(entries, { by, isReversed }).map(({ route }) => route.path.slice(1));

  it('is that of the server, or begins with the slowest, the most called, the most failed', () => {
    expect(toPaths('declared')).toEqual(['b', 'a', 'c', 'd']);
    expect(toPaths('path')).toEqual(['a', 'b', 'c', 'd']);
    expect(toPaths('p95')).toEqual(['a', 'b', 'c', 'd']);
    expect(toPaths('count')).toEqual(['b', 'a', 'c', 'd']);
    expect(toPaths('errors')).toEqual(['c', 'b', 'a', 'd']);
    expect(toPaths('p95', true)).toEqual(['d', 'c', 'b', 'a']);
  });

  it('goes to the next column that is shown, and round', () => {
    const toOrders = (columns: number): readonly string[] => {
      const layout = toRouteColumns(entries, columns);
      let sort = serverOrder;
      return Array.from({ length: 5 }, () => (sort = toNextRouteSort(sort, layout)).by);
    };
    expect(toOrders(100)).toEqual(['path', 'count', 'errors', 'p95', 'declared']);
    expect(toOrders(40)).toEqual(['path', 'count', 'declared', 'path', 'count']);
  });
});
