import { type StyledChar, styledCharsFromTokens, styledCharsToString, tokenize } from './ansi-tokenize.ts';
import { remember } from './remember.ts';
import stringWidth from './string-width.ts';

// Stands in for `output.js` where Ink imports it, which lays out every character of the window for each frame. A key changes a few rows: the
// others are remembered.

/** The part of the window that is drawn in; undefined sides are open. Columns `x1` to `x2`, rows `y1` to `y2`, without the last. */
interface Clip {
  readonly x1?: number | undefined;
  readonly x2?: number | undefined;
  readonly y1?: number | undefined;
  readonly y2?: number | undefined;
}

interface WriteOptions {
  /** Style a line: its text, and its index in what is written. */
  readonly transformers: readonly ((line: string, index: number) => string)[];
}

/** A line that is drawn into a row at column `x`, from column `from` to before `to`. */
interface Piece {
  readonly x: number;
  readonly from: number;
  readonly to: number;
  readonly line: string;
}

/** A frame that is drawn: texts at their places, the later over the earlier. */
export default class Output {
  readonly #width: number;
  readonly #rows: readonly Piece[][];
  readonly #clips: Clip[] = [];

  /** Columns and rows. */
  constructor({ width, height }: { readonly width: number; readonly height: number }) {
    this.#width = width;
    this.#rows = Array.from({ length: height }, () => []);
  }

  write(...[x, y, text, { transformers }]: readonly [x: number, y: number, text: string, options: WriteOptions]): void {
    if (text === '') return;
    const { x1 = -Infinity, x2 = Infinity, y1 = -Infinity, y2 = Infinity } = this.#clips.at(-1) ?? {};
    const top = Math.max(0, y1 - y);
    text
      .split('\n')
      .slice(top, Math.max(0, y2 - y))
      .forEach((part, index) => {
        const line = transformers.reduce((styled, transform) => transform(styled, index), part);
        if (line !== '') this.#rows[y + top + index]?.push({ x, from: x1, to: x2, line });
      });
  }

  clip(clip: Clip): void {
    this.#clips.push(clip);
  }

  unclip(): void {
    this.#clips.pop();
  }

  get(): { readonly output: string; readonly height: number } {
    const rows = this.#rows.map((pieces) => toRow(toName(pieces, this.#width), pieces, this.#width));
    return { output: rows.join('\n'), height: rows.length };
  }
}

/** The same only for the same row: no line has a line feed. */
function toName(pieces: readonly Piece[], width: number): string {
  return pieces.reduce((name, { x, from, to, line }) => `${name}${x} ${from} ${to} ${line}\n`, `${width}\n`);
}

const blank: StyledChar = { type: 'char', value: ' ', fullWidth: false, styles: [] };

const toRow = remember((_name, pieces: readonly Piece[], width: number): string => {
  const cells = Array.from({ length: width }, () => blank);
  for (const piece of pieces) draw(cells, piece);
  // A piece may begin after the end of the row.
  return styledCharsToString(cells.filter((cell) => (cell as StyledChar | undefined) !== undefined)).trimEnd();
});

/** A wide character takes the cell after it, too, which is empty. Where half of one is drawn over, the other half becomes a blank. */
function draw(cells: StyledChar[], { x, from, to, line }: Piece): void {
  const characters = styledCharsFromTokens(tokenize(line));
  if (characters.length === 0) return;
  let column = x;
  let isFirst = true;
  for (const character of characters) {
    const width = Math.max(1, stringWidth(character.value));
    if (column >= from && column + width <= to) {
      const before = cells[column - 1];
      if (isFirst && cells[column]?.value === '' && before !== undefined && stringWidth(before.value) > 1)
        cells[column - 1] = blank;
      isFirst = false;
      cells[column] = character;
      for (let next = 1; next < width; next++) cells[column + next] = { ...blank, value: '', styles: character.styles };
    }
    column += width;
  }
  if (cells[column]?.value === '') cells[column] = blank;
}
