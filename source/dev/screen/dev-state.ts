import { toDuration } from '../../kit/text.ts';
import type { Token } from '../../kit/theme.ts';
import type { ShownFailure } from '../../screens/failure-banner.ts';
import type { ShellStatus } from '../../screens/shell-status.ts';
import { toExitText } from '../../system/child-channel.ts';
import type { WatchTrouble } from '../../system/watch-files.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import { toFilesText, toOwnerText, toPortHint } from '../dev-text.ts';
import type { DevEvent, StartCause } from '../session/dev-event.ts';

export interface DevState {
  readonly phase: keyof typeof phaseTokens;
  /** One line: `Reloaded in 29 ms, src/items/list.ts changed`. */
  readonly text: string;
  /** Why the newest code does not run; while it is set, what ran before may still answer. */
  readonly failure?: ShownFailure | undefined;
  /** When that was found, milliseconds since 1970. */
  readonly failedAt?: number | undefined;
  readonly urls: readonly string[];
  /** The address at which other machines reach it. */
  readonly networkUrls?: readonly string[] | undefined;
  /** When the code that answers began to, milliseconds since 1970; missing while none does. */
  readonly readyAt?: number | undefined;
  readonly durationMs?: number | undefined;
  /** Why saves may be seen late, or not at all. */
  readonly watchTrouble?: WatchTrouble | undefined;
}

export const phaseTokens = { starting: 'accent', ready: 'success', broken: 'danger' } as const satisfies Readonly<
  Record<string, Token>
>;

export const startState: DevState = { phase: 'starting', text: 'Starting', urls: [] };

/** `now`: milliseconds since 1970. */
export function toNextState(state: DevState, event: DevEvent, now: number): DevState {
  switch (event.kind) {
    case 'watch-trouble':
      return { ...state, watchTrouble: event.trouble };
    case 'starting':
      return { ...state, phase: 'starting', text: toCauseText(event.cause) };
    case 'ready': {
      const { cause, durationMs, urls, networkUrls } = event;
      const { watchTrouble } = state;
      const text = toCauseText(cause, durationMs);
      return { phase: 'ready', watchTrouble, text, urls, networkUrls, readyAt: now, durationMs };
    }
    case 'failed':
    case 'port-taken':
    case 'exited':
      return { ...state, ...toBroken(event), phase: 'broken', failedAt: now };
    case 'output':
    case 'requests':
    case 'jobs':
    case 'notice':
      return state;
  }
}

type BrokenEvent = Extract<DevEvent, { readonly kind: 'failed' | 'port-taken' | 'exited' }>;

const notReady = { readyAt: undefined, durationMs: undefined };

function toBroken(event: BrokenEvent): Partial<DevState> {
  if (event.kind === 'exited') {
    const { failure } = event;
    const message = `The server ended ${toExitText(event)}${failure ? `: ${failure.message}` : '.'}`;
    const text = 'Waiting for a change; press r to start again';
    return { ...notReady, text, failure: { ...failure, message, hint: undefined } };
  }
  const still = event.stillServing ? {} : notReady;
  const text = event.stillServing ? 'The previous version still answers; waiting for a change' : 'Waiting for a change';
  if (event.kind === 'failed') return { ...still, text, failure: event.failure };
  const message = stripControl(`Port ${event.port} is taken${toOwnerText(event.owner)}.`);
  return { ...still, text: `${text}; r tries again`, failure: { message, hint: toPortHint(event) } };
}

const verbs = {
  start: ['Starting', 'Started'],
  restart: ['Restarting', 'Restarted'],
  change: ['Restarting', 'Reloaded'],
} as const;

/** `Restarting, src/a.ts changed`; with a duration `Reloaded in 29 ms, src/a.ts changed`. */
function toCauseText(cause: StartCause, durationMs?: number): string {
  const [begun, done] = verbs[cause.kind];
  const text = durationMs === undefined ? begun : `${done} in ${toDuration(durationMs)}`;
  return cause.kind === 'change' ? `${text}, ${toFilesText(cause.files)} changed` : text;
}

/** The status in the header. */
export function toDevStatus({ failure, failedAt, readyAt, durationMs }: DevState): ShellStatus {
  if (failure !== undefined) return { kind: 'broken', at: failedAt };
  return readyAt === undefined ? { kind: 'loading' } : { kind: 'ready', at: readyAt, durationMs };
}
