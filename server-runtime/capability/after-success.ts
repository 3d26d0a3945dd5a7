import { AsyncLocalStorage } from 'node:async_hooks';
import { isFrameworkError } from '../errors/define-error.ts';
import type { MaybePromise } from '../errors/failure.ts';
import { type Guarding, guarded, throughItems } from '../resources/item-source.ts';
import { type CallRequest, findCallRequest } from './context.ts';
import { isReply, toReplyData } from './reply.ts';

/**
 * Does something once the call has succeeded: after all middleware, for a stream after its last item. The response
 * waits for it; a fault answers 500, and the rest is done. Outside of a call it is done at once.
 */
export function afterSuccess(ctx: object, work: () => unknown): void {
  const call = findCallRequest(ctx);
  if (call === undefined) return void work();
  void doAfter(call, async () => {
    try {
      await work();
    } catch (cause) {
      throw new Error('The call has succeeded, and what it left to be done after that has not.', {
        cause,
      });
    }
  });
}

/** The works that wait for the success of a call, then the way in which it has ended. */
export type EndOfCall = (() => Promise<unknown>)[] | 'succeeded' | 'failed';

/** The package's own work, whose fault is the answer as it is. Undefined where the work waits, or is dropped. */
export function doAfter(
  call: CallRequest,
  work: () => Promise<unknown>,
): Promise<unknown> | undefined {
  call.endOfCall ??= [];
  if (call.endOfCall === 'failed') return undefined;
  // It runs as the code does that asks for it: in the span, and for the tenant, of its middleware.
  if (call.endOfCall !== 'succeeded') return void call.endOfCall.push(AsyncLocalStorage.bind(work));
  const done = work();
  done.catch(() => {});
  return done;
}

/** Does what waits, in order, with what that adds. @throws what one of them throws; AggregateError for several */
export async function succeed(call: CallRequest): Promise<void> {
  const faults = new Set<unknown>();
  const works = typeof call.endOfCall === 'object' ? call.endOfCall : [];
  for (const work of works) await work().catch((fault: unknown) => faults.add(fault));
  call.endOfCall = 'succeeded';
  if (faults.size > 1 && ![...faults].every(isFrameworkError))
    throw new AggregateError(faults, `${faults.size} things failed after the call's success.`);
  for (const fault of faults) throw fault;
}

/** Gives a handler's value, and calls `release`: before data, and once a stream has ended, has failed or is left. */
export function releaseAfter(
  value: unknown,
  release: (isWhole: boolean) => Promise<void>,
  run?: Guarding['run'],
): MaybePromise<unknown> {
  const data = toReplyData(value);
  const held = throughItems(data, (source) => guarded(source, { run, onEnd: release }));
  if (held === undefined) return release(true).then(() => value);
  return isReply(value) ? { ...value, data: held } : held;
}
