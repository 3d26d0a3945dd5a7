import { type Line, toLineText } from './line.ts';

/** A line of a list, a group or a tree. */
export interface Row {
  /** Unique among all rows of a view; the same row after a reload has the same one. */
  readonly id: string;
  readonly line: Line | ((columns: number) => Line);
  readonly children?: readonly Row[];
  /** Spares asking for the children of a closed row, which may take time. @default whether there are any */
  readonly hasChildren?: boolean;
  /** Whether its children are shown until the user says otherwise. @default true */
  readonly isOpen?: boolean;
  /** The text that a filter searches. @default that of its line */
  readonly search?: string;
  /** All text in it and in the rows inside, in lower case: a filter passes by a row whose rows take time to make. */
  readonly allText?: string | undefined;
  /** The text that is copied; undefined where nothing is. */
  readonly copied?: string | undefined;
}

/** A row that is neither in a closed one nor hidden by a filter. */
export interface SeenRow<R extends Row> {
  readonly row: R;
  readonly depth: number;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
  /** Whether there is a place for the sign of what can be opened: where it or a sibling can, and inside others. */
  readonly hasSign: boolean;
  readonly parentId: string | undefined;
}

/** `toggled`: ids of the rows that are not as they were made: closed where open, open where closed. */
export function toSeenRows<R extends Row>(
  rows: readonly R[],
  toggled: ReadonlySet<string>,
): readonly SeenRow<R>[] {
  const seen: SeenRow<R>[] = [];
  const add = (siblings: readonly R[], depth: number, parentId: string | undefined): void => {
    const hasSign = depth > 0 || siblings.some(hasRowsInside);
    for (const row of siblings) {
      const isOpen = (row.isOpen ?? true) !== toggled.has(row.id);
      const hasChildren = hasRowsInside(row);
      seen.push({ row, depth, hasChildren, isOpen, hasSign, parentId });
      if (isOpen && hasChildren) add((row.children ?? []) as readonly R[], depth + 1, row.id);
    }
  };
  add(rows, 0, undefined);
  return seen;
}

function hasRowsInside({ hasChildren, children }: Row): boolean {
  return hasChildren ?? (children !== undefined && children.length > 0);
}

export function toRowLine({ line }: Row, columns: number): Line {
  return typeof line === 'function' ? line(columns) : line;
}

/** Rows and those inside, as lines to read. */
export function toRowLines(rows: readonly Row[], depth = 0): readonly Line[] {
  return rows.flatMap((row): readonly Line[] => [
    [{ text: '  '.repeat(depth) }, ...toRowLine(row, Number.POSITIVE_INFINITY)],
    ...toRowLines(row.children ?? [], depth + 1),
  ]);
}

/**
 * The rows that have all words of a query, in their own text and in that of the rows around them, with those around
 * them, which stand open. Where there are none, those whose words begin with its letters: `creord` finds `createOrder`.
 * An empty query finds all.
 */
export function filterRows<R extends Row>(rows: readonly R[], query: string): readonly R[] {
  const words = toFilterWords(query);
  if (words.length === 0) return rows;
  const found = filterByWords(rows, words);
  return found.length > 0 ? found : filterByLetters(rows, words.join(''));
}

function filterByLetters<R extends Row>(rows: readonly R[], letters: string): readonly R[] {
  return rows.flatMap((row) => {
    // Rows that are made when they are looked at are not made for this.
    const children = row.hasChildren === undefined ? (row.children ?? []) : [];
    const inside = filterByLetters(children, letters);
    if (inside.length > 0) return [withOverrides(row, { children: inside, isOpen: true }) as R];
    return beginsWords(toSearchText(row), letters) ? [row] : [];
  });
}

/** Whether letters are the beginnings of some words of a text, in their order. */
function beginsWords(text: string, letters: string): boolean {
  const words = text
    .split(/[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u)
    .slice(0, MAX_WORDS)
    .map((word) => word.toLowerCase());
  // The numbers of letters that the words until now may have taken.
  let taken = new Set([0]);
  for (const word of words) {
    const next = new Set(taken);
    for (const count of taken)
      for (let length = 1; word.startsWith(letters.slice(count, count + length)); length += 1) {
        next.add(count + length);
        if (count + length >= letters.length) break;
      }
    taken = next;
  }
  return taken.has(letters.length);
}

/** Words of a row that are compared letter by letter: those of a long text would begin with any letters. */
const MAX_WORDS = 20;

function toSearchText(row: Row): string {
  return row.search ?? toLineText(toRowLine(row, Number.POSITIVE_INFINITY));
}

function filterByWords<R extends Row>(rows: readonly R[], words: readonly string[]): readonly R[] {
  const keep = (siblings: readonly Row[], missing: readonly string[]): readonly Row[] =>
    siblings.flatMap((row): readonly Row[] => {
      const text = toSearchText(row).toLowerCase();
      const rest = missing.filter((word) => !text.includes(word));
      const isFound = rest.length === 0 && words.some((word) => text.includes(word));
      // Rows that are made when they are looked at are not searched for more of what was found.
      const isEnough = isFound && row.hasChildren !== undefined;
      const { allText } = row;
      const isPassed = allText !== undefined && !rest.every((word) => mayContain(allText, word));
      const inside = isEnough || isPassed ? [] : keep(row.children ?? [], rest);
      if (inside.length > 0) return [withOverrides(row, { children: inside, isOpen: true })];
      if (!isFound) return [];
      return row.hasChildren === undefined && row.children === undefined
        ? [row]
        : [withOverrides(row, { isOpen: false })];
    });
  return keep(rows, words) as readonly R[];
}

/** A line has other signs around its words than the text that it stands for. */
function mayContain(allText: string, word: string): boolean {
  return word.split(/[^\p{L}\p{N}]+/u).every((part) => allText.includes(part));
}

/**
 * The same row with other values of some properties. It inherits the rest, so that a getter, which makes a part of a
 * row when it is looked at, runs only then; a spread would run all of them.
 */
export function withOverrides(row: Row, changes: Partial<Row>): Row {
  const properties = Object.entries(changes).map(
    ([name, value]) => [name, { value, enumerable: true }] as const,
  );
  return Object.create(row, Object.fromEntries(properties)) as Row;
}

/** The number of rows without others inside; what is made when looked at and closed counts as one. */
export function countRows(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => {
    const isOne = row.hasChildren !== undefined && row.isOpen === false;
    return sum + (!isOne && row.children?.length ? countRows(row.children) : 1);
  }, 0);
}

export function toFilterWords(query: string): readonly string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** The most rows that are opened at once: each costs a little with every key. */
const MAX_OPENED = 3000;

/** Opens all rows, of many the first. */
export function openAll(rows: readonly Row[], toggled: ReadonlySet<string>): ReadonlySet<string> {
  const next = new Set(toggled);
  let left = MAX_OPENED;
  const visit = (row: Row): void => {
    if (left-- <= 0) return;
    if (row.isOpen ?? true) next.delete(row.id);
    else next.add(row.id);
    row.children?.forEach(visit);
  };
  rows.forEach(visit);
  return next;
}

/** Closes what is open; the rows in a closed one stay as they are. */
export function closeAll(seen: readonly SeenRow<Row>[]): ReadonlySet<string> {
  const closed = seen.filter(({ row, hasChildren }) => hasChildren && (row.isOpen ?? true));
  return new Set(closed.map(({ row }) => row.id));
}

/** Opens the rows of these ids, each in the one before it. */
export function openPath(
  rows: readonly Row[],
  toggled: ReadonlySet<string>,
  ids: ReadonlySet<string>,
): ReadonlySet<string> {
  const next = new Set(toggled);
  let row = rows.find(({ id }) => ids.has(id));
  while (row !== undefined) {
    if (row.isOpen ?? true) next.delete(row.id);
    else next.add(row.id);
    row = row.children?.find(({ id }) => ids.has(id));
  }
  return next;
}

export function toggleRow(toggled: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(toggled);
  if (!next.delete(id)) next.add(id);
  return next;
}
