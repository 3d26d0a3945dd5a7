import { groupBy } from '../values/once.ts';
import { type Line, toCell } from './line.ts';
import type { Row } from './row.ts';
import { textWidth } from './text.ts';
import type { Token } from './theme.ts';

export interface Column<Item> {
  readonly title: string;
  readonly get: (item: Item) => string;
  readonly token?: Token | ((item: Item) => Token | undefined);
  /** Columns that it takes at most. @default as many as its longest text */
  readonly most?: number;
  /** Columns to which it is cut where room is short; the last one of the table first. @default it is not cut */
  readonly least?: number;
  /** Whether it is cut only where cutting and leaving out others is not enough. @default false */
  readonly isCutLast?: boolean;
  /** The width of the table below which it is left out. @default it is always there */
  readonly from?: number;
  /** Whether its texts stand at its right end, as numbers do. @default false */
  readonly isRight?: boolean;
}

/** A table in its room: the line of the titles, and of each item. `token`: in place of the colours of the columns. */
interface Table<Item> {
  readonly titles: Line;
  readonly toLine: (item: Item, token?: Token) => Line;
}

export interface TableRows<R extends Row> {
  readonly rows: readonly R[];
  /** The line of the titles in the room that a row has. */
  readonly toTitles: (columns: number) => Line;
}

export interface TableRowsOptions<Item, R extends Row> {
  readonly columns: readonly Column<Item>[];
  /** Makes a row of its line. */
  readonly toRow: (item: Item, line: (token?: Token) => (columns: number) => Line) => R;
  /** Makes the row of a group; `group` has all but its line. @default there are no groups */
  readonly groups?: {
    /** Those in groups, whose rows say what is in all of a group. */
    readonly columns: readonly Column<Item>[];
    readonly toName: (item: Item) => string;
    readonly toRow: (group: Omit<Row, 'line'>, name: string, inside: readonly Item[]) => R;
  };
}

/** More rows are in groups. */
const FLAT_UNTIL = 100;

/** The rows of a table; many are in groups, of which the first one is open. */
export function toTableRows<Item, R extends Row>(
  items: readonly Item[],
  { columns, toRow, groups }: TableRowsOptions<Item, R>,
): TableRows<R> {
  const named =
    groups === undefined || items.length <= FLAT_UNTIL ? new Map() : groupBy(items, groups.toName);
  const isGrouped = groups !== undefined && named.size > 1;
  const toTable = createTable(items, isGrouped ? groups.columns : columns);
  const toRows = (some: readonly Item[]): readonly R[] =>
    some.map((item) => toRow(item, (token) => (width) => toTable(width).toLine(item, token)));
  if (!isGrouped) return { rows: toRows(items), toTitles: (width) => toTable(width).titles };
  const rows = [...named].map(([name, inside], index) => {
    const group = {
      id: `group ${name}`,
      search: name,
      isOpen: index === 0,
      children: toRows(inside),
    };
    return groups.toRow(group, name === '' ? 'without a group' : name, inside);
  });
  return { rows, toTitles: (width) => [{ text: '    ' }, ...toTable(width - 4).titles] };
}

/** Columns between two cells. */
const GAP = 2;

/** Gives the table of each width: the columns that have room. A column without text is left out. */
function createTable<Item>(
  items: readonly Item[],
  columns: readonly Column<Item>[],
): (width: number) => Table<Item> {
  const cells = columns
    .map((column) => ({ column, width: toLongest(items, column) }))
    .filter((cell) => cell.width > 0)
    .map(({ column, width }) => ({ column, width: Math.max(width, textWidth(column.title)) }));
  let last: { readonly width: number; readonly table: Table<Item> } | undefined;
  return (width) => {
    if (last?.width !== width) last = { width, table: toTable(fitCells(cells, width)) };
    return last.table;
  };
}

function toLongest<Item>(
  items: readonly Item[],
  { get, most = Number.POSITIVE_INFINITY }: Column<Item>,
): number {
  return Math.min(
    most,
    items.reduce((longest, item) => Math.max(longest, textWidth(get(item))), 0),
  );
}

interface Cell<Item> {
  readonly column: Column<Item>;
  readonly width: number;
}

/**
 * Takes what is missing from columns that may be cut, the last first, then leaves out the last that may be, and cuts
 * the column that is cut last. Where that is not enough either, the columns that were cut before it are left out.
 */
function fitCells<Item>(all: readonly Cell<Item>[], width: number): readonly Cell<Item>[] {
  const cells = all.filter(({ column: { from = 0 } }) => width >= from);
  const others = cutCells(cells, width, ({ isCutLast }) => isCutLast !== true);
  if (toMissing(others, width) <= 0) return others;
  const spare = cells.findLastIndex(({ column }) => column.from !== undefined);
  if (spare !== -1) return fitCells(cells.toSpliced(spare, 1), width);
  const cut = cutCells(others, width, ({ isCutLast }) => isCutLast === true);
  const isLast = ({ column }: Cell<Item>): boolean => column.isCutLast === true;
  const needed = cells.filter((cell) => isLast(cell) || cell.column.least === undefined);
  const isEnough = toMissing(cut, width) <= 0 || needed.length === cells.length;
  return isEnough || !cells.some(isLast) ? cut : fitCells(needed, width);
}

function toMissing<Item>(cells: readonly Cell<Item>[], width: number): number {
  return cells.reduce((sum, cell) => sum + cell.width + GAP, -GAP) - width;
}

function cutCells<Item>(
  cells: readonly Cell<Item>[],
  width: number,
  isCut: (column: Column<Item>) => boolean,
): readonly Cell<Item>[] {
  let missing = toMissing(cells, width);
  const cut = cells.toReversed().map(({ column, width: wish }) => {
    const { least = wish } = column;
    const taken = isCut(column) ? Math.max(0, Math.min(missing, wish - least)) : 0;
    missing -= taken;
    return { column, width: wish - taken };
  });
  return cut.toReversed();
}

function toTable<Item>(cells: readonly Cell<Item>[]): Table<Item> {
  const place = (
    text: string,
    { column: { isRight }, width }: Cell<Item>,
    token: Token | undefined,
  ): Line => {
    const placed = isRight ? ' '.repeat(Math.max(0, width - textWidth(text))) + text : text;
    return toCell(placed, { width, token });
  };
  return {
    titles: join(cells.map((cell) => place(cell.column.title, cell, 'muted'))),
    toLine: (item, token) =>
      join(
        cells.map((cell) => {
          const { get, token: own } = cell.column;
          return place(get(item), cell, token ?? (typeof own === 'function' ? own(item) : own));
        }),
      ),
  };
}

function join(cells: readonly Line[]): Line {
  return cells.flatMap((cell, index) =>
    index === 0 ? cell : [{ text: ' '.repeat(GAP) }, ...cell],
  );
}
