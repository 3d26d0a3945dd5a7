import type { AsyncLocalStorage } from 'node:async_hooks';
import type { CallRequest } from './call-request.ts';

let calls: AsyncLocalStorage<CallRequest | undefined> | undefined;

/**
 * Lets `findCurrentCall` know the call from now on, for what is reached without a context, as `jobs.enqueue` is; nobody
 * else pays for it: `trackCalls(new AsyncLocalStorage())`.
 */
export function trackCalls(storage: AsyncLocalStorage<CallRequest | undefined>): void {
  calls ??= storage;
}

/** The call that the code which runs belongs to; undefined outside of one, and where nobody tracks them. */
export function findCurrentCall(): CallRequest | undefined {
  return calls?.getStore();
}

/** Runs a part of a call, or where there is none something that belongs to no call, such as a hook. */
export function runInCall<T>(call: CallRequest | undefined, run: () => T): T {
  return calls === undefined ? run() : calls.run(call, run);
}
