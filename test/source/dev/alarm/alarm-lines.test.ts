import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AlarmView, toAlarmLines } from '../../../../source/dev/screen/use-dev-panes.ts';

const toTexts = (alarm: readonly string[], columns: number, rows: number) =>
  toView({ sentences: alarm, acceptedCount: 0, isFolded: false }, columns, rows);

const toView = (alarm: AlarmView, columns: number, rows: number) =>
  toAlarmLines(alarm, { columns, rows }).map((line) => line.map(({ text }) => text).join(''));

describe('the lines of the contract alarm', () => {
  it('are a sentence each where there is room', () => {
    expect(toTexts(['a breaks', 'b breaks'], 40, 4)).toEqual([' ▲ a breaks', ' ▲ b breaks']);
  });

  it('are wrapped in a narrow window', () => {
    expect(toTexts(['This edit breaks `a.b` for agents'], 20, 4)).toEqual([
      ' ▲ This edit breaks',
      '   `a.b` for agents',
    ]);
  });

  it('count what has no room', () => {
    expect(toTexts(['a', 'b', 'c', 'd'], 40, 3)).toEqual([' ▲ a', ' ▲ b', '   and 2 more']);
  });

  it('say where a sentence goes on that has no room', () => {
    const long = 'This edit breaks `a.b` for HTTP callers, the typed client, agents: `c` is required';
    expect(toTexts([long, 'b'], 24, 3)).toEqual([' ▲ This edit breaks', '   `a.b` for HTTP …', '   and 1 more']);
    expect(toTexts([long], 24, 3).at(-1)).toBe('   callers, the typed …');
  });

  it('are a number where they are folded, and where they were accepted', () => {
    const alarm = { sentences: ['a', 'b'], acceptedCount: 1, isFolded: true };
    const accepted = ' ✓ 1 change that breaks callers accepted until the next commit';
    expect(toView(alarm, 80, 3)).toEqual([' ▲ ▸ 2 changes that break callers', accepted]);
    expect(toView({ ...alarm, isFolded: false }, 80, 3)).toEqual([' ▲ a', ' ▲ b', accepted]);
    expect(toView({ ...alarm, sentences: [] }, 80, 3)).toEqual([accepted]);
  });

  it('are never more than there may be, and say something of every sentence', () => {
    const sentences = fc.array(fc.lorem({ maxCount: 20 }), { maxLength: 8 });
    fc.assert(
      fc.property(
        sentences,
        fc.integer({ min: 30, max: 120 }),
        fc.integer({ min: 2, max: 9 }),
        (alarm, columns, rows) => {
          const texts = toTexts(alarm, columns, rows);
          expect(texts.length).toBeLessThanOrEqual(rows);
          const begun = texts.filter((text) => text.startsWith(' ▲')).length;
          expect(begun + Number(/and (\d+) more$/.exec(texts.at(-1) ?? '')?.[1] ?? 0)).toBe(alarm.length);
        },
      ),
    );
  });
});
