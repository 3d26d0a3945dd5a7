import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';

interface Place {
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** TypeScript that cannot be compiled. Its stack names the place as the only frame. */
export class CompileError extends SyntaxError {
  readonly code = 'ERR_COMPILE';
  /** `/shop/src/a.ts:3:9` */
  readonly place: string;

  constructor(message: string, file: string, { line, column }: Place) {
    super(message);
    this.place = `${file}:${line}:${column}`;
    this.stack = `SyntaxError: ${message}\n    at ${this.place}`;
  }
}

/** `drawn`: the report of swc, with the lines of the code, in the signs and colours that suit the terminal. */
export function toDrawnError(file: string, text: string, drawn: string): CompileError {
  const report = stripVTControlCharacters(drawn);
  const message = /^\s*(?:[x×]\s+)?(.*\S)/.exec(report)?.[1] ?? report;
  const line = Number(/[-─]\[.*:(\d+):\d+\]/.exec(report)?.[1] ?? 1);
  const drawing = new RegExp(`\\n +${line} [|│].*\\n +[:·] ( *)\\S`);
  const mark = drawing.exec(report)?.[1];
  const place = mark === undefined ? toEnd(text) : toMarked(text, line, mark.length);
  return new CompileError(message, file, place);
}

/**
 * What Node says of TypeScript that it cannot strip: the line, some of the code, and a mark below it, or a `>` before
 * the lines of what takes several.
 */
export function toStripError(file: string, text: string, error: Error): CompileError {
  const [first = '', ...drawing] = (error.stack ?? '').split('\n');
  const line = Number(/:(\d+)$/.exec(first)?.[1] ?? 1);
  const mark = drawing.find((each) => /^\s*\^+$/.test(each));
  const from = drawing.find((each) => each.startsWith('  > '));
  const indent = mark ?? from?.slice('  > '.length);
  const place = indent === undefined ? toEnd(text) : toMarked(text, line, indent.search(/\S/));
  return new CompileError(toStripMessage(error.message, file), file, place);
}

const INSTALL = 'To have it compiled: npm install --save-dev @swc/core';

function toStripMessage(message: string, file: string): string {
  const construct = /^TypeScript (.+) is not supported in strip-only mode$/.exec(message)?.[1];
  if (construct !== undefined)
    return `Node removes types and compiles nothing, and this is more than types (${construct}). ${INSTALL}`;
  return file.endsWith('x') ? `${message}. Node reads no JSX. ${INSTALL}` : message;
}

/** Where nothing is marked, the text ends too early. */
function toEnd(text: string): Place {
  const lines = text.trimEnd().split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** The place, in its line, of what is drawn at so many columns of a terminal from the left. */
function toMarked(text: string, line: number, width: number): Place {
  const code = text.split('\n')[line - 1] ?? '';
  let column = 0;
  while (
    column < code.length &&
    stringWidth(code.slice(0, column).replaceAll('\t', '    ')) < width
  )
    column += 1;
  return { line, column: column + 1 };
}
