import { isFrameworkError } from '../errors/define-error.ts';
import type { MaybePromise } from '../errors/failure.ts';
import { type Guarding, guarded, throughItems } from '../resources/item-source.ts';
import { type CallRequest, findCallRequest } from './call-request.ts';
import { isReply, toReplyData } from './reply.ts';

/**
 * Does something once the call has succeeded: after all middleware has returned, for a stream after its last item, in a
 * job when that attempt has succeeded. The response waits for it; a fault answers 500, and the rest is done. Outside of
 * a call, as in a test with a context of its own, it is done at once.
 *
 * @param ctx the context of the call, or a copy with more in it
 * @param work a promise that it gives is waited for
 */
export function afterSuccess(ctx: object, work: () => unknown): void {
  const call = findCallRequest(ctx);
  if (call === undefined) return void work();
  void doAfter(call, async () => {
    try {
      await work();
    } catch (cause) {
      throw new Error('The call has succeeded, and what it left to be done after that has not.', { cause });
    }
  });
}

/** The package's own work, whose fault is the answer as it is. Undefined where the work waits, or is dropped. */
export function doAfter(call: CallRequest, work: () => Promise<unknown>): Promise<unknown> | undefined {
  call.endOfCall ??= new EndOfCall();
  return call.endOfCall.add(work);
}

export class EndOfCall {
  static readonly succeeded: EndOfCall = new EndOfCall('succeeded');
  static readonly failed: EndOfCall = new EndOfCall('failed');

  #phase: 'running' | 'finishing' | 'succeeded' | 'failed';
  readonly #works: (() => Promise<unknown>)[] = [];

  constructor(phase: 'running' | 'succeeded' | 'failed' = 'running') {
    this.#phase = phase;
  }

  add(work: () => Promise<unknown>): Promise<unknown> | undefined {
    if (this.#phase === 'running' || this.#phase === 'finishing') this.#works.push(work);
    if (this.#phase !== 'succeeded') return undefined;
    const done = work();
    done.catch(() => {});
    return done;
  }

  get length(): number {
    return this.#works.length;
  }

  /** Drops what was added after there were so many: the part of the call that added it has failed. */
  dropFrom(length: number): void {
    if (this.#phase === 'running') this.#works.splice(length);
  }

  /** Does everything in order, with what that adds. @throws what one of them throws; AggregateError for several */
  async succeed(): Promise<void> {
    if (this.#phase !== 'running') return;
    this.#phase = 'finishing';
    const faults = new Set<unknown>();
    for (const work of this.#works) await work().catch((fault: unknown) => faults.add(fault));
    this.#phase = 'succeeded';
    if (faults.size > 1 && ![...faults].every(isFrameworkError))
      throw new AggregateError(faults, `${faults.size} things failed after the call's success.`);
    for (const fault of faults) throw fault;
  }

  fail(): void {
    if (this.#phase === 'running') this.#phase = 'failed';
  }
}

type Release = (isWhole: boolean) => Promise<void>;

/**
 * Gives a handler's value, and calls `release` when that is over: for data before it is given, for a stream once it has
 * ended, has failed, or nobody reads it any more. A fault of `release` is one of the value. `run` runs each step.
 */
export function releaseAfter(value: unknown, release: Release, run?: Guarding['run']): MaybePromise<unknown> {
  const data = toReplyData(value);
  const held = throughItems(data, (source) => guarded(source, { run, onEnd: release }));
  if (held === undefined) return release(true).then(() => value);
  return isReply(value) ? { ...value, data: held } : held;
}
