import type * as Cockatiel from 'cockatiel';
import { defineEnhancer, type Enhancer } from '../capability/enhancer.ts';
import { expectInteger } from './expect-option.ts';
import { findRetryAfterMs } from './find-retry-after-ms.ts';
import { findSignal } from './find-signal.ts';
import { isFault } from './is-fault.ts';
import { withLibrary } from './with-library.ts';

export interface RetryOptions {
  /** Calls of the handler in all. @default 3 */
  readonly attempts?: number;
  /** Wait before the second attempt, milliseconds; it doubles each time, with jitter. @default 100 */
  readonly backoffMs?: number;
  /** The longest wait, milliseconds. An error that asks for more is not repeated. @default 5000 */
  readonly maxBackoffMs?: number;
  /** Which errors are worth another attempt. @default unforeseen errors and those with a 5xx status */
  readonly when?: (error: unknown) => boolean;
}

/**
 * Calls the handler again when it fails, not before `meta.retryAfterSeconds` of its error are over. Stops when nobody waits any more (`ctx.signal`); the request timeout covers all
 * attempts. Put it on work that may run twice.
 *
 * @throws RangeError for a bad number
 */
export function withRetry(options: RetryOptions = {}): Enhancer {
  const { attempts = 3, backoffMs = 100, maxBackoffMs = 5000, when = isFault } = options;
  expectInteger('withRetry attempts', attempts, { min: 1, max: 100 });
  expectInteger('withRetry backoffMs', backoffMs, { min: 0 });
  expectInteger('withRetry maxBackoffMs', maxBackoffMs, { min: backoffMs });
  return defineEnhancer(
    (next) =>
      withLibrary(
        () => import('cockatiel'),
        (library) => {
          const policy = toPolicy(library, { attempts, backoffMs, maxBackoffMs, when });
          return (input, ctx) => policy.execute(() => next(input, ctx), findSignal(ctx));
        },
      ),
    { name: 'withRetry', settings: { attempts, backoffMs, maxBackoffMs } },
  );
}

function toPolicy(
  { ConstantBackoff, ExponentialBackoff, handleWhen, retry }: typeof Cockatiel,
  { attempts, backoffMs, maxBackoffMs, when }: Required<RetryOptions>,
): Cockatiel.RetryPolicy {
  const backoff =
    backoffMs === 0
      ? new ConstantBackoff(0)
      : new ExponentialBackoff({ initialDelay: backoffMs, maxDelay: maxBackoffMs });
  const isWorthIt = (error: unknown): boolean => findRetryAfterMs(error) <= maxBackoffMs && when(error);
  return retry(handleWhen(isWorthIt), { maxAttempts: attempts - 1, backoff: toPatient(backoff) });
}

type Backoff = Cockatiel.IBackoffFactory<Cockatiel.IRetryBackoffContext<unknown>>;

/** Waits at least as long as the error asks for. */
function toPatient(backoff: Backoff): Backoff {
  return {
    next: (context) => {
      const own = backoff.next(context);
      const asked = 'error' in context.result ? findRetryAfterMs(context.result.error) : 0;
      return { duration: Math.max(own.duration, asked), next: toPatient(own).next };
    },
  };
}
