import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  emptyList,
  findSelected,
  type ListAction,
  moveInList,
  toListKeys,
  toListWindow,
} from '../../../source/kit/list-state.ts';

const keysOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `k${index}`);
const actions = Object.keys(toListKeys(() => {})) as ListAction[];

it.each<[string, readonly ListAction[], number]>([
  ['down', ['down', 'down'], 2],
  ['down at the end', ['last', 'down'], 99],
  ['up at the start', ['up'], 0],
  ['a page down', ['pageDown'], 9],
  ['a page up', ['last', 'pageUp'], 90],
  ['to the first', ['last', 'first'], 0],
])('moves %s', (_, steps, index) => {
  const keys = keysOf(100);
  const state = steps.reduce(
    (at, action) => moveInList(action, toListWindow(at, keys, 10), { keys, height: 10 }),
    emptyList,
  );
  expect(state).toMatchObject({ index, selectedKey: `k${index}` });
});

it('keeps the selection on its key while rows come and go', () => {
  const at = { selectedKey: 'k5', index: 5, offset: 0 };
  expect(toListWindow(at, ['new', ...keysOf(10)], 10)).toMatchObject({ selected: 6 });
  expect(toListWindow(at, ['k5'], 10)).toMatchObject({ selected: 0, offset: 0 });
});

it('stays where it was when its row is gone', () => {
  const at = { selectedKey: 'k5', index: 5, offset: 0 };
  expect(
    toListWindow(
      at,
      keysOf(10).filter((key) => key !== 'k5'),
      10,
    ).state.selectedKey,
  ).toBe('k6');
  expect(toListWindow(at, keysOf(3), 10).state.selectedKey).toBe('k2');
  expect(toListWindow(at, [], 10)).toMatchObject({ selected: -1, offset: 0 });
});

it('always shows the selected row, and no blank row that a row could fill', () => {
  const sizes = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      sizes,
      fc.array(fc.constantFrom(...actions)),
      fc.integer({ min: 1, max: 12 }),
      (counts, steps, height) => {
        let state = emptyList;
        for (const count of counts) {
          const keys = keysOf(count);
          for (const action of steps)
            state =
              count === 0
                ? state
                : moveInList(action, toListWindow(state, keys, height), { keys, height });
          const { selected, offset } = toListWindow(state, keys, height);
          if (count === 0) continue;
          expect(selected).toBeGreaterThanOrEqual(offset);
          expect(selected).toBeLessThan(offset + height);
          expect(offset).toBeLessThanOrEqual(Math.max(0, count - height));
        }
      },
    ),
  );
});

it('finds the same item as the window selects', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 20 }),
      fc.nat({ max: 20 }),
      fc.nat({ max: 20 }),
      (count, key, index) => {
        const keys = keysOf(count);
        const state = { selectedKey: `k${key}`, index, offset: 0 };
        expect(findSelected(state, keys)).toBe(toListWindow(state, keys, 5).selected);
      },
    ),
  );
});
