import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, lineWidth, toLineText } from '../../../source/kit/line.ts';
import { toRowLine, toSeenRows } from '../../../source/kit/row.ts';
import type { Mark, Marks } from '../../../source/record/call-marks.ts';
import {
  toAxisLine,
  toRepeatedLines,
  toRowFacts,
  toWaterfall,
  toWaterfallLines,
} from '../../../source/screens/waterfall.ts';

const toMarks = (list: readonly Mark[], more: Partial<Marks> = {}): Marks => ({
  list,
  counts: { guard: list.length },
  repeated: [],
  ...more,
});

const listing: readonly Mark[] = [
  { kind: 'context', name: '', atMs: 0, tookMs: 10 },
  { kind: 'handler', name: 'orders.listOrders', atMs: 10, tookMs: 80 },
  { kind: 'db', name: 'select * from orders', atMs: 10, tookMs: 10, inside: 1 },
  ...Array.from({ length: 6 }, (_, at): Mark => {
    return { kind: 'db', name: 'select * from lines', atMs: 20 + 5 * at, tookMs: 5, inside: 1 };
  }),
  { kind: 'log', name: 'listed', atMs: 60, inside: 1 },
  { kind: 'sending', name: '', atMs: 90, tookMs: 10 },
];

/** The rows as they are drawn, with the room that a view gives them. */
const draw = (marks: Marks, columns: number, durationMs = 100): readonly Line[] =>
  toSeenRows(toWaterfall(marks, durationMs).rows, new Set()).map(({ row, depth, hasSign }) => {
    const indent = 2 * (depth + (hasSign ? 1 : 0));
    return [{ text: ' '.repeat(indent) }, ...toRowLine(row, columns - indent)];
  });

describe('the waterfall of a call', () => {
  it('has a bar for each step at its place, those that a step made inside, and many of one name as one', () => {
    expect(draw(toMarks(listing), 70).map((line) => toLineText(line).trimEnd())).toEqual([
      '  context                        10 ms ███▌',
      '  handler orders.listOrders      80 ms    █████████████████████████',
      '    db select * from orders      10 ms    ███▌',
      '    ×6 db select * from lines    30 ms       █████████▌',
      '    log listed                                           ●',
      '  sending                        10 ms                            ▐███',
    ]);
  });

  it('finds what took longest by itself, and not what stands around it', () => {
    const { longest, totalMs, leftOut } = toWaterfall(
      toMarks(listing, { counts: { db: 7, guard: 20 } }),
      90,
    );
    // 80 ms, of which 40 are those of the statements.
    expect(longest).toMatchObject({ ownMs: 40, tookMs: 80, marks: [{ kind: 'handler' }] });
    expect({ totalMs, leftOut }).toEqual({ totalMs: 100, leftOut: 16 });
    const slow: Mark = { kind: 'http', name: 'GET far', atMs: 50, tookMs: 39, inside: 1 };
    expect(toWaterfall(toMarks([...listing, slow]), 100).longest).toMatchObject({
      marks: [{ kind: 'http' }],
    });
    const bars = toWaterfallLines(toWaterfall(toMarks([...listing, slow]), 100), 80, 8);
    const marked = bars.filter((line) => line.some(({ token }) => token === 'warning'));
    expect(marked.map((line) => toLineText(line).trim())).toEqual([
      expect.stringMatching(/^http GET far +39 ms/),
    ]);
  });

  it('tells statements that ran one after the other from those at the same time, and the place of the first', () => {
    const place = { file: '/shop/src/orders.ts', line: 14, column: 3 };
    const facts = (list: readonly Mark[]): string => {
      const waterfall = toWaterfall(toMarks(list), 100);
      const row = waterfall.rows[0];
      return row === undefined
        ? ''
        : toRowFacts(row, waterfall, '/shop').map(toLineText).join('\n');
    };
    const many = (stepMs: number): readonly Mark[] =>
      Array.from({ length: 6 }, (_, at) => {
        const mark = { kind: 'db', name: 'select 1', atMs: at * stepMs, tookMs: 10 } as const;
        return at === 0 ? { ...mark, place } : mark;
      });
    expect(facts(many(10))).toBe(
      'db select 1\ntook  60 ms, 60 %, from 0.0 ms on\ntimes 6, one after the other, 10 ms each\nfrom  src/orders.ts:14',
    );
    expect(facts(many(0))).toContain('times 6, at the same time, 10 ms each');
    expect(
      facts(listing.slice(1, 3).map((mark, at) => ({ ...mark, inside: at || undefined }))),
    ).toContain('handler orders.listOrders');
  });

  it('says what was asked again and again', () => {
    const repeated = [{ kind: 'db', name: 'select 1', times: 20, tookMs: 121 }] as const;
    expect(toRepeatedLines(toMarks([], { repeated }), 80).map(toLineText)).toEqual([
      '▲ 20 times in 121 ms: db select 1',
    ]);
  });

  it('fits any room, and has each bar below the axis, whatever the marks are', () => {
    const kinds = ['db', 'http', 'guard', 'log', 'handler'] as const;
    const mark = fc.record({
      kind: fc.constantFrom(...kinds),
      name: fc.string(),
      atMs: fc.double({ min: 0, max: 1e5, noNaN: true }),
      tookMs: fc.option(fc.double({ min: 0, max: 1e5, noNaN: true }), { nil: undefined }),
      outer: fc.nat(),
    });
    fc.assert(
      fc.property(
        fc.array(mark, { maxLength: 60 }),
        fc.integer({ min: 24, max: 200 }),
        (made, columns) => {
          const list = made.map(({ outer, ...rest }, at): Mark => {
            const inside = outer % (at + 2);
            return inside < Math.min(at, 3) ? { ...rest, inside } : rest;
          });
          const waterfall = toWaterfall(toMarks(list), 10);
          const axis = toLineText(toAxisLine(waterfall, columns));
          for (const line of draw(toMarks(list), columns)) {
            expect(lineWidth(line)).toBeLessThanOrEqual(columns);
            const bar = line.at(-1)?.text ?? '';
            expect(lineWidth(line.slice(0, -1))).toBe(axis.search(/\S/));
            expect(bar.trim()).not.toBe('');
          }
          const shown = toSeenRows(waterfall.rows, new Set()).flatMap(({ row }) => row.marks);
          expect(new Set(shown).size).toBe(list.length);
        },
      ),
    );
  });
});
