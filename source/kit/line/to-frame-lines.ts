import { stripControl } from '../../terminal/control/strip-control.ts';
import { textWidth, toCharacters } from '../text/text-width.ts';
import type { Line } from './line.ts';

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
