import { expect, test } from 'vitest';
import { filterFuzzily, searchFuzzily } from '../../../../source/kit/list/filter-fuzzily.ts';

const items = ['items.getItem', 'items.listItems', 'carts.checkout'].map((key) => ({ key }));
const options = { getText: ({ key }: { readonly key: string }) => key };

test.each([
  ['', ['items.getItem', 'items.listItems', 'carts.checkout']],
  ['get', ['items.getItem']],
  ['items', ['items.getItem', 'items.listItems']],
  ['check', ['carts.checkout']],
  ['xyz', []],
])('%j finds %j, in the order of the list', (query, keys) => {
  expect(filterFuzzily(items, query, options).map(({ item }) => item.key)).toEqual(keys);
});

test('the best match comes first in a search', () => {
  expect(searchFuzzily(items, 'list', options)[0]?.item.key).toBe('items.listItems');
});

test('the letters that one search found stay when the same items are searched again', () => {
  const [first] = filterFuzzily(items, 'get', options);
  const [second] = filterFuzzily([...items], 'ite', options);
  expect(first?.matches).toEqual([6, 7, 8]);
  expect(second?.matches).toEqual([0, 1, 2]);
});
