import { type Answer, createEnhancer, type Enhancer, type Next } from '../capability/enhancer.ts';
import { expectInteger } from '../errors/expect-integer.ts';
import { isPromise, type MaybePromise } from '../errors/outcome.ts';
import { findRetryAfterMs } from './find-retry-after-ms.ts';
import { findSignal } from './find-signal.ts';
import { pause } from './flow/pause.ts';
import { isFault } from './is-fault.ts';

/** The options of `withRetry`: how often it calls the handler, and when. */
export interface RetryOptions {
  /** Calls of the handler in all. @default 3 */
  readonly attempts?: number | undefined;
  /** Wait before the second attempt, milliseconds; it doubles each time, with jitter. @default 100 */
  readonly backoffMs?: number | undefined;
  /** The longest wait, milliseconds. An error that asks for more is not repeated. @default 5000 */
  readonly maxBackoffMs?: number | undefined;
  /** Which errors are worth another attempt. @default unforeseen errors and those with a 5xx status */
  readonly when?: ((error: unknown) => boolean) | undefined;
}

/**
 * Calls the handler again when it fails, and not before `meta.retryAfterSeconds` of its error are over. Stops when nobody waits any more
 * (`ctx.signal`); the request timeout covers all attempts. Put it on work that may run twice.
 *
 * @throws RangeError for a bad number
 *
 * @example
 * ```ts
 * export const getRates = capability(async (_input, ctx) => fetch('https://example.org/rates', { signal: ctx.signal }))
 *   .enhance(withRetry({ attempts: 3, backoffMs: 200 }));
 * ```
 */
export function withRetry({
  attempts = 3,
  backoffMs = 100,
  maxBackoffMs = 5000,
  when = isFault,
}: RetryOptions = {}): Enhancer<unknown, unknown, unknown, never> {
  expectInteger('withRetry attempts', attempts, { min: 1, max: 100 });
  expectInteger('withRetry backoffMs', backoffMs, { min: 0 });
  expectInteger('withRetry maxBackoffMs', maxBackoffMs, { min: backoffMs });
  return createEnhancer(
    (next) => retried(next, { attempts, backoffMs, maxBackoffMs, when }),
    { name: 'withRetry', settings: { attempts, backoffMs, maxBackoffMs } },
    { kind: 'retry' },
  );
}

/** The options with every default applied. */
type Retrying = { readonly [Name in keyof RetryOptions]-?: NonNullable<RetryOptions[Name]> };

function retried(next: Next, options: Retrying): Next {
  return (input, ctx) => {
    const call = (): MaybePromise<Answer> => next(input, ctx);
    try {
      const value = call();
      return isPromise(value)
        ? value.then(undefined, (error: unknown) => repeat(call, { error, ctx, ...options }))
        : value;
    } catch (error) {
      return repeat(call, { error, ctx, ...options });
    }
  };
}

interface Failed extends Retrying {
  /** The error of the first attempt. */
  readonly error: unknown;
  readonly ctx: unknown;
}

async function repeat(
  call: () => MaybePromise<Answer>,
  { error, ctx, attempts, when, ...waits }: Failed,
): Promise<Answer> {
  const signal = findSignal(ctx);
  const isOver = (): boolean => signal?.aborted === true;
  let last = error;
  for (let made = 1; made < attempts; made++) {
    const askedMs = findRetryAfterMs(last);
    if (isOver() || askedMs > waits.maxBackoffMs || !when(last)) break;
    await pause(Math.max(askedMs, toBackoffMs(made, waits)), signal);
    if (isOver()) break;
    try {
      return await call();
    } catch (thrown) {
      last = thrown;
    }
  }
  throw last;
}

/** Doubles with each attempt; a random half of it keeps callers who failed at once from coming back at once. */
function toBackoffMs(made: number, { backoffMs, maxBackoffMs }: Pick<Failed, 'backoffMs' | 'maxBackoffMs'>): number {
  return Math.min(maxBackoffMs, backoffMs * 2 ** (made - 1)) * (0.5 + Math.random() / 2);
}
