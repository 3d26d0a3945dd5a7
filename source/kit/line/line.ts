import { stripControl } from '../../terminal/control/strip-control.ts';
import { cutText, fitText, textWidth } from '../text/text-width.ts';
import type { Token } from '../theme/tokens.ts';

/** A part of a line in one style. */
export interface Segment {
  readonly text: string;
  readonly token?: Token | undefined;
}

/** One line of a table or list; cells are already as wide as their column. */
export type Line = readonly Segment[];

/** Cuts a line to `width` columns and fills it up. Foreign text loses its escape sequences, line feeds and tabs. */
export function fitLine(line: Line, width: number): Line {
  const fitted: Segment[] = [];
  let left = width;
  for (const { text, token } of line) {
    if (left <= 0) break;
    const clean = toOneLine(text);
    const cut = cutText(clean, left);
    fitted.push({ text: cut, token });
    left -= textWidth(cut);
    if (cut !== clean) break;
  }
  return left > 0 ? [...fitted, { text: ' '.repeat(left) }] : fitted;
}

/** A cell of exactly `width` columns. */
export function toCell(
  text: string,
  { width, token }: { readonly width: number; readonly token?: Token | undefined },
): Line {
  return [{ text: fitText(toOneLine(text), width), token }];
}

/** Splits a text at the letters that a filter found; indexes are UTF-16 units. */
export function markMatches(
  text: string,
  { token, matches }: { readonly token?: Token | undefined; readonly matches: readonly number[] },
): Line {
  const segments: Segment[] = [];
  let from = 0;
  for (let at = 0; at < matches.length; ) {
    const start = matches[at] ?? 0;
    let end = start + 1;
    while (matches[++at] === end) end++;
    if (start >= text.length) break;
    if (start > from) segments.push({ text: text.slice(from, start), token });
    segments.push({ text: text.slice(start, end), token: 'match' });
    from = end;
  }
  if (from < text.length) segments.push({ text: text.slice(from), token });
  return segments;
}

/** Columns that a line takes. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** The text of a line. */
export function toLineText(line: Line): string {
  return line.map(({ text }) => text).join('');
}

/** Marks the letters of a line that a filter found; indexes are those of its text. */
export function markLine(line: Line, matches: readonly number[]): Line {
  let start = 0;
  return line.flatMap(({ text, token }): Line => {
    const inside = matches.filter((at) => at >= start && at < start + text.length).map((at) => at - start);
    start += text.length;
    return inside.length === 0 ? [{ text, token }] : markMatches(text, { token, matches: inside });
  });
}

export function toOneLine(text: string): string {
  return /^[\u0020-\u007E]*$/.test(text) ? text : stripControl(text).replace(/[\n\t]+/g, ' ');
}
