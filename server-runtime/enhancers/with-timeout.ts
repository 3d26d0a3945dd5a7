import { createEnhancer, type Enhancer } from '../capability/enhancer.ts';
import { defaultErrors } from '../errors/define-error.ts';

/** The longest delay that a timer can hold, milliseconds (24.8 days). */
export const MAX_TIMEOUT_MS = 2_147_483_647;

/**
 * Replaces the default timeout for one capability: the caller gets 504 `Timeout`, and `ctx.signal` fires.
 * @throws RangeError unless `timeoutMs` is from 1 to 2147483647
 */
export function withTimeout(
  timeoutMs: number,
): Enhancer<unknown, unknown, unknown, typeof defaultErrors.Timeout> {
  expectTimeout(timeoutMs, 'withTimeout');
  return createEnhancer((next) => next, {
    name: 'withTimeout',
    timeoutMs,
    settings: { timeoutMs },
    errors: [defaultErrors.Timeout],
  });
}

export function expectTimeout(timeoutMs: number, option: string): number {
  if (timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS) return timeoutMs;
  throw new RangeError(
    `${option}: expected milliseconds from 1 to ${MAX_TIMEOUT_MS}, got ${String(timeoutMs)}.`,
  );
}
