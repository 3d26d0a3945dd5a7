import { expect, test } from 'vitest';
import { searchFuzzily } from '../../../source/screens/palette.tsx';

const keys = ['items.getItem', 'items.listItems', 'carts.checkout'];

test.each([
  ['', keys],
  ['get', ['items.getItem']],
  ['list', ['items.listItems']],
  ['check', ['carts.checkout']],
  ['xyz', []],
])('%j finds %j', (query, found) => {
  expect(searchFuzzily(keys, query, (key) => key)).toEqual(found);
});

test('the best match comes first', () => {
  expect(searchFuzzily(['x.allItems', 'items.all'], 'items', (key) => key)[0]).toBe('items.all');
});
