import { stripControl } from '../terminal/strip-control.ts';
import { cutText, fitText, textWidth, toCharacters, wrapText } from './text.ts';
import type { Token } from './theme.ts';

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

/** A text as lines of at most `width` columns each. It loses its escape sequences. */
export function toTextLines(text: string, width: number, token?: Token): readonly Line[] {
  return wrapText(stripControl(text), width).map((part) => [{ text: part, token }]);
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

/** Room that a wrapped text has at least, columns. */
const MIN_ROOM = 10;

/** Breaks the last part of a line wider than `columns`; the rest stands under where its text begins. */
export function wrapLine(line: Line, columns: number): readonly Line[] {
  const last = line.at(-1);
  if (last === undefined) return [line];
  const before = line.slice(0, -1);
  const width = textWidth(before.map(({ text }) => text).join('')) + last.text.search(/\S|$/);
  const indent = columns - width < MIN_ROOM ? 2 : width;
  const [first = '', ...more] = wrapText(last.text.trimStart(), columns - Math.max(width, indent));
  return [
    [...before, { ...last, text: last.text.slice(0, last.text.search(/\S|$/)) + first }],
    ...more.map((text): Line => [{ text: ' '.repeat(indent) }, { ...last, text }]),
  ];
}

/** A value as indented JSON, a line each; undefined where there is none. */
export function toJsonLines(value: unknown): readonly Line[] | undefined {
  if (value === undefined) return undefined;
  return JSON.stringify(value, undefined, 2)
    .split('\n')
    .map((line): Line => {
      const [, before = '', name = '', rest = line] = /^(\s*)("(?:[^"\\]|\\.)*": )?(.*)$/.exec(line) ?? [];
      return [{ text: `  ${before}` }, { text: name, token: 'muted' }, { text: rest, token: toValueToken(rest) }];
    });
}

function toValueToken(text: string): 'string' | 'number' | 'keyword' | undefined {
  if (text.startsWith('"')) return 'string';
  if (/^-?\d/.test(text)) return 'number';
  return /^(true|false|null)/.test(text) ? 'keyword' : undefined;
}

/** A line of a frame: its number, and the code or the mark below it. */
interface FrameLine {
  readonly gutter: string;
  readonly code: string;
}

/**
 * The lines of a code frame (`  > 3 | code`): numbers in the background, the place and its mark in front. Where the
 * mark would be to the right of `columns`, all lines begin further to the right.
 */
export function toFrameLines(frame: string, columns: number): readonly Line[] {
  const lines = frame.split('\n').map(parseFrameLine);
  const mark = lines.find(isMark);
  const room = columns - (mark?.gutter.length ?? 0);
  const at = mark?.code.indexOf('^') ?? 0;
  const from = at < room ? 0 : at - Math.floor(room / 2);
  return lines.map((line): Line => {
    const { gutter, code } = line;
    if (gutter === '') return [{ text: code }];
    const isPlace = gutter.includes('>');
    if (isMark(line))
      return [
        { text: gutter, token: 'muted' },
        { text: code.slice(from, from + room), token: 'danger' },
      ];
    return [
      { text: gutter, token: isPlace ? 'danger' : 'muted' },
      { text: from === 0 ? code : toRest(code, from), token: isPlace ? 'title' : 'muted' },
    ];
  });
}

function parseFrameLine(text: string): FrameLine {
  const clean = stripControl(text).replaceAll('\t', '  ');
  const [, gutter = '', code = clean] = /^(\s*>?\s*\d*\s*\|)(.*)$/.exec(clean) ?? [];
  return { gutter, code };
}

function isMark({ gutter, code }: FrameLine): boolean {
  return gutter !== '' && /^\s*\^+\s*$/.test(code);
}

/** A line of code without its first `columns`, the ellipsis in place of the next; empty where it is shorter. */
function toRest(code: string, columns: number): string {
  const characters = toCharacters(code);
  let at = 0;
  const start = characters.findIndex((character) => {
    if (at > columns) return true;
    at += textWidth(character);
    return false;
  });
  return start === -1 ? '' : `…${' '.repeat(at - columns - 1)}${characters.slice(start).join('')}`;
}
