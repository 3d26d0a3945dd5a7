import type { LogBuffer, LogLine } from './log-buffer.ts';
import { isAtLeast, type LogEntry, type LogLevel, parseLogLine } from './parse-log-line.ts';

/** The view of the log. */
export interface LogView {
  /** Text that a line must have; case does not matter. */
  readonly filter: string;
  readonly level: LogLevel;
  /** The line that is selected while the newest are not followed. */
  readonly cursor: LogCursor | undefined;
}

export interface LogCursor {
  readonly id: number;
  /** Id of the first line of the window; it moves no further than the cursor needs. */
  readonly topId: number;
}

export const followAll: LogView = { filter: '', level: 'trace', cursor: undefined };

const shownLevels = ['trace', 'info', 'warn', 'error'] as const satisfies readonly LogLevel[];

/** All, from info on, from warnings on, errors only, and all again. */
export function toNextLevel(level: LogLevel): LogLevel {
  const index = shownLevels.findIndex((shown) => shown === level);
  return shownLevels[(index + 1) % shownLevels.length] ?? 'trace';
}

/** The lines of a window. */
export interface LogWindow {
  readonly lines: readonly LogLine[];
  /** The number of lines that the filter lets through. */
  readonly count: number;
  /** Index of the selected line among those: of the newest while they are followed; -1 where there is none. */
  readonly selected: number;
  /** Index of the first line of the window. */
  readonly top: number;
}

/** Finds the lines to draw. Without a filter it costs what the window shows. */
export function toLogWindow(logs: LogBuffer, view: LogView, rows: number): LogWindow {
  return toWindow(toSource(logs, view), view, rows);
}

/** Moves the selection by lines; at the newest it follows again. */
export function moveLog(
  logs: LogBuffer,
  view: LogView,
  { by, rows }: { readonly by: number; readonly rows: number },
): LogView {
  const source = toSource(logs, view);
  const { selected } = toWindow(source, view, rows);
  if (by > 0 && selected + by >= source.count - 1) return { ...view, cursor: undefined };
  return toSelected(source, view, { index: Math.max(0, selected + by), rows });
}

/** Holds the window as it is, with its last line selected. */
export function holdLog(logs: LogBuffer, view: LogView, rows: number): LogView {
  const source = toSource(logs, view);
  return toSelected(source, view, { index: source.count - 1, rows });
}

interface LogSource {
  readonly count: number;
  readonly at: (index: number) => LogLine | undefined;
}

function toSource(logs: LogBuffer, { filter, level }: LogView): LogSource {
  if (filter === '' && level === 'trace') return { count: logs.size, at: (index) => logs.at(index) };
  const wanted = filter.toLowerCase();
  const lines = logs.filter((line) => {
    const entry = toSearchable(line);
    return entry.text.includes(wanted) && (level === 'trace' || isAtLeast(entry.level, level));
  });
  return { count: lines.length, at: (index) => lines[index] };
}

function toWindow({ count, at }: LogSource, { cursor }: LogView, rows: number): LogWindow {
  const lastTop = Math.max(0, count - rows);
  const selected = cursor === undefined ? count - 1 : findIndex({ count, at }, cursor.id);
  const held = cursor === undefined ? lastTop : findIndex({ count, at }, cursor.topId);
  const top = Math.max(0, Math.min(Math.max(held, selected - rows + 1), selected, lastTop));
  const lines = Array.from({ length: Math.min(rows, count) }, (_, row) => at(top + row)).filter(
    (line) => line !== undefined,
  );
  return { lines, count, selected, top };
}

function toSelected(
  source: LogSource,
  view: LogView,
  { index, rows }: { readonly index: number; readonly rows: number },
): LogView {
  const id = source.at(index)?.id;
  if (id === undefined) return view;
  const before = toWindow(source, view, rows);
  const held = { ...view, cursor: { id, topId: source.at(before.top)?.id ?? id } };
  return { ...held, cursor: { id, topId: source.at(toWindow(source, held, rows).top)?.id ?? id } };
}

/** Ids grow, so a line that is gone is replaced by the next one that is there. */
function findIndex({ count, at }: LogSource, id: number): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at(middle)?.id ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface SearchableLine {
  readonly level: LogLevel;
  /** The text that is shown of it and of its stack, in lower case. */
  readonly text: string;
}

/** Each line is read once: a filter looks at all of them every time it is drawn. */
const searchable = new WeakMap<LogLine, SearchableLine>();

function toSearchable(line: LogLine): SearchableLine {
  const known = searchable.get(line);
  if (known !== undefined) return known;
  const entry = parseLogLine(line);
  const made = { level: entry.level, text: toText(entry).toLowerCase() };
  searchable.set(line, made);
  return made;
}

function toText({ json, level, message, fields, stack }: LogEntry): string {
  return json !== undefined ? [level, message, fields, ...stack].join(' ') : message;
}
