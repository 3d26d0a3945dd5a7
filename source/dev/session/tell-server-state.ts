import {
  type RecordedFailure,
  removeServerState,
  type ServerState,
  writeDevJournal,
  writeServerState,
} from '../../files/server-state.ts';
import { ownProcessId } from '../../system/own-process-id.ts';
import type { DevEvent } from './dev-event.ts';
import { toDevJson } from './dev-json.ts';

/**
 * The most that a file holds for other processes, in lines and in characters, so that an agent can read log and
 * requests: enough to see a call, and its times.
 */
const MAX_LINES = 1_000;
const MAX_LENGTH = 2_000_000;
/** What the file holds of the log of a request that failed, and of each text. */
const MAX_LOG_LINES = 20;
const MAX_TEXT_LENGTH = 4000;
/** A busy server is written about as often as a reader may look, not at each request, milliseconds. */
const WRITE_MS = 200;

/** Tells other windows of the project how its server stands, where a file can be written. */
export function tellServerState(root: string) {
  const startedAt = Date.now();
  let urls: readonly string[] = [];
  let lines: readonly string[] = [];
  /** Those that no line stands for yet. */
  let events: { readonly event: DevEvent; readonly time: Date }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  let lastWrite: Promise<unknown> = Promise.resolve();
  /** One write after another: the state that was reported last is the one that stays. */
  const tell = (write: () => Promise<unknown>): Promise<unknown> => {
    lastWrite = lastWrite.then(write).catch(() => {});
    return lastWrite;
  };
  const writeJournal = (): void => {
    timer = undefined;
    const added = events.flatMap(({ event, time }) =>
      (toDevJson(event, time) + toFailureJson(event)).split(/(?<=\n)/),
    );
    events = [];
    lines = toLast([...lines, ...added]);
    const text = lines.join('');
    void tell(() => writeDevJournal(root, ownProcessId, text));
  };
  return {
    take: (event: DevEvent): void => {
      events.push({ event, time: new Date() });
      if (events.length > 2 * MAX_LINES) events = events.slice(-MAX_LINES);
      if (!hasEnded) timer ??= setTimeout(writeJournal, WRITE_MS).unref();
      if (event.kind === 'ready') urls = event.urls;
      const state = { pid: ownProcessId, urls, startedAt };
      const phase = toPhase(event);
      if (phase !== undefined) void tell(() => writeServerState(root, { ...state, phase }));
    },
    end: async (): Promise<void> => {
      hasEnded = true;
      clearTimeout(timer);
      await tell(() => removeServerState(root, ownProcessId));
    },
  };
}

/** The last lines, as many as the file has room for. */
function toLast(lines: readonly string[]): readonly string[] {
  let length = 0;
  const first = lines.findLastIndex((line) => {
    length += line.length;
    return length > MAX_LENGTH;
  });
  return lines.slice(Math.max(first + 1, lines.length - MAX_LINES));
}

/** Why requests failed, for a window that has called one: the answer does not say it. */
function toFailureJson(event: DevEvent): string {
  if (event.kind !== 'requests') return '';
  const failures = event.requests.flatMap(({ requestId, details }): RecordedFailure[] => {
    const { error } = details ?? {};
    if (details === undefined || requestId === undefined || error?.stack === undefined) return [];
    const logs = details.logs.slice(-MAX_LOG_LINES).map(({ stream, text }) => ({
      stream,
      text: text.slice(0, MAX_TEXT_LENGTH),
    }));
    const { name, message, stack } = error;
    const thrown = { name, message, stack: stack.slice(0, MAX_TEXT_LENGTH) };
    return [{ event: 'failure', requestId, error: thrown, guards: details.guards, logs }];
  });
  return failures.map((failure) => `${JSON.stringify(failure)}\n`).join('');
}

function toPhase(event: DevEvent): ServerState['phase'] | undefined {
  if (event.kind === 'ready') return 'ready';
  if (event.kind === 'exited') return 'down';
  if (event.kind !== 'failed' && event.kind !== 'port-taken') return undefined;
  return event.stillServing ? 'stale' : 'down';
}
