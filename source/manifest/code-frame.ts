import { readFileSync } from 'node:fs';
import stringWidth from 'string-width';
import { stripControl } from '../terminal/strip-control.ts';
import { attempt } from '../values/attempt.ts';

interface CodeFrameOptions {
  /** The whole file. */
  readonly text: string;
  /** The line, counted from 1. */
  readonly line: number;
  /** The column from 1, in UTF-16 units; undefined marks the whole line. */
  readonly column?: number | undefined;
  /** The number of characters to underline. @default 1 */
  readonly length?: number | undefined;
}

/**
 * Shows a place in a file with two lines around it, free of escape sequences:
 *
 *         1 | import { cap } from './context.ts';
 *         2 |
 *       > 3 | export const = 5;
 *           |              ^
 *         4 |
 */
export function toCodeFrame({ text, line, column, length = 1 }: CodeFrameOptions): string {
  const lines = stripControl(text).split('\n');
  const first = Math.max(1, line - 2);
  const last = Math.min(lines.length, line + 2);
  const width = String(last).length;
  const shown = lines.slice(first - 1, last).map((text) => text.slice(0, MAX_LINE_LENGTH));
  const frame = shown.flatMap((code, index) => {
    const at = first + index;
    const row = `  ${at === line ? '>' : ' '} ${String(at).padStart(width)} | ${code}`.trimEnd();
    if (at !== line || column === undefined) return [row];
    return [row, `    ${' '.repeat(width)} | ${toMarker(code, column, length)}`];
  });
  return frame.join('\n');
}

const MAX_LINE_LENGTH = 200;

/** Keeps the tabs of the line and the width of its characters, so that the marker stands below its code. */
function toMarker(line: string, column: number, length: number): string {
  const before = line.slice(0, column - 1).split('\t');
  const blank = before.map((part) => ' '.repeat(stringWidth(part))).join('\t');
  return blank + '^'.repeat(Math.max(1, Math.min(length, line.length - column + 1)));
}

/** The lines around a place in a file; undefined where it cannot be read. */
export function findCodeFrame({
  file,
  ...place
}: Omit<CodeFrameOptions, 'text'> & { readonly file: string }): string | undefined {
  const text = readSourceText(file);
  return text === '' ? undefined : toCodeFrame({ ...place, text });
}

/** The text of a file; empty where it cannot be read, since a place in it is a help and nothing waits for it. */
export function readSourceText(file: string): string {
  return attempt(() => readFileSync(file, 'utf8')) ?? '';
}
