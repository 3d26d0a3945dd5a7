import { expect, it } from 'vitest';
import { findAnswerItems, findOrder, toAnswerTable } from '../../../source/call/answer-table.ts';
import { toLineText } from '../../../source/kit/line.ts';
import { toRowLine } from '../../../source/kit/row.ts';

const pen = { id: 'p1', name: 'Pen', price: 2.5, owner: { name: 'Ada' }, tags: ['a', 'b'] };
const ink = { id: 'p2', name: 'Ink\u001B[2J\nblue', price: 12, owner: null, isNew: true };

it.each<[string, unknown, unknown]>([
  ['the list itself', [pen, ink], [pen, ink]],
  ['the data', { data: [pen, ink] }, [pen, ink]],
  ['the only list of a page', { data: { items: [pen, ink], total: 2 } }, [pen, ink]],
  ['one item', { data: [pen] }, undefined],
  ['a list of texts', { data: ['a', 'b'] }, undefined],
  ['a list of lists', { data: [[1], [2]] }, undefined],
  ['two lists', { data: { old: [pen, ink], now: [pen, ink] } }, undefined],
  ['an object', { data: pen }, undefined],
  ['nothing', undefined, undefined],
])('finds the items of %s', (_, body, items) => {
  expect(findAnswerItems(body)).toEqual(items);
});

const toTexts = (width: number) => {
  const { rows, toTitles } = toAnswerTable([pen, ink], width);
  return [toTitles(width), ...rows.map((row) => toRowLine(row, width))].map((line) =>
    toLineText(line).trimEnd(),
  );
};

it('has a row for each item, in columns that line up, without control characters', () => {
  expect(toTexts(100)).toEqual([
    'id  name      price  owner  tags  isNew',
    'p1  Pen         2.5  {1}    [2]',
    'p2  Ink blue     12  null         true',
  ]);
});

it('has as many columns as there is room for, the first ones', () => {
  expect(toTexts(22)).toEqual([
    'id  name      price',
    'p1  Pen         2.5',
    'p2  Ink blue     12',
  ]);
});

it('opens a row to all of its item, and draws the first thousand', () => {
  const items = Array.from({ length: 1200 }, (_, index) => ({ id: index, deep: { a: [index] } }));
  const { rows } = toAnswerTable(items, 80);
  expect(rows).toHaveLength(1001);
  expect(toLineText(toRowLine(rows.at(-1)!, 80))).toBe('… and 200 more, which the pager shows');
  const [first, second] = rows;
  expect([first?.isOpen, first?.copied]).toEqual([false, JSON.stringify(items[0], undefined, 2)]);
  expect(first?.children?.map((row) => toLineText(toRowLine(row, 80)))).toEqual([
    'id: 0',
    'deep: {1}',
  ]);
  expect(first?.children?.[0]?.id).not.toBe(second?.children?.[0]?.id);
});

const things = [
  { name: 'item 10', price: 2, owner: { age: 1 } },
  { name: 'item 9', owner: null },
  { name: 'Item 1', price: 11 },
  { price: 3, name: 'b' },
];

it.each<[text: string, names: readonly string[], title: string]>([
  ['price', ['item 10', 'b', 'Item 1', 'item 9'], 'price↑'],
  ['-pri', ['Item 1', 'b', 'item 10', 'item 9'], 'price↓'],
  ['NAME', ['b', 'Item 1', 'item 9', 'item 10'], 'name↑'],
  ['owner', ['item 10', 'item 9', 'Item 1', 'b'], 'owner↑'],
])('sorted by %s, the items without a value are last', (text, names, title) => {
  const { rows, toTitles } = toAnswerTable(things, 80, findOrder(things, text));
  const shown = rows.map(({ copied = '' }) => (JSON.parse(copied) as { name: string }).name);
  expect(shown).toEqual(names);
  expect(toLineText(toTitles(80))).toContain(title);
  // A row that was opened stays open in every order.
  const ids = new Map(toAnswerTable(things, 80).rows.map(({ id, copied }) => [copied, id]));
  expect(rows.map(({ id }) => id)).toEqual(rows.map(({ copied }) => ids.get(copied)));
});

it('sorts by no field that the items do not have, and all of them before the first thousand', () => {
  expect([findOrder(things, 'total'), findOrder(things, '')]).toEqual([undefined, undefined]);
  const many = Array.from({ length: 1500 }, (_, index) => ({ id: index }));
  const [first] = toAnswerTable(many, 80, findOrder(many, '-id')).rows;
  expect(first?.copied).toContain('"id": 1499');
});
