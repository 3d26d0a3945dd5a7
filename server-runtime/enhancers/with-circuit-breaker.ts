import { defineEnhancer, type Enhancer, type Next } from '../capability/enhancer.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { isFrameworkError } from '../errors/define-error.ts';
import { expectInteger } from '../errors/expect-options.ts';
import { findSignal } from './enhancer-state.ts';

/** When `withCircuitBreaker` gives up on a handler, and for how long. */
export interface CircuitBreakerOptions {
  /** Failures in a row that open the circuit. Errors that do not count begin the row anew. @default 5 */
  readonly failures?: number | undefined;
  /** The longest time that calls are refused before one tries, milliseconds; at random down to 9/10. @default 30000 */
  readonly openMs?: number | undefined;
}

/**
 * Stops calling a handler that keeps failing, by unforeseen errors, 5xx or timeouts: callers get 503 at once. After
 * `openMs`, or later where the last error asks for it by `meta.retryAfterSeconds`, one call tries; if it succeeds the
 * circuit closes. The state is in the memory of this process, for each capability on its own.
 *
 * @throws RangeError for a bad number
 */
export function withCircuitBreaker({
  failures = 5,
  openMs = 30_000,
}: CircuitBreakerOptions = {}): Enhancer<unknown, unknown, unknown, typeof defaultErrors.ServiceUnavailable> {
  expectInteger('withCircuitBreaker failures', failures, { min: 1 });
  expectInteger('withCircuitBreaker openMs', openMs, { min: 1 });
  return defineEnhancer((next) => broken(next, failures, openMs), {
    name: 'withCircuitBreaker',
    settings: { failures, openMs },
    errors: [defaultErrors.ServiceUnavailable],
  });
}

/** Calls `next` while it succeeds (closed), not after too many failures in a row (open), and then once, to try. */
function broken(next: Next, failures: number, openMs: number): Next {
  let failuresInRow = 0;
  /** When a call may try; undefined while the circuit is closed. */
  let triesAt: number | undefined;
  let trial: object | undefined;

  function enter(): object | undefined {
    if (triesAt === undefined) return undefined;
    const leftMs = triesAt - performance.now();
    // A trial may end at any moment.
    if (leftMs > 0) throw circuitOpen(trial === undefined ? leftMs : 0);
    triesAt = performance.now() + openMs;
    trial = {};
    return trial;
  }
  function succeed(mine: object | undefined): void {
    // A call from before the circuit opened closes nothing; a trial does, also where another one followed.
    if (mine === undefined && triesAt !== undefined) return;
    failuresInRow = 0;
    triesAt = undefined;
    trial = undefined;
  }
  function fail(mine: object | undefined, error: unknown): void {
    const opens = mine === undefined ? triesAt === undefined && ++failuresInRow >= failures : mine === trial;
    if (!opens) return;
    const asked = isFrameworkError(error) ? Number(error.meta?.['retryAfterSeconds'] ?? 0) : 0;
    // It is open for less by chance, so that processes that opened at once try apart.
    triesAt = performance.now() + Math.max((asked || 0) * 1000, openMs * (1 - 0.1 * Math.random()));
    trial = undefined;
  }

  return async (input, ctx) => {
    const mine = enter();
    const signal = findSignal(ctx);
    let isOver = false;
    // The first end counts: the handler's own, or its timeout, because a dependency that hangs is broken too.
    const end = (failed?: { readonly error: unknown }): void => {
      if (isOver) return;
      isOver = true;
      const hasLeft = failed !== undefined && signal?.aborted === true && !isTimeout(signal.reason);
      // A caller who has left proves nothing: the next one may try.
      if (hasLeft) triesAt = mine !== undefined && mine === trial ? performance.now() : triesAt;
      else if (failed !== undefined && isFault(failed.error)) fail(mine, failed.error);
      else succeed(mine);
    };
    const onAbort = (): void => {
      if (isTimeout(signal?.reason)) end({ error: signal?.reason });
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const value = await next(input, ctx);
      end();
      return value;
    } catch (error) {
      end({ error });
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  };
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

function circuitOpen(leftMs: number): Error {
  const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1000));
  const message = `Unavailable after repeated failures; try again in ${retryAfterSeconds} s`;
  return defaultErrors.ServiceUnavailable(message, { retryAfterSeconds });
}

/** Whether an error says that something is broken, not that the caller is wrong: unforeseen, or 5xx. */
function isFault(error: unknown): boolean {
  return !isFrameworkError(error) || error.status >= 500;
}
