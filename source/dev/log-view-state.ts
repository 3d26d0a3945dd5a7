import type { LogBuffer, LogLine } from './log-buffer.ts';
import { isAtLeast, type LogLevel, readLogLine } from './read-log-line.ts';

/** What is shown of the log. */
export interface LogView {
  /** Text that a line must have; case does not matter. */
  readonly filter: string;
  /** Text that is looked for among the lines. */
  readonly search: string;
  readonly level: LogLevel;
  /** Id of the last line of the window while it does not follow the newest. */
  readonly bottomId: number | undefined;
}

export const followAll: LogView = { filter: '', search: '', level: 'trace', bottomId: undefined };

const shownLevels = ['trace', 'info', 'warn', 'error'] as const satisfies readonly LogLevel[];

/** All, from info on, from warnings on, errors only, and all again. */
export function toNextLevel(level: LogLevel): LogLevel {
  const index = shownLevels.findIndex((shown) => shown === level);
  return shownLevels[(index + 1) % shownLevels.length] ?? 'trace';
}

/** The lines of a window. */
export interface LogWindow {
  readonly lines: readonly LogLine[];
  /** How many lines the filter lets through. */
  readonly count: number;
  /** Index of the last line of the window among those. */
  readonly bottom: number;
}

/** Finds the lines to draw. Without a filter it costs what the window shows. */
export function toLogWindow(logs: LogBuffer, view: LogView, rows: number): LogWindow {
  const source = toSource(logs, view);
  const bottom = Math.max(Math.min(source.count, rows) - 1, findBottom(source, view));
  const first = Math.max(0, bottom - rows + 1);
  const lines = Array.from({ length: Math.max(0, bottom - first + 1) }, (_, row) => source.at(first + row)).filter(
    (line) => line !== undefined,
  );
  return { lines, count: source.count, bottom };
}

/** Moves the window by lines; at its end it follows again. */
export function moveLog(
  logs: LogBuffer,
  view: LogView,
  { by, rows }: { readonly by: number; readonly rows: number },
): LogView {
  const source = toSource(logs, view);
  const { bottom } = toLogWindow(logs, view, rows);
  const to = Math.max(Math.min(rows, source.count) - 1, bottom + by);
  return {
    ...view,
    bottomId: to >= source.count - 1 && by > 0 ? undefined : source.at(Math.min(to, source.count - 1))?.id,
  };
}

/** The window that has the next line with the searched text, upwards or downwards; the same view where there is none. */
export function searchLog(
  logs: LogBuffer,
  view: LogView,
  { direction, rows }: { readonly direction: 1 | -1; readonly rows: number },
): LogView {
  const source = toSource(logs, view);
  const wanted = view.search.toLowerCase();
  const { bottom } = toLogWindow(logs, view, rows);
  for (let index = bottom + direction; index >= 0 && index < source.count; index += direction) {
    const line = source.at(index);
    if (line?.text.toLowerCase().includes(wanted)) return { ...view, bottomId: line.id };
  }
  return view;
}

interface LogSource {
  readonly count: number;
  readonly at: (index: number) => LogLine | undefined;
}

function toSource(logs: LogBuffer, { filter, level }: LogView): LogSource {
  if (filter === '' && level === 'trace') return { count: logs.size, at: (index) => logs.at(index) };
  const wanted = filter.toLowerCase();
  const lines = logs.filter(
    (line) => line.text.toLowerCase().includes(wanted) && (level === 'trace' || isAtLeast(toLevel(line), level)),
  );
  return { count: lines.length, at: (index) => lines[index] };
}

/** Read once for each line: a filter looks at all of them every time it is drawn. */
const levels = new WeakMap<LogLine, LogLevel>();

function toLevel(line: LogLine): LogLevel {
  const level = levels.get(line) ?? readLogLine(line).level;
  levels.set(line, level);
  return level;
}

/** Ids grow, so a line that is gone is replaced by the next one that is there. */
function findBottom({ count, at }: LogSource, { bottomId }: LogView): number {
  if (bottomId === undefined) return count - 1;
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at(middle)?.id ?? 0) < bottomId) low = middle + 1;
    else high = middle;
  }
  return low;
}
