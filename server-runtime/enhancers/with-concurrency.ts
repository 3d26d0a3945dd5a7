import { type Answer, createEnhancer, type Enhancer, type Next } from '../capability/enhancer.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { expectInteger } from '../errors/expect-integer.ts';
import { isPromise, type MaybePromise } from '../errors/outcome.ts';
import { findSignal } from './find-signal.ts';
import { Places } from './flow/places.ts';

/** The options of `withConcurrency`: how many calls run at once, and how many wait. */
export interface ConcurrencyOptions {
  /** Calls that run at once, in this process. */
  readonly limit: number;
  /** Calls that wait for a place, first come first served; more are refused. @default 100 */
  readonly maxQueuedCalls?: number | undefined;
  /** Counts all capabilities around which this one enhancer stands together: of a factory, a group, the server. @default each capability alone */
  readonly isShared?: boolean | undefined;
}

/**
 * Lets so many calls run at once that what they depend on can bear it, so that one slow dependency does not take the whole process: more wait, within their
 * timeout, and beyond that callers get 503 `ServiceUnavailable` at once. The count is that of this process.
 *
 * @throws RangeError for a bad number
 *
 * @example
 * ```ts
 * export const renderPdf = capability(() => ({ pages: 7 })).enhance(withConcurrency({ limit: 4, maxQueuedCalls: 20 }));
 * ```
 */
export function withConcurrency({
  limit,
  maxQueuedCalls = 100,
  isShared = false,
}: ConcurrencyOptions): Enhancer<unknown, unknown, unknown, typeof defaultErrors.ServiceUnavailable> {
  expectInteger('withConcurrency limit', limit, { min: 1 });
  expectInteger('withConcurrency maxQueuedCalls', maxQueuedCalls, { min: 0 });
  const shared = isShared ? new Places({ limit, maxQueuedCalls }) : undefined;
  return createEnhancer(
    (next: Next) => bounded(next, shared ?? new Places({ limit, maxQueuedCalls })),
    { name: 'withConcurrency', settings: { limit, maxQueuedCalls }, errors: [defaultErrors.ServiceUnavailable] },
    {},
  );
}

function bounded(next: Next, places: Places): Next {
  return (input, ctx) => {
    const entered = places.enter(findSignal(ctx));
    return entered === true ? run(input, ctx) : wait(entered, input, ctx);
  };

  async function wait(entered: false | Promise<boolean>, input: unknown, ctx: unknown): Promise<Answer> {
    if (!(await entered))
      throw defaultErrors.ServiceUnavailable('Too many calls at once; try again in 1 s', { retryAfterSeconds: 1 });
    return run(input, ctx);
  }

  function run(input: unknown, ctx: unknown): ReturnType<Next> {
    let value: MaybePromise<Answer> | undefined;
    try {
      value = next(input, ctx);
    } finally {
      if (!isPromise(value)) places.leave();
    }
    return isPromise(value) ? end(value) : value;
  }

  async function end(value: PromiseLike<Answer>): Promise<Answer> {
    try {
      return await value;
    } finally {
      places.leave();
    }
  }
}
