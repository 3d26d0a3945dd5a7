import type * as Cockatiel from 'cockatiel';
import { defineEnhancer, type Enhancer } from '../capability/enhancer.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { expectInteger } from './expect-option.ts';
import { importLazily } from './import-lazily.ts';
import { findSignal, isFault } from './is-fault.ts';

export interface CircuitBreakerOptions {
  /** Failures in a row that open the circuit. @default 5 */
  readonly failures?: number;
  /** How long calls are refused before one is let through to try, milliseconds. @default 30000 */
  readonly openMs?: number;
  /** Which errors count as failures. @default unforeseen errors, those with a 5xx status, and timeouts */
  readonly when?: (error: unknown) => boolean;
}

/**
 * Stops calling a handler that keeps failing, so that what it depends on can recover: callers get 503
 * `ServiceUnavailable` with `meta.retryAfterSeconds` at once. After `openMs` one call tries; if it succeeds the circuit closes.
 * The state is in the memory of this process, for each capability on its own.
 *
 * @throws RangeError for a bad number
 */
export function withCircuitBreaker({
  failures = 5,
  openMs = 30_000,
  when = isFault,
}: CircuitBreakerOptions = {}): Enhancer {
  expectInteger('withCircuitBreaker failures', failures, { min: 1 });
  expectInteger('withCircuitBreaker openMs', openMs, { min: 1 });
  const { circuitBreaker, ConsecutiveBreaker, handleWhen, isBrokenCircuitError } = loadLibrary();
  return defineEnhancer(
    (next) => {
      const policy = circuitBreaker(handleWhen(when), {
        halfOpenAfter: openMs,
        breaker: new ConsecutiveBreaker(failures),
      });
      let openedAt = 0;
      policy.onBreak(() => {
        openedAt = performance.now();
      });
      return (input, ctx) =>
        policy
          .execute(() => untilTimeout(async () => next(input, ctx), findSignal(ctx)))
          .catch((error: unknown) => {
            throw isBrokenCircuitError(error) ? circuitOpen(openMs - (performance.now() - openedAt)) : error;
          });
    },
    { name: 'withCircuitBreaker', settings: { failures, openMs }, errors: [defaultErrors.ServiceUnavailable] },
  );
}

const loadLibrary = importLazily<typeof Cockatiel>('cockatiel');

/** The handler's own end, or its timeout where that comes first: a dependency that hangs is broken too. A caller who leaves proves nothing. */
async function untilTimeout(work: () => Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (signal === undefined) return work();
  let stopWaiting = (): void => {};
  const timedOut = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => {
      const reason: unknown = signal.reason;
      if (reason instanceof Error && reason.name === 'TimeoutError') reject(reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    stopWaiting = () => signal.removeEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work(), timedOut]);
  } finally {
    stopWaiting();
  }
}

function circuitOpen(leftMs: number): Error {
  const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1000));
  return defaultErrors.ServiceUnavailable(`Unavailable after repeated failures; try again in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  });
}
