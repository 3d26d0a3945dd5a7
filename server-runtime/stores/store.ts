import type { MaybePromise } from '../errors/failure.ts';

/**
 * The place where limits, caches and idempotency keep texts under keys of at most 250 characters or so. Every method is
 * one step that nothing comes between, also where processes share the store, and throws where the store is away.
 */
export interface Store {
  /** Named in the log: `redis`. */
  readonly name: string;
  /** The value of a key; undefined where there is none, or its time is over. */
  readonly get: (key: string) => MaybePromise<string | undefined>;
  /** Keeps a value for `ttlMs` milliseconds, in place of another one. */
  readonly set: (key: string, value: string, ttlMs: number) => MaybePromise<void>;
  /** Keeps a value for `ttlMs` milliseconds unless the key has one; gives what it had, or undefined. */
  readonly add: (key: string, value: string, ttlMs: number) => MaybePromise<string | undefined>;
  /** Replaces the value `from` by another, or nothing; gives false where the value is not `from`. */
  readonly swap: (key: string, change: Swap) => MaybePromise<boolean>;
  /** Counts a call in the window of a key, also one that there is no room for. */
  readonly consume: (key: string, window: CountedWindow) => MaybePromise<Consumed>;
  /** Lets go of connections and timers. The store may be asked again later. */
  readonly stop?: (() => MaybePromise<void>) | undefined;
}

/** The change of the value `from` to another, kept for `ttlMs`; without another one, the key is taken away. */
export interface Swap {
  readonly from: string;
  readonly to?: string | undefined;
  readonly ttlMs?: number | undefined;
}

/** A window in which calls are counted; it begins with its first call. A store may round it up to whole seconds. */
export interface CountedWindow {
  readonly limit: number;
  readonly windowMs: number;
}

export interface Consumed {
  readonly ok: boolean;
  readonly remainingCalls: number;
  /** The time until the window is over, milliseconds. */
  readonly resetMs: number;
}

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
