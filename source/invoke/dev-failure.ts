import { setTimeout as wait } from 'node:timers/promises';
import { type RecordedFailure, readDevJournal, readServerStates } from '../files/server-state.ts';
import { isForeignFrame } from '../manifest/find-source-place.ts';
import type { JsonObject } from '../values/json.ts';
import { describeThrown } from './describe-thrown.ts';
import type { CallEvents, CallFailure, CallResult } from './perform-call.ts';

/** The time until a `capix dev` has written down a request, and more on a busy computer, milliseconds. */
const WRITTEN_MS = 2000;
const LOOK_EVERY_MS = 50;

export interface DevCall {
  /** Absolute path of the project. */
  readonly root: string;
  /** The address that was called, without a slash at its end. */
  readonly url: string;
  readonly result: CallResult;
  readonly on?: CallEvents | undefined;
}

/**
 * Why a `capix dev` of the project answered with 500, which the answer does not say. Its lines of the log go to
 * `onLine`. Undefined where no such server is at that address, or it has recorded no error.
 */
export async function findDevFailure({
  root,
  url,
  result,
  on,
}: DevCall): Promise<CallFailure | undefined> {
  const header = result.http?.headers.find(([name]) => name.toLowerCase() === 'x-request-id');
  const requestId = header?.[1];
  if (result.status !== 500 || requestId === undefined) return undefined;
  const states = await readServerStates(root);
  const server = states.find(({ urls }) => urls.some((each) => each.replace(/\/+$/, '') === url));
  if (server === undefined) return undefined;
  const found = await awaitFailure(root, server.pid, requestId);
  if (found === undefined) return undefined;
  for (const { text, stream } of found.logs)
    if (!isForeignFrame(text)) on?.onLine?.({ text, isError: stream === 'stderr' });
  return { hints: toGuardHints(found.guards), ...(await describeThrown(found.error, root)) };
}

/** Looks into the journal until the request is there, or would be. */
async function awaitFailure(
  root: string,
  pid: number,
  requestId: string,
): Promise<RecordedFailure | undefined> {
  const endAt = performance.now() + WRITTEN_MS;
  for (;;) {
    const events = await readDevJournal(root, pid);
    const ofRequest = events.filter((event) => event['requestId'] === requestId);
    const failure = ofRequest.find(isFailure);
    if (failure !== undefined) return failure;
    // It is written with its request: there was no error, or nobody looked on.
    if (ofRequest.length > 0 || performance.now() > endAt) return undefined;
    await wait(LOOK_EVERY_MS);
  }
}

function isFailure(event: JsonObject): event is JsonObject & RecordedFailure {
  return event['event'] === 'failure';
}

function toGuardHints(guards: RecordedFailure['guards']): readonly string[] {
  const passed = guards.flatMap(({ name, rejection }) => (rejection === undefined ? [name] : []));
  return passed.length === 0 ? [] : [`It has passed its guards: ${passed.join(', ')}.`];
}
