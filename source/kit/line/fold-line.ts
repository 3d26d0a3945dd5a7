import { textWidth, toCharacters } from '../text/text-width.ts';
import { type Line, type Segment, toOneLine } from './line.ts';

/** Breaks a line at the columns where a row ends, wherever that is in a word. The rows below the first begin with `indent` blanks. */
export function foldLine(line: Line, { columns, indent }: { readonly columns: number; readonly indent: number }) {
  let row: Segment[] = [];
  const rows: Line[] = [row];
  let left = columns;
  for (const { text, token } of line) {
    let part = '';
    for (const character of toCharacters(toOneLine(text))) {
      const width = textWidth(character);
      if (width > left) {
        row.push({ text: part, token });
        row = [{ text: ' '.repeat(indent) }];
        rows.push(row);
        [part, left] = ['', columns - indent];
      }
      part += character;
      left -= width;
    }
    row.push({ text: part, token });
  }
  return rows;
}

/** A line without its first columns; half of a wide character becomes a blank. */
export function skipColumns(line: Line, columns: number): Line {
  let left = columns;
  return line.map(({ text, token }) => {
    if (left <= 0) return { text, token };
    const characters = toCharacters(toOneLine(text));
    let start = 0;
    while (start < characters.length && left > 0) left -= textWidth(characters[start++] ?? '');
    return { text: ' '.repeat(Math.max(0, -left)) + characters.slice(start).join(''), token };
  });
}
