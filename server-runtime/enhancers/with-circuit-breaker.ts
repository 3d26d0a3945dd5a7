import { type Answer, createEnhancer, type Enhancer, type Next } from '../capability/enhancer.ts';
import { defaultErrors, isFrameworkError } from '../errors/define-error.ts';
import { expectInteger, expectKnownOptions } from '../errors/expect-options.ts';
import { untilAborted } from '../resources/item-source.ts';
import { findSignal } from './enhancer-state.ts';

export interface CircuitBreakerOptions {
  /** Failures in a row that open the circuit. Errors that do not count begin the row anew. @default 5 */
  readonly failures?: number | undefined;
  /** The time that calls are refused before one tries, milliseconds. @default 30000 */
  readonly openMs?: number | undefined;
}

/**
 * Stops calling a handler that keeps failing, by unexpected errors, 5xx or timeouts: callers get 503 at once. After
 * `openMs` one call tries; if it succeeds, the circuit closes. Each capability of a process has its own circuit.
 * @throws RangeError for a bad number
 */
export function withCircuitBreaker(
  options: CircuitBreakerOptions = {},
): Enhancer<unknown, unknown, unknown, typeof defaultErrors.ServiceUnavailable> {
  expectKnownOptions('withCircuitBreaker', options, { failures: true, openMs: true });
  const { failures = 5, openMs = 30_000 } = options;
  expectInteger('withCircuitBreaker failures', failures, { min: 1 });
  expectInteger('withCircuitBreaker openMs', openMs, { min: 1 });
  const wrap = (next: Next): Next => {
    let failuresInRow = 0;
    /** When a call may try; undefined while the circuit is closed. */
    let triesAt: number | undefined;

    return (input, ctx) => {
      const isTrial = triesAt !== undefined;
      const leftMs = (triesAt ?? 0) - performance.now();
      if (leftMs > 0) {
        const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1000));
        const message = `Unavailable after repeated failures; try again in ${retryAfterSeconds} s`;
        throw defaultErrors.ServiceUnavailable(message, { retryAfterSeconds });
      }
      if (isTrial) triesAt = performance.now() + openMs;
      const end = (isFailure: boolean): void => {
        // A call that began before the circuit opened proves nothing about the handler now.
        if (!isTrial && triesAt !== undefined) return;
        failuresInRow = isFailure ? failuresInRow + 1 : 0;
        triesAt = failuresInRow >= failures ? performance.now() + openMs : undefined;
      };
      const signal = findSignal(ctx);
      const answering = (async (): Promise<Answer> => next(input, ctx))();
      // The first end counts: the handler's own, or its timeout, because a dependency that hangs is broken too.
      const ended = signal === undefined ? answering : untilAborted(answering, signal);
      ended.then(
        () => end(false),
        (error: unknown) => {
          const hasLeft =
            signal?.aborted === true &&
            (signal.reason as Error | undefined)?.name !== 'TimeoutError';
          // An unexpected error or 5xx means that something is broken. Other errors are mistakes of the caller.
          if (!hasLeft) end(!isFrameworkError(error) || error.status >= 500);
          // A call whose caller left proves nothing: the next call may try.
          else if (isTrial && triesAt !== undefined) triesAt = performance.now();
        },
      );
      return answering;
    };
  };
  return createEnhancer(wrap, {
    name: 'withCircuitBreaker',
    settings: { failures, openMs },
    errors: [defaultErrors.ServiceUnavailable],
  });
}
