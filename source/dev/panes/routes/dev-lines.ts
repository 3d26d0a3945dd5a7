import { type Line, toCell } from '../../../kit/line/line.ts';
import { textWidth } from '../../../kit/text/text-width.ts';
import { type Token, toMethodToken } from '../../../kit/theme/tokens.ts';
import { toShownUrl } from '../../../record/replace-url-secrets.ts';
import { toClock } from '../../../screens/shell-status.ts';
import type { RequestEntry, RouteEntry } from '../../dev-store.ts';
import { toDuration } from '../../dev-text.ts';

export interface RouteColumns {
  readonly path: number;
  readonly key: number;
  /** Which of the figures there is room for, besides count and last status. */
  readonly times: readonly ('p50' | 'p95' | 'p99')[];
  readonly hasRate: boolean;
}

const METHOD = 7;
const COUNT = 8;
const RATE = 7;
const TIME = 8;
const STATUS = 6;
const MARK = 9;

/** Narrower, the capability says nothing. */
const MIN_KEY = 14;

/** Divides a row: what is counted keeps its width, path and key share the rest, the key only where there is room for it. */
export function toRouteColumns(routes: readonly RouteEntry[], columns: number): RouteColumns {
  const times: RouteColumns['times'] = columns >= 90 ? ['p50', 'p95', 'p99'] : columns >= 56 ? ['p95'] : [];
  const hasRate = columns >= 48;
  const mark = routes.some((route) => route.mark !== undefined) ? MARK : 0;
  const room = columns - METHOD - COUNT - (hasRate ? RATE : 0) - TIME * times.length - STATUS - mark;
  const longestPath = toLongest(routes.map(({ route }) => route.path));
  const longestKey = toLongest(['capability', ...routes.map(({ route }) => route.key)]);
  if (room - longestPath < MIN_KEY) return { path: Math.max(8, room), key: 0, times, hasRate };
  return { path: longestPath, key: Math.min(longestKey, room - longestPath), times, hasRate };
}

/** With the space to the next column. */
function toLongest(texts: readonly string[]): number {
  return Math.max(4, ...texts.map(textWidth)) + 2;
}

export function toRouteTitle({ path, key, times, hasRate }: RouteColumns): Line {
  const text = [
    'method'.padEnd(METHOD),
    'path'.padEnd(path).slice(0, path),
    'capability'.padEnd(key).slice(0, key),
    'count'.padStart(COUNT),
    hasRate ? 'errors'.padStart(RATE) : '',
    ...times.map((name) => name.padStart(TIME)),
    'last'.padStart(STATUS),
  ];
  return [{ text: text.join(''), token: 'muted' }];
}

export function toRouteLine({ route, mark, stats }: RouteEntry, { path, key, times, hasRate }: RouteColumns): Line {
  const { count, errorRate, p50Ms, p95Ms, p99Ms, lastStatus } = stats.summary();
  const durationsMs = { p50: p50Ms, p95: p95Ms, p99: p99Ms };
  const rate = count === 0 ? '' : toPercent(errorRate);
  return [
    ...toCell(route.method, { width: METHOD, token: toMethodToken(route.method) }),
    ...toSpacedCell(route.path, { width: path, token: mark === 'gone' ? 'removed' : undefined }),
    ...toSpacedCell(route.key, { width: key, token: 'muted' }),
    { text: String(count).padStart(COUNT) },
    { text: hasRate ? rate.padStart(RATE) : '', token: errorRate > 0 ? 'danger' : 'muted' },
    ...times.map((name) => ({ text: toTimeText(durationsMs[name]).padStart(TIME) })),
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

function toTimeText(durationMs: number | undefined): string {
  return durationMs === undefined ? '' : toDuration(durationMs);
}

function toPercent(share: number): string {
  const percent = share * 100;
  return percent === 0 ? '0 %' : percent < 1 ? '<1 %' : `${Math.round(percent)} %`;
}

/** Widths of what a row of requests shows; 0 for what has no room. */
export interface RequestColumns {
  readonly clock: number;
  readonly url: number;
  readonly key: number;
  readonly size: number;
  readonly id: number;
}

/** Divides a row: the URL and the capability share what is left, by what they need. */
export function toRequestColumns(requests: readonly RequestEntry[], columns: number): RequestColumns {
  const [clock, size, id] = [columns >= 50 ? 10 : 0, columns >= 64 ? 9 : 0, columns >= 108 ? 26 : 0];
  const room = columns - clock - 6 - METHOD - TIME - 1 - size - id;
  const longestUrl = toLongest(requests.map(toShownUrl));
  const longestKey = toLongest(requests.map(({ capability = '' }) => capability));
  if (room < 2 * MIN_KEY) return { clock, url: room, key: 0, size, id };
  const url = Math.max(MIN_KEY, Math.min(longestUrl, Math.max(room - longestKey, Math.floor(room * 0.6))));
  return { clock, url, key: room - url, size, id };
}

export function toRequestLine(request: RequestEntry, { clock, url, key, size, id }: RequestColumns): Line {
  const { at, method, status, durationMs, bytes, capability = '', requestId = '' } = request;
  return [
    { text: clock === 0 ? '' : toClock(at).padEnd(clock), token: 'muted' },
    { text: `${toStatusText(status)}  `.padStart(6), token: toStatusToken(status) },
    ...toCell(method, { width: METHOD, token: toMethodToken(method) }),
    ...toSpacedCell(toShownUrl(request), { width: url, token: undefined }),
    ...toSpacedCell(capability, { width: key, token: 'muted' }),
    { text: toDuration(durationMs).padStart(TIME + 1) },
    { text: size === 0 || bytes === undefined ? ' '.repeat(size) : toSize(bytes).padStart(size), token: 'muted' },
    ...(id === 0 ? [] : toCell(`  ${requestId}`, { width: id, token: 'muted' })),
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
