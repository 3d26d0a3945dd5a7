import { isFrameworkError } from '../errors/define-error.ts';
import type { MaybePromise } from '../errors/failure.ts';
import { type Guarding, guarded, throughItems } from '../resources/item-source.ts';
import { type CallRequest, findCallRequest } from './call-request.ts';
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
      throw new Error('The call has succeeded, and what it left to be done after that has not.', { cause });
    }
  });
}

type Work = () => Promise<unknown>;

/** The package's own work, whose fault is the answer as it is. Undefined where the work waits, or is dropped. */
export function doAfter(call: CallRequest, work: Work): Promise<unknown> | undefined {
  call.endOfCall ??= new EndOfCall();
  return call.endOfCall.add(work);
}

type Phase = 'running' | 'finishing' | 'succeeded' | 'failed';

export class EndOfCall {
  static readonly succeeded: EndOfCall = new EndOfCall('succeeded');
  static readonly failed: EndOfCall = new EndOfCall('failed');

  #phase: Phase;
  readonly #works: Work[] = [];

  constructor(phase: Phase = 'running') {
    this.#phase = phase;
  }

  add(work: Work): Promise<unknown> | undefined {
    if (this.#phase === 'failed') return undefined;
    if (this.#phase !== 'succeeded') return void this.#works.push(work);
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
    const [fault, ...others] = faults;
    if (others.length > 0 && ![...faults].every(isFrameworkError))
      throw new AggregateError(faults, `${faults.size} things failed after the call's success.`);
    if (faults.size > 0) throw fault;
  }

  fail(): void {
    if (this.#phase === 'running') this.#phase = 'failed';
  }
}

/**
 * Gives a handler's value, and calls `release` when that is over: for data before it is given, for a stream once it has
 * ended, has failed, or nobody reads it any more. A fault of `release` is one of the value. `run` runs each step.
 */
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
