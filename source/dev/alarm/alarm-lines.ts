import { type Line, wrapLine } from '../../kit/line.ts';
import { signs } from '../../kit/theme.ts';

/** The contract alarm as it is shown. */
export interface AlarmView {
  readonly sentences: readonly string[];
  readonly acceptedCount: number;
  /** Whether the sentences are only counted. */
  readonly isFolded: boolean;
}

export interface AlarmLinesOptions {
  readonly columns: number;
  /** The number of lines that there may be, at least 3. */
  readonly rows: number;
}

/** The sentences of the contract alarm, or their number; and the number of those that were accepted. */
export function toAlarmLines(
  { sentences, acceptedCount, isFolded }: AlarmView,
  { columns, rows }: AlarmLinesOptions,
): readonly Line[] {
  const accepted: readonly Line[] =
    acceptedCount === 0
      ? []
      : [[{ text: ` ${signs.tick} ${toCount(acceptedCount)} accepted until the next commit`, token: 'muted' }]];
  const told = isFolded ? toFolded(sentences) : toSentenceLines(sentences, { columns, rows: rows - accepted.length });
  return [...told, ...accepted];
}

function toCount(count: number): string {
  return count === 1 ? '1 change that breaks callers' : `${count} changes that break callers`;
}

function toFolded({ length }: readonly string[]): readonly Line[] {
  return length === 0 ? [] : [[{ text: ` ${signs.warning} ${signs.closed} ${toCount(length)}`, token: 'warning' }]];
}

/** The sentences, wrapped; those that have no room are counted in the last line. */
function toSentenceLines(alarm: readonly string[], { columns, rows }: AlarmLinesOptions): readonly Line[] {
  const sentences = alarm.map((text) =>
    wrapLine(
      [
        { text: ` ${signs.warning} `, token: 'warning' },
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
  const cut = toCut(shown, { columns, rows: left === 0 ? rows : rows - 1 });
  return left === 0 ? cut : [...cut, [{ text: `   and ${left} more`, token: 'warning' }]];
}

/** The lines that have room; the last one says that its sentence goes on. */
function toCut(lines: readonly Line[], { columns, rows }: AlarmLinesOptions): readonly Line[] {
  const last = lines[rows - 1];
  if (lines.length <= rows || last === undefined) return lines.slice(0, rows);
  const [start = []] = wrapLine(last, columns - 2);
  return [...lines.slice(0, rows - 1), [...start, { text: ' …', token: 'warning' }]];
}
