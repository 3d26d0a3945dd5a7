import type { Bucket, Taken } from './store.ts';

/** A bucket as it was when somebody last asked. */
export interface BucketState {
  /** Tokens, also parts of one. */
  readonly tokens: number;
  /** Milliseconds of the clock of the store. */
  readonly at: number;
}

/** Sums of parts come close to a whole token, and not always quite. */
const NEARLY = 1e-9;

/**
 * Takes a token. A clock that was set back fills nothing for a moment and takes nothing away. `redis/store-scripts.ts` does the same in the
 * language of Redis.
 */
export function takeToken(
  state: BucketState | undefined,
  { limit, windowMs }: Bucket,
  now: number,
): { readonly state: BucketState; readonly taken: Taken } {
  const filled =
    state === undefined ? limit : Math.min(limit, state.tokens + (Math.max(0, now - state.at) * limit) / windowMs);
  const ok = filled >= 1 - NEARLY;
  const tokens = ok ? Math.max(0, filled - 1) : filled;
  return { state: { tokens, at: now }, taken: toTaken(ok, tokens, { limit, windowMs }) };
}

/** The facts for callers about a bucket that has `tokens` left. */
export function toTaken(ok: boolean, tokens: number, { limit, windowMs }: Bucket): Taken {
  const msEach = windowMs / limit;
  const whole = Math.floor(tokens + NEARLY);
  return {
    ok,
    tokens: whole,
    retryMs: whole > 0 ? 0 : (1 - tokens) * msEach,
    resetMs: (limit - tokens) * msEach,
  };
}
