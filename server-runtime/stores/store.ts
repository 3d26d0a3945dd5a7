import type { MaybePromise } from '../errors/outcome.ts';

/**
 * The place where limits, caches and idempotency keep what they know. Every method is one step that nothing comes between, also where many
 * processes share the store, and throws or rejects where the store is away. Times are those of the store: callers need not agree on a clock.
 * Values are texts, keys are texts of at most 250 characters or so.
 *
 * @example
 * ```ts
 * const asked = new Map<string, number>();
 *
 * // A store that counts what is asked of another one.
 * export function counted(store: Store): Store {
 *   const get: Store['get'] = (key) => {
 *     asked.set(key, (asked.get(key) ?? 0) + 1);
 *     return store.get(key);
 *   };
 *   return { ...store, get };
 * }
 * ```
 */
export interface Store {
  /** Named in the log: `redis`. */
  readonly name: string;
  /** The value of a key; undefined where there is none, or its time is over. */
  readonly get: (key: string) => MaybePromise<string | undefined>;
  /** Keeps a value for `ttlMs` milliseconds, in place of another one. */
  readonly set: (key: string, value: string, ttlMs: number) => MaybePromise<void>;
  /** Keeps a value for `ttlMs` milliseconds unless the key has one; gives the one that it had, undefined where it had none. */
  readonly add: (key: string, value: string, ttlMs: number) => MaybePromise<string | undefined>;
  /** Puts another value in the place of `from`, or nothing; gives false, with nothing changed, where the value is not `from`. */
  readonly swap: (key: string, change: Swap) => MaybePromise<boolean>;
  /** Takes one token out of a bucket; each key has a bucket of its own, which is full at first. */
  readonly take: (key: string, bucket: Bucket) => MaybePromise<Taken>;
  /** Lets go of connections and timers. The store may be asked again later. */
  readonly stop?: (() => MaybePromise<void>) | undefined;
}

/** The change of one value. */
export interface Swap {
  /** The value that the key must have. */
  readonly from: string;
  /** The new value; undefined takes the key away. */
  readonly to?: string | undefined;
  /** The time that the new value is kept, milliseconds. */
  readonly ttlMs?: number | undefined;
}

/** A bucket that holds `limit` tokens and fills within `windowMs` milliseconds, at an even rate. */
export interface Bucket {
  /** The tokens of a full bucket. */
  readonly limit: number;
  /** The time in which an empty bucket fills, milliseconds. */
  readonly windowMs: number;
}

/** The state of a bucket after somebody asked for a token. */
export interface Taken {
  /** Whether there was one. */
  readonly ok: boolean;
  /** Whole tokens that are left. */
  readonly tokens: number;
  /** The time until there is a token, milliseconds; 0 where there is one. */
  readonly retryMs: number;
  /** The time until the bucket is full, milliseconds. */
  readonly resetMs: number;
}
