import { type Line, markMatches, toCell } from '../ui/line-segments.ts';
import { toClock } from '../ui/shell-status.ts';
import { textWidth } from '../ui/text-width.ts';
import { type Token, toMethodToken } from '../ui/theme.ts';
import type { RequestEntry, RouteEntry } from './dev-store.ts';
import { toDuration } from './dev-text.ts';
import type { LogLine } from './log-buffer.ts';
import { type LogLevel, readLogLine } from './read-log-line.ts';

export interface RouteColumns {
  readonly path: number;
  readonly key: number;
  /** Whether there is room for the percentiles. */
  readonly hasPercentiles: boolean;
}

const METHOD = 7;
const COUNT = 8;
const RATE = 7;
const TIME = 8;
const STATUS = 6;
const MARK = 8;

/** Narrower, the capability says nothing. */
const MIN_KEY = 14;

/** Divides a row: what is counted keeps its width, path and key share the rest, the key only where there is room for it. */
export function toRouteColumns(routes: readonly RouteEntry[], columns: number): RouteColumns {
  const hasPercentiles = columns >= 90;
  const mark = routes.some((route) => route.mark !== undefined) ? MARK : 0;
  const room = columns - METHOD - COUNT - RATE - TIME * (hasPercentiles ? 3 : 1) - STATUS - mark;
  const longestPath = toLongest(routes.map(({ route }) => route.path));
  const longestKey = toLongest(['capability', ...routes.map(({ route }) => route.key)]);
  if (room - longestPath < MIN_KEY) return { path: Math.max(8, room), key: 0, hasPercentiles };
  return { path: longestPath, key: Math.min(longestKey, room - longestPath), hasPercentiles };
}

/** With the space to the next column. */
function toLongest(texts: readonly string[]): number {
  return Math.max(4, ...texts.map(textWidth)) + 2;
}

export function toRouteTitle({ path, key, hasPercentiles }: RouteColumns): Line {
  const times = hasPercentiles ? ['p50', 'p95', 'p99'] : ['p95'];
  const text = [
    'method'.padEnd(METHOD),
    'path'.padEnd(path).slice(0, path),
    'capability'.padEnd(key).slice(0, key),
    'count'.padStart(COUNT),
    'errors'.padStart(RATE),
    ...times.map((name) => name.padStart(TIME)),
    'last'.padStart(STATUS),
  ];
  return [{ text: text.join(''), token: 'muted' }];
}

export function toRouteLine({ route, mark, stats }: RouteEntry, { path, key, hasPercentiles }: RouteColumns): Line {
  const { count, errorRate, p50Ms, p95Ms, p99Ms, lastStatus } = stats.summary();
  const times = hasPercentiles ? [p50Ms, p95Ms, p99Ms] : [p95Ms];
  return [
    ...toCell(route.method, { width: METHOD, token: toMethodToken(route.method) }),
    ...toSpacedCell(route.path, { width: path, token: mark === 'gone' ? 'removed' : undefined }),
    ...toSpacedCell(route.key, { width: key, token: 'muted' }),
    { text: String(count).padStart(COUNT) },
    {
      text: count === 0 ? ''.padStart(RATE) : `${toPercent(errorRate)}`.padStart(RATE),
      token: errorRate > 0 ? 'danger' : 'muted',
    },
    ...times.map((time) => ({ text: (time === undefined ? '' : toDuration(time)).padStart(TIME) })),
    {
      text: (lastStatus === undefined ? '' : toStatusText(lastStatus)).padStart(STATUS),
      token: toStatusToken(lastStatus ?? 200),
    },
    {
      text: mark === undefined ? '' : `  ${mark}`,
      token: mark === 'gone' ? 'removed' : mark === 'new' ? 'added' : 'changed',
    },
  ];
}

/** A cell with at least two blanks at its end; nothing where it has no width. */
function toSpacedCell(
  text: string,
  { width, token }: { readonly width: number; readonly token: Token | undefined },
): Line {
  return width < 3 ? [] : [...toCell(text, { width: width - 2, token }), { text: '  ' }];
}

function toPercent(share: number): string {
  const percent = share * 100;
  return percent === 0 ? '0 %' : percent < 1 ? '<1 %' : `${Math.round(percent)} %`;
}

export function toRequestLine(request: RequestEntry, columns: number): Line {
  const { at, method, url, status, durationMs, bytes, capability = '', requestId = '' } = request;
  const wide = columns >= 110;
  const fixed = 10 + METHOD + 6 + 9 + 9 + (wide ? 26 : 0);
  const key = Math.min(28, Math.floor((columns - fixed) * 0.4));
  return [
    { text: `${toClock(at)}  `, token: 'muted' },
    { text: `${toStatusText(status)}  `.padStart(6), token: toStatusToken(status) },
    ...toCell(method, { width: METHOD, token: toMethodToken(method) }),
    ...toCell(url, { width: columns - fixed - key }),
    ...toCell(` ${capability}`, { width: key, token: 'muted' }),
    { text: toDuration(durationMs).padStart(9) },
    { text: (bytes === undefined ? '' : toSize(bytes)).padStart(9), token: 'muted' },
    ...(wide ? toCell(`  ${requestId}`, { width: 26, token: 'muted' }) : []),
  ];
}

export function toStatusText(status: number): string {
  return status === 0 ? 'left' : String(status);
}

export function toStatusToken(status: number): Token {
  if (status === 0 || status >= 500) return 'danger';
  return status >= 400 ? 'warning' : 'success';
}

function toSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const levelTokens: Readonly<Record<LogLevel, Token>> = {
  trace: 'muted',
  debug: 'muted',
  info: 'text',
  warn: 'warning',
  error: 'danger',
  fatal: 'danger',
};

/** A line of the log with the letters of `query` marked. Text on stderr has a mark at its start. */
export function toLogLine(log: LogLine, query: string): Line {
  const { level, at, message, fields } = readLogLine(log);
  const from = query === '' ? -1 : message.toLowerCase().indexOf(query.toLowerCase());
  const matches = Array.from({ length: from === -1 ? 0 : query.length }, (_, index) => from + index);
  const levelText = level === 'info' ? '' : `${level} `;
  return [
    { text: `${toClock(at)} `, token: 'muted' },
    { text: log.stream === 'stderr' ? '! ' : '  ', token: 'danger' },
    { text: levelText, token: levelTokens[level] },
    ...markMatches(message, { token: levelTokens[level], matches }),
    { text: fields === '' ? '' : `  ${fields}`, token: 'muted' },
  ];
}
