import { setTimeout as wait } from 'node:timers/promises';
import { type RecordedFailure, readServerStates } from '../files/server-state.ts';
import { isForeignFrame } from '../manifest/find-source-place.ts';
import type { Marks } from '../record/call-marks.ts';
import { readRequests, type WrittenRequest } from '../record/read-requests.ts';
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
export async function findDevFailure(call: DevCall): Promise<CallFailure | undefined> {
  const { root, result, on } = call;
  if (result.status !== 500) return undefined;
  const found = (await findRecord(call))?.failure;
  if (found === undefined) return undefined;
  for (const { text, stream } of found.logs)
    if (!isForeignFrame(text)) on?.onLine?.({ text, isError: stream === 'stderr' });
  return { hints: toGuardHints(found.guards), ...describeThrown(found.error, root) };
}

/** Where the time of a call to a `capix dev` of the project went; undefined where none has recorded it. */
export async function findDevMarks(call: DevCall): Promise<Marks | undefined> {
  return (await findRecord(call))?.marks;
}

/** Looks into the journal of the server that was called until its request is there, or would be. */
async function findRecord({ root, url, result }: DevCall): Promise<WrittenRequest | undefined> {
  const header = result.http?.headers.find(([name]) => name.toLowerCase() === 'x-request-id');
  const requestId = header?.[1];
  if (requestId === undefined) return undefined;
  const states = await readServerStates(root);
  const server = states.find(({ urls }) => urls.some((each) => each.replace(/\/+$/, '') === url));
  if (server === undefined) return undefined;
  const endAt = performance.now() + WRITTEN_MS;
  for (;;) {
    const requests = await readRequests(root, server.pid);
    const found = requests.find((request) => request.requestId === requestId);
    // Where nobody looks on, it never comes.
    if (found !== undefined || performance.now() > endAt) return found;
    await wait(LOOK_EVERY_MS);
  }
}

function toGuardHints(guards: RecordedFailure['guards']): readonly string[] {
  const passed = guards.flatMap(({ name, rejection }) => (rejection === undefined ? [name] : []));
  return passed.length === 0 ? [] : [`It has passed its guards: ${passed.join(', ')}.`];
}
