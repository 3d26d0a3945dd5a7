import { createEnhancer, type Enhancer } from '../capability/enhancer.ts';
import { defaultErrors } from '../errors/define-error.ts';
import { expectTimeout } from '../errors/expect-options.ts';

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
