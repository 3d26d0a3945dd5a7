import type { LRUCache } from 'lru-cache';
import { defineEnhancer, type Enhancer, type Next } from '../capability/enhancer.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { expectInteger } from './expect-integer.ts';
import { withLibrary } from './with-library.ts';

/** The options of `withRateLimit`: how many calls it lets through, of whom, in which time. */
export interface RateLimitOptions<in Input = never, in Ctx = never> {
  /** Calls that are let through in one window. */
  readonly limit: number;
  /** Length of the window, milliseconds. It opens with the first call. */
  readonly windowMs: number;
  /** Whose calls are counted together: `(input, ctx) => ctx.user.id`; undefined puts those callers together. @default everybody's */
  readonly by?: ((input: Input, ctx: Ctx) => string | undefined) | undefined;
  /** Callers counted at the same time; the one that was quiet longest is forgotten. @default 100000 */
  readonly maxCallers?: number | undefined;
}

/**
 * Refuses calls above a limit with 429 `TooManyRequests` and `meta: {limit, windowMs, retryAfterSeconds}`; over HTTP also
 * `Retry-After`. Counts in the memory of this process, for each capability on its own, after guards and validation.
 *
 * @throws RangeError for a bad number
 *
 * @example
 * ```ts
 * export const signIn = capability(z.object({ email: z.string() }), ({ email }) => ({ sentTo: email }))
 *   .enhance(withRateLimit({ limit: 5, windowMs: 60_000, by: ({ email }) => email }));
 * ```
 */
export function withRateLimit<Input, Ctx>(
  options: RateLimitOptions<Input, Ctx>,
): Enhancer<Input, Ctx, unknown, typeof defaultErrors.TooManyRequests> {
  const { limit, windowMs, maxCallers = 100_000 } = options;
  expectInteger('withRateLimit limit', limit, { min: 1 });
  expectInteger('withRateLimit windowMs', windowMs, { min: 1 });
  expectInteger('withRateLimit maxCallers', maxCallers, { min: 1, max: 10_000_000 });
  return defineEnhancer<Input, Ctx, Ctx, typeof defaultErrors.TooManyRequests>(
    (next) =>
      withLibrary(
        () => import('lru-cache'),
        ({ LRUCache }) => limited(next as Next, options, new LRUCache({ max: maxCallers })),
      ),
    { name: 'withRateLimit', errors: [defaultErrors.TooManyRequests], settings: { limit, windowMs } },
  );
}

interface Window {
  calls: number;
  /** Milliseconds of `performance.now()`. */
  endsAt: number;
}

function limited(next: Next, { limit, windowMs, by }: RateLimitOptions, windows: LRUCache<string, Window>): Next {
  const callerOf = by as ((input: unknown, ctx: unknown) => string | undefined) | undefined;
  return (input, ctx) => {
    const caller = callerOf === undefined ? '' : String(callerOf(input, ctx));
    const now = performance.now();
    const open = windows.get(caller);
    if (open === undefined || open.endsAt <= now) {
      windows.set(caller, { calls: 1, endsAt: now + windowMs });
    } else if (open.calls < limit) {
      open.calls++;
    } else {
      throw tooManyCalls({ limit, windowMs, leftMs: open.endsAt - now });
    }
    return next(input, ctx);
  };
}

function tooManyCalls({
  limit,
  windowMs,
  leftMs,
}: {
  readonly limit: number;
  readonly windowMs: number;
  readonly leftMs: number;
}): Error {
  const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1000));
  return defaultErrors.TooManyRequests(`Too many requests; try again in ${retryAfterSeconds} s`, {
    limit,
    windowMs,
    retryAfterSeconds,
  });
}
