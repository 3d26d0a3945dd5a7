import type { Line } from '../../kit/line/line.ts';
import { wrapLine } from '../../kit/line/wrap-line.ts';

export interface AlarmLinesOptions {
  readonly columns: number;
  /** The number of lines that there may be, at least 2. */
  readonly rows: number;
  /** Stands before each sentence. */
  readonly symbol: string;
}

/** The sentences of the contract alarm, wrapped; those that have no room are counted in the last line. */
export function toAlarmLines(alarm: readonly string[], { columns, rows, symbol }: AlarmLinesOptions): readonly Line[] {
  const sentences = alarm.map((text) =>
    wrapLine(
      [
        { text: ` ${symbol} `, token: 'warning' },
        { text, token: 'warning' },
      ],
      columns,
    ),
  );
  const all = sentences.flat();
  if (all.length <= rows) return all;
  const shown: Line[] = [];
  let count = 0;
  for (const lines of sentences) {
    if (count > 0 && shown.length + lines.length > rows - 1) break;
    shown.push(...lines);
    count += 1;
  }
  const left = alarm.length - count;
  const cut = shown.slice(0, left === 0 ? rows : rows - 1);
  return left === 0 ? cut : [...cut, [{ text: `   and ${left} more`, token: 'warning' }]];
}
