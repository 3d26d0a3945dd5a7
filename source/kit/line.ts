import { stripControl } from '../terminal/strip-control.ts';
import { escapePattern } from '../values/pattern.ts';
import { cutText, fitText, textWidth, wrapText } from './text.ts';
import type { Token } from './theme.ts';

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

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + textWidth(text), 0);
}

export function toLineText(line: Line): string {
  return line.map(({ text }) => text).join('');
}

/** Marks where a line has the words of a query. */
export function markWords(line: Line, words: readonly string[]): Line {
  if (words.length === 0) return line;
  const pattern = new RegExp(`(${words.map((word) => escapePattern(word)).join('|')})`, 'i');
  return line.flatMap(({ text, token }) =>
    text
      .split(pattern)
      .map((part, index): Segment => ({ text: part, token: index % 2 === 1 ? 'match' : token })),
  );
}

export function toOneLine(text: string): string {
  return /^[\u0020-\u007E]*$/.test(text)
    ? text
    : stripControl(text).replace(/[\n\t\u2028\u2029]+/g, ' ');
}

/**
 * A name of others at the beginning of a line. In quotes where a build would take the line for a command (`::error::`),
 * or a reader for one of ours (`[capix]`).
 */
export function toFirstWord(text: string): string {
  const word = toOneLine(text).trimStart();
  return /^(?:::|##\[|\[)/.test(word) ? JSON.stringify(word) : word;
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
      const { before = '', name = '', rest = line } = JSON_LINE.exec(line)?.groups ?? {};
      return [
        { text: `  ${before}` },
        { text: name, token: 'muted' },
        { text: rest, token: toValueToken(rest) },
      ];
    });
}

const JSON_LINE = /^(?<before>\s*)(?<name>"(?:[^"\\]|\\.)*": )?(?<rest>.*)$/;

function toValueToken(text: string): 'string' | 'number' | 'keyword' | undefined {
  if (text.startsWith('"')) return 'string';
  if (/^-?\d/.test(text)) return 'number';
  return /^(true|false|null)/.test(text) ? 'keyword' : undefined;
}

/** The lines of a code frame (`  > 3 | code`): numbers in the background, the place and its mark in front. */
export function toFrameLines(frame: string): readonly Line[] {
  return frame.split('\n').map((text): Line => {
    const clean = stripControl(text).replaceAll('\t', '  ');
    const { gutter = '', code = clean } =
      /^(?<gutter>\s*>?\s*\d*\s*\|)(?<code>.*)$/.exec(clean)?.groups ?? {};
    if (gutter === '') return [{ text: code }];
    if (gutter.includes('>'))
      return [
        { text: gutter, token: 'danger' },
        { text: code, token: 'title' },
      ];
    const isMark = /^\s*\^+\s*$/.test(code);
    return [
      { text: gutter, token: 'muted' },
      { text: code, token: isMark ? 'danger' : 'muted' },
    ];
  });
}
