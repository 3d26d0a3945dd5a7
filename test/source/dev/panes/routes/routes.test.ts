import { describe, expect, it } from 'vitest';
import type { RouteEntry } from '../../../../../source/dev/dev-store.ts';
import { toRouteColumns, toRouteLine, toRouteTitle } from '../../../../../source/dev/panes/routes/route-columns.ts';
import { RouteStats } from '../../../../../source/dev/panes/routes/route-stats.ts';
import { toLineText } from '../../../../../source/kit/line/line.ts';
import { textWidth } from '../../../../../source/kit/text/text-width.ts';
import { toSparkline } from '../../../../../source/kit/text/to-sparkline.ts';
import { toSymbols } from '../../../../../source/kit/theme/tokens.ts';

function toEntry(path: string, timesMs: readonly number[]): RouteEntry {
  const stats = new RouteStats();
  for (const durationMs of timesMs) stats.add({ status: 200, durationMs });
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
  ])('has a place: %j', ({ columns, isChartFirst, hasChart, hasKey }) => {
    const entries = [toEntry('/a', [1, 8])];
    const layout = toRouteColumns(entries, columns, { isChartFirst });
    const line = toLineText(entries.flatMap((entry) => toRouteLine(entry, layout, bars)));
    expect({ hasChart: line.includes('█'), hasKey: line.includes('items.') }).toEqual({ hasChart, hasKey });
    expect(textWidth(line)).toBeLessThanOrEqual(columns);
    expect(textWidth(toLineText(toRouteTitle(layout)))).toBe(textWidth(line));
  });
});
