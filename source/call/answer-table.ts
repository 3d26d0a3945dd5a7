import { toJsonRows } from '../kit/json-rows.ts';
import { type Row, withOverrides } from '../kit/row.ts';
import { type Column, type TableRows, toTableRows } from '../kit/table.ts';
import type { Token } from '../kit/theme.ts';
import { stripControl } from '../terminal/strip-control.ts';

type Item = Readonly<Record<string, unknown>>;

/** The items that are drawn, the first ones. */
const MAX_ITEMS = 1000;
/** The items whose fields become columns, and the number of those. */
const READ_ITEMS = 100;
const MAX_COLUMNS = 20;
/** Columns of the window that one field has at most, and where room is short. */
const MOST = 36;
const LEAST = 6;

/**
 * The list of objects that an answer is, or has as its data: `{"data": [{…}, …]}`, or
 * `{"data": {"items": [{…}, …]}}`.
 * Undefined where there is no such list of two at least.
 */
export function findAnswerItems(body: unknown): readonly Item[] | undefined {
  const data = isItem(body) && 'data' in body ? body['data'] : body;
  if (isItemList(data)) return data;
  const lists = isItem(data) ? Object.values(data).filter(Array.isArray) : [];
  const [only] = lists;
  return lists.length === 1 && isItemList(only) ? only : undefined;
}

function isItemList(value: unknown): value is readonly Item[] {
  return Array.isArray(value) && value.length > 1 && value.every(isItem);
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The items as a table, a row each, which opens to all of its item; as many fields as there is room for. */
export function toAnswerTable(items: readonly Item[], columns: number): TableRows<Row> {
  const shown = items.slice(0, MAX_ITEMS);
  const numbers = new Map(shown.map((item, index) => [item, index]));
  const names = [...new Set(shown.slice(0, READ_ITEMS).flatMap(Object.keys))];
  const table = toTableRows<Item, Row>(shown, {
    columns: names.slice(0, MAX_COLUMNS).map((name, index) => toColumn(name, index, shown)),
    toRow: (item, toLine) => {
      const [node] = toJsonRows(item, { columns, id: `item ${numbers.get(item)}` });
      return withOverrides(node ?? { id: '', line: [] }, { line: toLine(), isOpen: false });
    },
  });
  const rest = items.length - shown.length;
  const restRow: Row = {
    id: 'other items',
    line: [{ text: `… and ${rest} more, which the pager shows`, token: 'warning' }],
  };
  return rest === 0 ? table : { ...table, rows: [...table.rows, restRow] };
}

function toColumn(name: string, index: number, items: readonly Item[]): Column<Item> {
  const toValue = (item: Item): unknown => (Object.hasOwn(item, name) ? item[name] : undefined);
  return {
    title: stripControl(name),
    get: (item) => toCellText(toValue(item)),
    token: (item) => toCellToken(toValue(item)),
    most: MOST,
    least: LEAST,
    // The last columns are left out where there is no room for all.
    ...(index > 0 && { from: 1 }),
    isRight: items.every((item) => typeof (toValue(item) ?? 0) === 'number'),
  };
}

function toCellText(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return `[${value.length}]`;
  if (isItem(value)) return `{${Object.keys(value).length}}`;
  const text = typeof value === 'string' ? value.slice(0, 2 * MOST) : JSON.stringify(value);
  return stripControl(text).replace(/\s+/g, ' ');
}

function toCellToken(value: unknown): Token | undefined {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return 'number';
  return isItem(value) || Array.isArray(value) ? 'muted' : 'keyword';
}
