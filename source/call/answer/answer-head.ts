import type { Line } from '../../kit/line/line.ts';
import { toDuration } from '../../kit/text/to-duration.ts';
import { toStatusToken } from '../../kit/theme/tokens.ts';
import type { CallState } from '../use-call.ts';

export interface HeadOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether the form says something else than what was answered. */
  readonly isOld: boolean;
  /** The items of the stream that came. */
  readonly itemCount: number;
}

/** The head line of an answer: `200  12 ms  1.2 kB`. */
export function toAnswerHead(state: CallState, { now, isOld, itemCount }: HeadOptions): Line {
  const items = itemCount === 0 ? '' : `, ${itemCount} ${itemCount === 1 ? 'item' : 'items'}`;
  switch (state.kind) {
    case 'none':
      return [{ text: 'No call yet: Enter sends.', token: 'muted' }];
    case 'running':
      return [{ text: `Running … ${toSeconds(now - state.startedAt)}${items}`, token: 'muted' }];
    case 'cancelled':
      return [{ text: `Cancelled after ${toSeconds(state.afterMs)}${items}`, token: 'warning' }];
    case 'failed':
      return [
        { text: 'No answer', token: 'danger' },
        { text: items, token: 'muted' },
      ];
    case 'answered': {
      const { status, durationMs, http } = state.result;
      const size = http === undefined ? '' : `  ${toSizeText(http.bytes)}`;
      return [
        { text: `${status}`, token: toStatusToken(status) },
        { text: `  ${toDuration(durationMs)}${size}${items}`, token: 'muted' },
        { text: isOld ? '  for another input' : '', token: 'warning' },
      ];
    }
  }
}

/** `512 B`, `1.2 kB`, `3.4 MB` */
function toSizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The clock that is drawn may be a moment behind the one that a call began with. */
function toSeconds(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}
