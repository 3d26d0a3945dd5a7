import { type Line, toCell } from '../../../kit/line/line.ts';
import { toDuration } from '../../../kit/text/to-duration.ts';
import { toMethodToken } from '../../../kit/theme/tokens.ts';
import { toShownUrl } from '../../../record/replace-url-secrets.ts';
import { toClock } from '../../../screens/shell/shell-status.ts';
import { toStatusText, toStatusToken } from '../../../screens/status-token.ts';
import type { RequestEntry } from '../../dev-store.ts';
import { METHOD, MIN_KEY, TIME, toLongest, toSpacedCell } from '../spaced-cell.ts';

/** Widths of what a row of requests shows; 0 for what has no room. */
export interface RequestColumns {
  readonly clock: number;
  readonly url: number;
  readonly key: number;
  readonly size: number;
  readonly id: number;
}

/** As long as most paths are. No path up to it is cut for a capability that would be cut, too. */
const USUAL_URL = 30;

/** Divides a row: the URL and the capability share what is left, by what they need. */
export function toRequestColumns(requests: readonly RequestEntry[], columns: number): RequestColumns {
  const [clock, size, id] = [columns >= 50 ? 10 : 0, columns >= 64 ? 9 : 0, columns >= 108 ? 26 : 0];
  const room = columns - clock - 6 - METHOD - TIME - 1 - size - id;
  const longestUrl = toLongest(requests.map(toShownUrl));
  const longestKey = toLongest(requests.map(toCapability));
  if (room - Math.max(MIN_KEY, Math.min(longestUrl, USUAL_URL)) < MIN_KEY)
    return { clock, url: room, key: 0, size, id };
  const url = Math.max(MIN_KEY, Math.min(longestUrl, Math.max(room - longestKey, Math.floor(room * 0.6))));
  return { clock, url, key: room - url, size, id };
}

/** The capability of a job is its path. */
function toCapability({ method, capability = '' }: RequestEntry): string {
  return method === 'JOB' ? '' : capability;
}

/** The names of the columns. */
export function toRequestTitle({ clock, url, key, size, id }: RequestColumns): Line {
  const token = 'muted';
  return [
    { text: clock === 0 ? '' : 'Time'.padEnd(clock), token },
    { text: `${'Code'.padEnd(6)}${'Method'.padEnd(METHOD)}`, token },
    ...toSpacedCell('Path', { width: url, token }),
    ...toSpacedCell('Capability', { width: key, token }),
    { text: 'Took'.padStart(TIME + 1), token },
    { text: size === 0 ? '' : 'Size'.padStart(size), token },
    { text: id === 0 ? '' : '  Request id', token },
  ];
}

export function toRequestLine(request: RequestEntry, { clock, url, key, size, id }: RequestColumns): Line {
  const { at, method, status, durationMs, bytes, requestId = '' } = request;
  return [
    { text: clock === 0 ? '' : toClock(at).padEnd(clock), token: 'muted' },
    { text: `${toStatusText(status)}  `.padStart(6), token: toStatusToken(status) },
    ...toCell(method, { width: METHOD, token: toMethodToken(method) }),
    ...toSpacedCell(toShownUrl(request), { width: url, token: undefined }),
    ...toSpacedCell(toCapability(request), { width: key, token: 'muted' }),
    { text: toDuration(durationMs).padStart(TIME + 1) },
    { text: size === 0 || bytes === undefined ? ' '.repeat(size) : toSize(bytes).padStart(size), token: 'muted' },
    ...(id === 0 ? [] : toCell(`  ${requestId}`, { width: id, token: 'muted' })),
  ];
}

function toSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
