import { expect, test } from 'vitest';
import { countGroups, toGroupChoices } from '../../../source/generate/group-choices.ts';

const groups = countGroups(
  [{ groups: ['items'] }, { groups: ['items'] }, { groups: ['products', 'variants'] }, { groups: [] }],
  ['items', 'carts'],
);

test('groups are counted by what lies in them, also those that hold only groups or nothing', () => {
  expect(Object.fromEntries(groups)).toEqual({ items: 2, carts: 0, products: 0, 'products/variants': 1 });
});

test.each([
  ['', [' no group', 'items 2 capabilities', 'carts no capabilities']],
  ['it', ['it a new group', 'items 2 capabilities']],
  ['items', ['items 2 capabilities']],
  ['products.variants', ['products/variants 1 capability']],
  ['vari', ['vari a new group', 'products/variants 1 capability']],
  ['elsewhere', ['elsewhere a new group']],
])('for %j the choices begin with what was typed', (typed, expected) => {
  const shown = toGroupChoices(typed, groups).map(({ path, note }) => `${path} ${note}`);
  expect(shown.slice(0, expected.length)).toEqual(expected);
  if (typed !== '') expect(shown).toHaveLength(expected.length);
});
