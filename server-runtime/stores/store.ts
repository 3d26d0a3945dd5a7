import type { MaybePromise } from '../errors/maybe-promise.ts';
import type { TopicLog } from './topic-log.ts';

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
  /** Puts `to` in place of `from`, for `ttlMs`, unless the key has another value; returns the value that it had. */
  readonly swap: (key: string, change: Swap) => MaybePromise<string | undefined>;
  /**
   * Counts a call in the window of a key, which its first call begins, and which may be rounded up to whole seconds.
   * Gives the calls of the window, with this one, and the time until it is over, milliseconds.
   */
  readonly consume: (
    key: string,
    windowMs: number,
  ) => MaybePromise<{ readonly calls: number; readonly resetMs: number }>;
  /**
   * Names the caller for whom a key is written next, just before it is. A store without room can then make the caller
   * with the most records give some up. Missing where no caller can take the room of others.
   */
  readonly assign?: ((key: string, caller: string) => void) | undefined;
  /** Where topics are, as `capix/topics` needs it. Missing in a store that keeps none. */
  readonly topics?: TopicLog | undefined;
  /** Closes connections and timers. The store may be used again later. */
  readonly stop?: (() => MaybePromise<void>) | undefined;
}

/** Values of a key; undefined means none. */
export interface Swap {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly ttlMs?: number | undefined;
}
