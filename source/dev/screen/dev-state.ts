import { toDuration } from '../../kit/text.ts';
import type { Token } from '../../kit/theme.ts';
import type { ShownFailure } from '../../screens/failure-banner.ts';
import type { ShellStatus } from '../../screens/shell-status.ts';
import { toExitText } from '../../system/child-channel.ts';
import type { WatchTrouble } from '../../system/watch-files.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import { toFilesText, toOwnerText, toPortHint } from '../dev-text.ts';
import type { DevEvent, StartCause } from '../session/dev-event.ts';

/** The state of the server. */
export interface DevState {
  readonly phase: 'starting' | 'ready' | 'broken';
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

export const startState: DevState = { phase: 'starting', text: 'Starting', urls: [] };

/** `now`: milliseconds since 1970. */
export function toNextState(state: DevState, event: DevEvent, now: number): DevState {
  const toBroken = (
    { stillServing }: { stillServing: boolean },
    why: Pick<DevState, 'text' | 'failure'>,
  ): DevState => ({
    ...state,
    ...(!stillServing && { readyAt: undefined, durationMs: undefined }),
    ...why,
    phase: 'broken',
    failedAt: now,
  });
  switch (event.kind) {
    case 'output':
    case 'requests':
    case 'jobs':
    case 'notice':
      return state;
    case 'watch-trouble':
      return { ...state, watchTrouble: event.trouble };
    case 'starting':
      return { ...state, phase: 'starting', text: toStartingText(event.cause) };
    case 'ready':
      return {
        phase: 'ready',
        watchTrouble: state.watchTrouble,
        text: toReadyText(event.cause, event.durationMs),
        urls: event.urls,
        networkUrls: event.networkUrls,
        readyAt: now,
        durationMs: event.durationMs,
      };
    case 'failed':
      return toBroken(event, { text: toWaitText(event.stillServing), failure: event.failure });
    case 'port-taken': {
      const message = stripControl(`Port ${event.port} is taken${toOwnerText(event.owner)}.`);
      const failure = { message, hint: toPortHint(event) };
      return toBroken(event, { text: `${toWaitText(event.stillServing)}; r tries again`, failure });
    }
    case 'exited': {
      const { failure } = event;
      const message = `The server ended ${toExitText(event)}${failure ? `: ${failure.message}` : '.'}`;
      const text = 'Waiting for a change; press r to start again';
      return toBroken({ stillServing: false }, { text, failure: { ...failure, message, hint: undefined } });
    }
  }
}

/** The status in the header. */
export function toDevStatus({ failure, failedAt, readyAt, durationMs }: DevState): ShellStatus {
  if (failure !== undefined) return { kind: 'broken', at: failedAt };
  return readyAt === undefined ? { kind: 'loading' } : { kind: 'ready', at: readyAt, durationMs };
}

export const phaseTokens = { starting: 'accent', ready: 'success', broken: 'danger' } as const satisfies Readonly<
  Record<DevState['phase'], Token>
>;

function toStartingText(cause: StartCause): string {
  switch (cause.kind) {
    case 'start':
      return 'Starting';
    case 'restart':
      return 'Restarting, as you asked';
    case 'change':
      return `Restarting, ${toFilesText(cause.files)} changed`;
  }
}

function toReadyText(cause: StartCause, durationMs: number): string {
  const duration = toDuration(durationMs);
  switch (cause.kind) {
    case 'start':
      return `Started in ${duration}`;
    case 'restart':
      return `Restarted in ${duration}`;
    case 'change':
      return `Reloaded in ${duration}, ${toFilesText(cause.files)} changed`;
  }
}

function toWaitText(stillServing: boolean): string {
  return stillServing ? 'The previous version still answers; waiting for a change' : 'Waiting for a change';
}
