import { stripControl } from '../terminal/strip-control.ts';
import { once } from '../values/once.ts';
import { type Line, type Segment, toLineText } from './line.ts';
import type { Row } from './row.ts';
import { cutLong, textWidth, wrapText } from './text.ts';

/** Below this depth nodes are closed. */
const OPEN_DEPTH = 5;
/** The entries of one list or object that are drawn. */
const MAX_ENTRIES = 1000;
/** The entries in all that are open from the start: the rest is closed. */
const OPEN_ENTRIES = 3000;
/** A longer text is cut in its line; copying gives all of it. */
const MAX_TEXT = 300;

/** A text as its line has it. */
export function toShortText(text: string): string {
  return text.length > MAX_TEXT ? `${cutLong(text, MAX_TEXT)}…` : text;
}

/** A row of a JSON value. */
export interface JsonRow extends Row {
  readonly line: Line;
  readonly children?: readonly JsonRow[];
}

/**
 * A JSON value as rows. Foreign text in it loses its escape sequences where it is drawn. A text wider than `columns`,
 * or of several lines, can be opened, and its lines stand below; without `columns` it is cut. `id`: that of the whole,
 * unique in its view.
 */
export function toJsonRows(
  value: unknown,
  { columns, id = '$' }: Partial<Pick<Place, 'columns' | 'id'>> = {},
): readonly JsonRow[] {
  return [toNode(value, { name: '', id, depth: 0, columns, budget: { left: OPEN_ENTRIES } })];
}

interface Place {
  readonly name: string;
  readonly id: string;
  readonly depth: number;
  readonly columns: number | undefined;
  /** Shared by the whole tree. */
  readonly budget: { left: number };
}

function toNode(value: unknown, { name, id, depth, columns, budget }: Place): JsonRow {
  const label: Line = name === '' ? [] : [{ text: `${name}: ` }];
  if (typeof value !== 'object' || value === null) {
    const leaf = {
      id,
      line: [...label, toScalar(value)],
      copied: JSON.stringify(value, undefined, 2),
    };
    return typeof value === 'string' && columns !== undefined
      ? toTextNode(leaf, value, columns - depth * 2)
      : leaf;
  }
  const entries = Object.entries(value);
  const cut = entries.length > MAX_ENTRIES ? `  the first ${MAX_ENTRIES} are shown` : '';
  const size = (Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`) + cut;
  const isOpen = depth < OPEN_DEPTH && budget.left > 0;
  budget.left -= Math.min(entries.length, MAX_ENTRIES);
  // Made when they are looked at: an answer can be large.
  const children = once(() => [
    ...entries
      .slice(0, MAX_ENTRIES)
      .map(([key, child]) =>
        toNode(child, { name: key, id: `${id}/${key}`, depth: depth + 1, columns, budget }),
      ),
    ...toRest(entries.length - MAX_ENTRIES, id),
  ]);
  return {
    id,
    line: [...label, { text: size, token: 'muted' }],
    isOpen,
    hasChildren: entries.length > 0,
    get children() {
      return children();
    },
    get copied() {
      return JSON.stringify(value, undefined, 2);
    },
  };
}

/** Says what of a long list is not drawn. */
function toRest(count: number, id: string): readonly JsonRow[] {
  if (count <= 0) return [];
  return [
    {
      id: `${id}…`,
      line: [{ text: `… and ${count} more, which the pager shows`, token: 'warning' }],
    },
  ];
}

/** A text that does not fit into its line has all of its lines inside, closed. */
function toTextNode(leaf: JsonRow, text: string, columns: number): JsonRow {
  if (!text.includes('\n') && textWidth(toLineText(leaf.line)) <= columns) return leaf;
  const toLines = () => wrapText(stripControl(text), Math.max(MIN_TEXT, columns - 4));
  const children = once(() => toTextRows(leaf, toLines()));
  return {
    ...leaf,
    isOpen: false,
    hasChildren: true,
    get children() {
      return children();
    },
  };
}

function toTextRows(leaf: JsonRow, lines: readonly string[]): readonly JsonRow[] {
  return lines.map((line, index) => ({
    id: `${leaf.id} ${index}`,
    line: [{ text: line, token: 'string' }],
    copied: leaf.copied,
  }));
}

/** Columns that a text has at least. */
const MIN_TEXT = 20;

/** A value that has none inside, as a part of a line. */
export function toScalar(value: unknown): Segment {
  if (typeof value === 'string')
    return { text: toShortText(JSON.stringify(value)), token: 'string' };
  return { text: String(value), token: typeof value === 'number' ? 'number' : 'keyword' };
}
