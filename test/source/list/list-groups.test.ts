import { describe, expect, it } from 'vitest';
import { capability } from '../../../server-runtime/capability/capability-factory.ts';
import { toGroupedEntries } from '../../../source/kit/list/list-entry.ts';
import { toColumns, toColumnWishes } from '../../../source/list/columns.ts';
import { toListGroups, toPinnedFirst } from '../../../source/list/list-groups.ts';
import { declaredOrder, toListRows } from '../../../source/list/list-rows.ts';
import { toTestManifest } from '../../helpers/render-screen.tsx';

const noShelf = { pinned: [], recent: [] };

async function toRows(tree: Parameters<typeof toTestManifest>[0], query = '') {
  return toListRows((await toTestManifest(tree)).capabilities, { query, sort: declaredOrder });
}

const shop = {
  users: { getUser: capability(() => null), listUsers: capability(() => null) },
  shop: { carts: { pay: capability(() => null).describe('Takes money from a card') } },
};

describe('groups', () => {
  it('are those of the keys, in the order of declaration, the first one open', async () => {
    const groups = toListGroups(await toRows(shop), noShelf);
    expect(groups.map(({ name, rows, isOpen }) => [name, rows.length, isOpen])).toEqual([
      ['users', 2, true],
      ['shop.carts', 1, false],
    ]);
    const toIds = (toggled: readonly string[]) =>
      toGroupedEntries(groups, { toggled: new Set(toggled), getKey: ({ id }) => id }).map(({ id }) => id);
    expect(toIds([])).toEqual([
      'group users',
      'group users GET users.getUser',
      'group users GET users.listUsers',
      'group shop.carts',
    ]);
    expect(toIds(['group users'])).toEqual(['group users', 'group shop.carts']);
  });

  it('stand behind what is pinned, and what was called last; a key that is gone is passed over', async () => {
    const groups = toListGroups(await toRows(shop), {
      pinned: ['shop.carts.pay', 'gone'],
      recent: ['users.listUsers'],
    });
    expect(groups.map(({ name, rows }) => [name, rows.map(({ key }) => key)]).slice(0, 2)).toEqual([
      ['pinned', ['shop.carts.pay']],
      ['last called', ['users.listUsers']],
    ]);
    expect(groups).toHaveLength(4);
  });
});

it('puts what is pinned first in one list', async () => {
  const entries = toPinnedFirst(await toRows(shop), ['shop.carts.pay']);
  expect(entries.map(({ id }) => id)).toEqual(['POST shop.carts.pay', 'GET users.getUser', 'GET users.listUsers']);
});

it('finds the words of a description after the letters of keys, but no word of two letters', async () => {
  expect((await toRows(shop, 'money')).map(({ key }) => key)).toEqual(['shop.carts.pay']);
  expect((await toRows(shop, 'card money')).map(({ key }) => key)).toEqual(['shop.carts.pay']);
  expect(await toRows(shop, 'fr')).toEqual([]);
});

describe('columns', () => {
  const long = `get${'Thing'.repeat(17)}`;
  const many = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`getThing${index}`, capability(() => null)]),
  );

  it.each([80, 120])('are as wide as most rows need in %i columns, whatever one of them has', async (width) => {
    const rows = await toRows({ things: { ...many, [long]: capability(() => null) } });
    const columns = Object.fromEntries(
      toColumns(toColumnWishes(rows), width).map((column) => [column.name, column.width]),
    );
    expect(columns['route']).toBeGreaterThanOrEqual('/things/thing19'.length);
    expect(columns['key']).toBeGreaterThanOrEqual('things.getThing19'.length);
    const total = Object.values(columns).reduce((sum, column) => sum + column + 2, -2);
    expect(total).toBeLessThanOrEqual(width);
  });

  it('share what is missing by what they need', async () => {
    const rows = await toRows({
      somethingWithALongName: Object.fromEntries(
        Array.from({ length: 9 }, (_, index) => [`getAnotherThingWithALongName${index}`, capability(() => null)]),
      ),
    });
    const columns = toColumns(toColumnWishes(rows), 70).filter(({ name }) => name === 'key' || name === 'route');
    expect(Math.min(...columns.map(({ width }) => width))).toBeGreaterThanOrEqual(20);
  });
});
