import type { Token } from '../kit/theme.ts';
import type { ShellStatus } from '../screens/frame-head.ts';
import { toExitText } from '../system/child-channel.ts';
import type { PortOwner } from '../system/find-port-owner.ts';
import type { WatchTrouble } from '../system/watch-files.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { toDuration } from '../values/duration.ts';
import type { ShownFailure } from '../values/shown-failure.ts';
import type { DevEvent, StartCause } from './session/dev-event.ts';

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

export const phaseTokens = {
  starting: 'accent',
  ready: 'success',
  broken: 'danger',
} as const satisfies Readonly<Record<string, Token>>;

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
    case 'save-effect':
      return state;
  }
}

type BrokenEvent = Extract<DevEvent, { readonly kind: 'failed' | 'port-taken' | 'exited' }>;

const notReady = { readyAt: undefined, durationMs: undefined };

/** Why the newest code does not run, and what goes on meanwhile. */
export function toBroken(event: BrokenEvent) {
  const isServing = event.kind !== 'exited' && event.stillServing;
  const waits = isServing
    ? 'The previous version still answers; waiting for a change'
    : 'Waiting for a change';
  return { ...(isServing ? {} : notReady), text: waits, failure: toFailure(event) };
}

function toFailure(event: BrokenEvent): ShownFailure {
  if (event.kind === 'failed') return event.failure;
  if (event.kind === 'port-taken')
    return {
      message: `Port ${event.port} is taken${toOwnerText(event.owner)}.`,
      hint: toPortHint(event),
    };
  const { failure } = event;
  const message = `The server ended ${toExitText(event)}${failure ? `: ${failure.message}` : '.'}`;
  return { ...failure, message, hint: undefined };
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

/** `src/a.ts`, `src/a.ts and src/b.ts`, `src/a.ts and 4 more`. */
export function toFilesText(files: readonly string[]): string {
  const [first = 'A file', second, ...rest] = files.map(stripControl);
  if (second === undefined) return first;
  return rest.length === 0 ? `${first} and ${second}` : `${first} and ${rest.length + 1} more`;
}

type TakenPort = Extract<DevEvent, { readonly kind: 'port-taken' }>;

/** ` by process 4711 (node)`, empty where nobody knows. */
export function toOwnerText(owner: PortOwner | undefined): string {
  if (owner === undefined) return '';
  return ` by process ${owner.pid}${owner.program === undefined ? '' : ` (${stripControl(owner.program)})`}`;
}

export function toPortHint({ port, isFirst }: Pick<TakenPort, 'port' | 'isFirst'>): string {
  if (!isFirst) return 'End it, or let the code listen at another port.';
  return `End it, or choose another port: capix dev --port ${port < 65_535 ? port + 1 : port - 1}`;
}

/** The status in the header. */
export function toDevStatus({ failure, failedAt, readyAt, durationMs }: DevState): ShellStatus {
  if (failure !== undefined) return { kind: 'broken', at: failedAt };
  return readyAt === undefined ? { kind: 'loading' } : { kind: 'ready', at: readyAt, durationMs };
}
