import { expect, it } from 'vitest';
import { filterRows, type Row } from '../../../source/kit/row.ts';

const toRow = (text: string, children?: readonly Row[]): Row => ({
  id: text,
  line: [{ text }],
  ...(children && { children }),
});
const rows = [
  toRow('orders', [
    toRow('orders.createOrder POST /orders'),
    toRow('orders.cancelOrder DELETE /orders/:id'),
  ]),
  toRow('users', [toRow('users.getMe GET /users/me')]),
];
const find = (query: string): readonly string[] =>
  filterRows(rows, query)
    .flatMap(({ children = [] }) => children)
    .map(({ id }) => id.split(' ')[0] ?? '');

it.each([
  ['ord cr', ['orders.createOrder']],
  ['creord', ['orders.createOrder']],
  ['ocano', ['orders.cancelOrder']],
  ['ugm', ['users.getMe']],
  ['co', ['orders.createOrder', 'orders.cancelOrder']],
  ['CreOrd', ['orders.createOrder']],
  // Letters within a word begin none, and the words are in their order.
  ['reord', []],
  ['ordcre x', []],
])('%s finds %j: all of its words, else the words that its letters begin', (query, found) => {
  expect(find(query)).toEqual(found);
});

it('does not look by letters where words find something', () => {
  expect(find('order')).toEqual(['orders.createOrder', 'orders.cancelOrder']);
  expect(find('me')).toEqual(['users.getMe']);
});

it('makes no rows for its letters that are made when they are looked at', () => {
  const lazy: Row = {
    id: 'lazy',
    line: [{ text: 'lazy' }],
    hasChildren: true,
    allText: 'nothing',
    get children(): readonly Row[] {
      throw new Error('They were made.');
    },
  };
  expect(filterRows([lazy], 'creord')).toEqual([]);
});
