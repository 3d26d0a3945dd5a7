import type * as Cockatiel from 'cockatiel';
import { defineEnhancer, type Enhancer } from '../capability/enhancer.ts';
import { expectInteger } from './expect-option.ts';
import { importLazily } from './import-lazily.ts';
import { findSignal, isFault } from './is-fault.ts';

export interface RetryOptions {
  /** Calls of the handler in all. @default 3 */
  readonly attempts?: number;
  /** Wait before the second attempt, milliseconds; it doubles each time, with jitter. @default 100 */
  readonly backoffMs?: number;
  /** The longest wait, milliseconds. @default 5000 */
  readonly maxBackoffMs?: number;
  /** Which errors are worth another attempt. @default unforeseen errors and those with a 5xx status */
  readonly when?: (error: unknown) => boolean;
}

/**
 * Calls the handler again when it fails. Stops when nobody waits any more (`ctx.signal`); the request timeout covers all
 * attempts. Put it on work that may run twice.
 *
 * @throws RangeError for a bad number
 */
export function withRetry({
  attempts = 3,
  backoffMs = 100,
  maxBackoffMs = 5000,
  when = isFault,
}: RetryOptions = {}): Enhancer {
  expectInteger('withRetry attempts', attempts, { min: 1, max: 100 });
  expectInteger('withRetry backoffMs', backoffMs, { min: 0 });
  expectInteger('withRetry maxBackoffMs', maxBackoffMs, { min: backoffMs });
  const { ConstantBackoff, ExponentialBackoff, handleWhen, retry } = loadLibrary();
  const backoff =
    backoffMs === 0
      ? new ConstantBackoff(0)
      : new ExponentialBackoff({ initialDelay: backoffMs, maxDelay: maxBackoffMs });
  const policy = retry(handleWhen(when), { maxAttempts: attempts - 1, backoff });
  return defineEnhancer((next) => (input, ctx) => policy.execute(() => next(input, ctx), findSignal(ctx)), {
    name: 'withRetry',
    settings: { attempts, backoffMs, maxBackoffMs },
  });
}

const loadLibrary = importLazily<typeof Cockatiel>('cockatiel');
