import { textWidth, wrapText } from '../text/text-width.ts';
import type { Line } from './line.ts';

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
