import type { MaybePromise } from '../../errors/outcome.ts';
import { type Guarding, guarded, throughItems } from '../../resources/item-source.ts';
import { isReply, toReplyData } from '../reply.ts';

/** Told whether the value came to its end: data always, a stream unless it failed or nobody read it any more. */
type Release = (isWhole: boolean) => Promise<void>;

/**
 * Gives a handler's value, and calls `release` when that is over: for data before it is given, for a stream once it has
 * ended, has failed, or nobody reads it any more. Rejects with the fault of a release; a stream, whose end waits for
 * it, fails with that. `run` runs each step of a stream.
 */
export function releaseAfter(value: unknown, release: Release, run?: Guarding['run']): MaybePromise<unknown> {
  const data = toReplyData(value);
  const held =
    typeof data === 'object' && data !== null
      ? throughItems(data, (source) => guarded(source, { run, onEnd: release }))
      : undefined;
  if (held === undefined) return release(true).then(() => value);
  return isReply(value) ? { ...value, data: held } : held;
}
