import { type Line, toCell } from '../kit/line/line.ts';
import { textWidth } from '../kit/text/text-width.ts';
import { type Token, toMethodToken } from '../kit/theme/tokens.ts';
import type { ListRow, ListSort } from './list-rows.ts';

const columnNames = ['key', 'method', 'route', 'guards', 'intent', 'about', 'input', 'note'] as const;
type ColumnName = (typeof columnNames)[number];

export interface Column {
  readonly name: ColumnName;
  readonly width: number;
}

/** Columns between two cells. */
const GAP = 2;
/** Columns of the mark behind the title that sorts, where there is no room for a blank before it. */
const SORT_MARK = 1;

/** The width that a column would like to have; 0 where there is nothing in it. */
export interface ColumnWish {
  readonly longest: number;
  /** The width that nine of ten rows need. */
  readonly usual: number;
}

export type ColumnWishes = Readonly<Record<ColumnName, ColumnWish>>;

/** The share of the rows that a column is made for; one long name may be cut, and not the columns of all others. */
const USUAL_SHARE = 0.9;

export function toColumnWishes(rows: readonly ListRow[]): ColumnWishes {
  const toWish = (name: ColumnName): ColumnWish => {
    const widths = rows.map((row) => textWidth(toText(row, name))).sort((a, b) => a - b);
    return { longest: widths.at(-1) ?? 0, usual: widths[Math.ceil(widths.length * USUAL_SHARE) - 1] ?? 0 };
  };
  return Object.fromEntries(columnNames.map((name) => [name, toWish(name)])) as Record<ColumnName, ColumnWish>;
}

/** The columns that fit into `width`, the important ones first, as wide as most rows need; key and route share what is left or missing. */
export function toColumns(wishes: ColumnWishes, width: number): readonly Column[] {
  const toWish = (name: ColumnName, wished: number): number =>
    Math.min(Math.max(wished, toTitleWidth(name)), widest[name]);
  const wishOf = (name: ColumnName): number => toWish(name, isShared(name) ? wishes[name].usual : wishes[name].longest);
  const names = new Set<ColumnName>(width < NARROW ? ['key', 'method'] : ['key', 'method', 'route']);
  let room = width - [...names].reduce((sum, name) => sum + wishOf(name) + GAP, -GAP);
  const toMissing = (): number =>
    [...names].reduce((sum, name) => sum + toWish(name, wishes[name].longest) - wishOf(name), 0);
  for (const { name, from, least = widest[name], isSpare = false } of optional) {
    const wish = wishOf(name);
    const fits = GAP + Math.min(wish, least) <= room - (isSpare ? toMissing() : 0);
    if (wishes[name].longest === 0 || (!fits && width < from)) continue;
    names.add(name);
    room -= GAP + wish;
  }
  const columns = columnNames.filter((name) => names.has(name)).map((name) => ({ name, width: wishOf(name) }));
  if (room < 0) return shrink(columns, -room);
  return grow(columns, room, (name) => toWish(name, wishes[name].longest));
}

function isShared(name: ColumnName): boolean {
  return name === 'key' || name === 'route';
}

/** Gives the room that is left to the key, then to the route, as far as they need it. */
function grow(columns: readonly Column[], room: number, toLongest: (name: ColumnName) => number): readonly Column[] {
  let left = room;
  return columns.map(({ name, width }) => {
    const more = isShared(name) ? Math.min(left, Math.max(0, toLongest(name) - width)) : 0;
    left -= more;
    return { name, width: width + more };
  });
}

interface OptionalColumn {
  readonly name: ColumnName;
  /** The width of the table from which on the column is shown even if others are cut for it; below, it is shown where all fit. */
  readonly from: number;
  /** The least width at which the column is still useful. @default its whole width */
  readonly least?: number;
  /** Whether no key and no route is cut for it in a table narrower than `from`: the method says most of it. @default false */
  readonly isSpare?: boolean;
}

const optional: readonly OptionalColumn[] = [
  { name: 'guards', from: 56 },
  { name: 'note', from: 76 },
  { name: 'intent', from: 100, isSpare: true },
  { name: 'about', from: 118, least: 16 },
  { name: 'input', from: 118, least: 12 },
];

const widest: Readonly<Record<ColumnName, number>> = {
  key: 48,
  method: 7,
  route: 60,
  guards: 24,
  intent: 8,
  about: 60,
  input: 40,
  note: 10,
};
/** The least width of the columns that may be cut, those that shrink first at the start. */
const narrowest: readonly (readonly [ColumnName, number])[] = [
  ['input', 8],
  ['about', 12],
];
const MIN_KEY = 12;
const MIN_ROUTE = 8;
/** The part of the room of both that the route keeps. */
const ROUTE_SHARE = 0.4;
/** A table of fewer columns has no route: half of a key and half of a route would tell less than a whole key. */
const NARROW = 40;

/** Takes the missing room from the columns that may be cut, at last from key and route. */
function shrink(columns: readonly Column[], missing: number): readonly Column[] {
  const widths = new Map(columns.map(({ name, width }) => [name, width]));
  let left = missing;
  for (const [name, least] of narrowest) {
    const width = widths.get(name);
    if (width === undefined) continue;
    const taken = Math.max(0, Math.min(left, width - least));
    widths.set(name, width - taken);
    left -= taken;
  }
  const { key = 0, route = 0 } = Object.fromEntries(widths);
  const shared = Math.max(MIN_KEY + MIN_ROUTE, key + route - left);
  const routeWidth = Math.min(route, Math.max(MIN_ROUTE, Math.floor(shared * ROUTE_SHARE), shared - key));
  widths.set('route', routeWidth).set('key', Math.min(key, shared - routeWidth));
  return columns.map(({ name, width }) => ({ name, width: widths.get(name) ?? width }));
}

function toTitleWidth(name: ColumnName): number {
  return titles[name] === '' ? 0 : titles[name].length + SORT_MARK;
}

const titles: Readonly<Record<ColumnName, string>> = {
  key: 'Key',
  method: 'Method',
  route: 'Route',
  guards: 'Guards',
  intent: 'Intent',
  about: 'Description',
  input: 'Input',
  note: '',
};

function toText({ key, method, route, guards, input, about, capability }: ListRow, name: ColumnName): string {
  switch (name) {
    case 'key':
      return key;
    case 'method':
      return method;
    case 'route':
      return route;
    case 'guards':
      return guards;
    case 'intent':
      return capability.intent;
    case 'about':
      return about;
    case 'input':
      return input;
    case 'note':
      return capability.deprecation === undefined ? '' : 'deprecated';
  }
}

export function toTitleLine(columns: readonly Column[], { by, isReversed }: ListSort): Line {
  return columns.flatMap(({ name, width }, index) => {
    const mark = name === by ? (isReversed ? 'v' : '^') : '';
    const title = `${titles[name]}${mark && titles[name].length + 2 <= width ? ' ' : ''}${mark}`;
    return [...toGap(index), ...toCell(title, { width, token: name === by ? 'accent' : 'muted' })];
  });
}

function toGap(index: number): Line {
  return index === 0 ? [] : [{ text: ' '.repeat(GAP) }];
}

export interface RowStyle {
  readonly columns: readonly Column[];
  /** Whether the last load brought or changed it. */
  readonly isMarked: boolean;
  readonly ellipsis: string;
}

export function toRowLine(row: ListRow, { columns, isMarked, ellipsis }: RowStyle): Line {
  const base: Token | undefined = isMarked ? 'changed' : row.capability.deprecation === undefined ? undefined : 'muted';
  return columns.flatMap(({ name, width }, index) => [
    ...toGap(index),
    ...toCell(toText(row, name), { width, ellipsis, token: base ?? toToken(row, name), matches: toMatches(row, name) }),
  ]);
}

function toToken({ method, guards }: ListRow, name: ColumnName): Token | undefined {
  switch (name) {
    case 'method':
      return toMethodToken(method);
    case 'guards':
      return guards === 'public' ? 'muted' : 'warning';
    case 'intent':
    case 'about':
    case 'input':
      return 'muted';
    case 'key':
    case 'route':
    case 'note':
      return undefined;
  }
}

function toMatches({ key, found }: ListRow, name: ColumnName): readonly number[] {
  if (found === undefined) return [];
  if (name === 'key') return found.matches.filter((at) => at < key.length);
  return name === 'route' ? found.matches.map((at) => at - key.length - 1).filter((at) => at >= 0) : [];
}
