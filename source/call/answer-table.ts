import { toJsonRows } from '../kit/json-rows.ts';
import { type Row, withOverrides } from '../kit/row.ts';
import { type Column, type TableRows, toTableRows } from '../kit/table.ts';
import { signs, type Token } from '../kit/theme.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';

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
export function findAnswerItems(body: unknown): readonly JsonObject[] | undefined {
  const data = isJsonObject(body) && 'data' in body ? body['data'] : body;
  if (isItemList(data)) return data;
  const lists = isJsonObject(data) ? Object.values(data).filter(Array.isArray) : [];
  const [only] = lists;
  return lists.length === 1 && isItemList(only) ? only : undefined;
}

function isItemList(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 1 && value.every(isJsonObject);
}

/** The field by which the items are sorted. */
export interface ItemOrder {
  readonly name: string;
  readonly isDescending: boolean;
}

/** The fields of the first items, in their order. */
function toNames(items: readonly JsonObject[]): readonly string[] {
  return [...new Set(items.slice(0, READ_ITEMS).flatMap(Object.keys))];
}

/** `total`, or `-total` for the largest first. The beginning of a name is enough; undefined where none begins so. */
export function findOrder(items: readonly JsonObject[], text: string): ItemOrder | undefined {
  if (text === '') return undefined;
  const isDescending = text.startsWith('-');
  const wanted = text.slice(isDescending ? 1 : 0).toLowerCase();
  const names = toNames(items);
  const name =
    names.find((each) => each.toLowerCase() === wanted) ??
    names.find((each) => each.toLowerCase().startsWith(wanted));
  return name === undefined ? undefined : { name, isDescending };
}

/** The items in an order: numbers by their size, texts as people sort them, and those without a value last. */
function sortItems(
  items: readonly JsonObject[],
  { name, isDescending }: ItemOrder,
): readonly JsonObject[] {
  const direction = isDescending ? -1 : 1;
  const isMissing = (item: JsonObject): boolean =>
    (findValue(item, name) ?? undefined) === undefined;
  const sorted = items
    .filter((item) => !isMissing(item))
    .toSorted(
      (one, other) => direction * compareValues(findValue(one, name), findValue(other, name)),
    );
  return [...sorted, ...items.filter(isMissing)];
}

function compareValues(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return byWords.compare(toSortedText(one), toSortedText(other));
}

function toSortedText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `item 2` before `item 10`. */
const byWords = new Intl.Collator(undefined, { numeric: true });

function findValue(item: JsonObject, name: string): unknown {
  return Object.hasOwn(item, name) ? item[name] : undefined;
}

/** The items as a table, a row each, which opens to all of its item; as many fields as there is room for. */
export function toAnswerTable(
  items: readonly JsonObject[],
  columns: number,
  order?: ItemOrder,
): TableRows<Row> {
  const numbers = new Map(items.map((item, index) => [item, index]));
  const sorted = order === undefined ? items : sortItems(items, order);
  const shown = sorted.slice(0, MAX_ITEMS);
  const names = toNames(items);
  const table = toTableRows<JsonObject, Row>(shown, {
    columns: names.slice(0, MAX_COLUMNS).map((name, index) => {
      const column = toColumn(name, index, shown);
      if (order?.name !== name) return column;
      return { ...column, title: column.title + (order.isDescending ? signs.down : signs.up) };
    }),
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

function toColumn(name: string, index: number, items: readonly JsonObject[]): Column<JsonObject> {
  const toValue = (item: JsonObject): unknown => findValue(item, name);
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
  if (isJsonObject(value)) return `{${Object.keys(value).length}}`;
  const text = typeof value === 'string' ? value.slice(0, 2 * MOST) : JSON.stringify(value);
  return stripControl(text).replace(/\s+/g, ' ');
}

function toCellToken(value: unknown): Token | undefined {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return 'number';
  return isJsonObject(value) || Array.isArray(value) ? 'muted' : 'keyword';
}
