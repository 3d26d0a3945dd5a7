import type { Consumed, CountedWindow } from './store.ts';

/** The most that the limiters of the library count: the limit of a window is known only where a call is counted. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** @param counted what the library says of a window that another call was counted in */
export function toConsumed(
  counted: { readonly consumedPoints: number; readonly msBeforeNext: number },
  { limit, windowMs }: CountedWindow,
): Consumed {
  return {
    ok: counted.consumedPoints <= limit,
    remainingCalls: Math.max(0, limit - counted.consumedPoints),
    resetMs: Math.min(counted.msBeforeNext, windowMs),
  };
}
