import { findDevLink } from './dev-link.ts';

let never: AbortSignal | undefined;

/**
 * A signal that fires when `capix dev` or `capix start` puts a newer process in place of this one: at once, while
 * requests that have begun are still answered. Timers, consumers and pollers stop then, so that they do not run beside
 * those of the newer code. Elsewhere it never fires.
 *
 * @example
 * ```ts
 * const timer = setInterval(() => console.log('still here'), 60_000);
 * replacedSignal().addEventListener('abort', () => clearInterval(timer));
 * ```
 */
export function replacedSignal(): AbortSignal {
  never ??= new AbortController().signal;
  return findDevLink()?.replaced ?? never;
}
