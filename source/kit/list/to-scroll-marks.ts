import { signs } from '../theme/tokens.ts';

/** Columns that the scroll mark of a view takes at its right: a gap, and the mark. */
export const SCROLL_COLUMNS = 2;

/** Columns before the line of a row in a list: the pointer, and the mark of a change. */
export const ROW_MARKS = 2;

/** Columns that the line of a row has in a list of `columns`, also where there are so many rows that it scrolls. */
export function toRowColumns(columns: number): number {
  return columns - ROW_MARKS - SCROLL_COLUMNS;
}

/** The part of many lines that a view shows. */
export interface ScrollPlace {
  /** All lines, of which `rows` are seen from `offset` on. */
  readonly total: number;
  readonly rows: number;
  readonly offset: number;
  /** Rows on the screen, where a line may take more than one. @default `rows` */
  readonly height?: number;
}

/** The end of each row of a view with more lines than rows: a mark where the window is; empty without more. */
export function toScrollMarks({ total, rows, offset, height = rows }: ScrollPlace): readonly string[] {
  if (total <= rows) return [];
  const size = Math.max(1, Math.round((height * rows) / total));
  const from = Math.round((offset / Math.max(1, total - rows)) * (height - size));
  return Array.from({ length: height }, (_, row) => (row >= from && row < from + size ? ` ${signs.thumb}` : '  '));
}
