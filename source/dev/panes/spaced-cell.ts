import { type Line, toCell } from '../../kit/line/line.ts';
import { textWidth } from '../../kit/text/text-width.ts';
import type { Token } from '../../kit/theme/tokens.ts';

/** Columns of the method, and of a time, with the space to the next column. */
export const METHOD = 7;
export const TIME = 8;

/** Narrower, the capability says nothing. */
export const MIN_KEY = 14;

/** Columns of the longest text, with the space to the next column. */
export function toLongest(texts: readonly string[]): number {
  return Math.max(4, ...texts.map(textWidth)) + 2;
}

/** A cell with at least two blanks at its end; nothing where it has no width. */
export function toSpacedCell(
  text: string,
  { width, token }: { readonly width: number; readonly token: Token | undefined },
): Line {
  return width < 3 ? [] : [...toCell(text, { width: width - 2, token }), { text: '  ' }];
}
