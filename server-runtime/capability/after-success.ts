import type { MaybePromise } from '../errors/maybe-promise.ts';
import { rememberContext } from '../resources/async-context.ts';
import { type SourceHooks, throughItems, withHooks } from '../resources/item-source.ts';
import { type CallRequest, findCallRequest } from './context.ts';
import { isReply, toReplyData } from './reply.ts';
import { SuccessQueue } from './success-queue.ts';

/**
 * Does something once the call has succeeded: after all middleware, for a stream after its last item. The response
 * waits for it; a fault answers 500, and the rest is done. Outside of a call it is done at once.
 */
export function afterSuccess(ctx: object, work: () => unknown): void {
  const call = findCallRequest(ctx);
  if (call === undefined) return void work();
  const done = doAfter(call, async () => {
    try {
      await work();
    } catch (cause) {
      throw new Error('The call has succeeded, and what it left to be done after that has not.', {
        cause,
      });
    }
  });
  // Its caller has the answer already.
  done?.catch((fault: unknown) => call.reportLate?.(fault));
}

/**
 * Does work of the package's own, whose failure is the answer of the call. Gives undefined where the work waits for the
 * call, or is dropped.
 */
export function doAfter(
  call: CallRequest,
  work: () => Promise<unknown>,
): Promise<unknown> | undefined {
  call.successQueue ??= new SuccessQueue();
  // It runs as the code does that asks for it: in the span, and for the tenant, of its middleware.
  const run = rememberContext();
  const done = call.successQueue.add(() => run(work));
  done?.catch(() => {});
  return done;
}

/** Gives a handler's value, and calls `release`: before data, and once a stream has ended, has failed or is left. */
export function releaseAfter(
  value: unknown,
  release: (isWhole: boolean, fault?: unknown) => Promise<void>,
  { run, onCloseFault }: Pick<SourceHooks, 'run' | 'onCloseFault'>,
): MaybePromise<unknown> {
  const data = toReplyData(value);
  const held = throughItems(data, (source) =>
    withHooks(source, { run, onEnd: release, onCloseFault }),
  );
  if (held === undefined) return release(true).then(() => value);
  return isReply(value) ? { ...value, data: held } : held;
}
