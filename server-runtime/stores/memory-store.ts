import { LRUCache } from 'lru-cache';
import type { Store } from './store.ts';
import { type BucketState, takeToken } from './take-token.ts';

/** The options of a store in memory. */
export interface MemoryStoreOptions {
  /** Values and buckets that are kept; the one that was unused longest makes room. @default 100000 */
  readonly maxEntries?: number | undefined;
}

/** Keeps everything in the memory of this process, by a clock that nobody sets; each step is done in the same turn. */
export function createMemoryStore({ maxEntries = 100_000 }: MemoryStoreOptions = {}): Store {
  const values = new LRUCache<string, string>({ max: maxEntries, perf: { now: () => performance.now() } });
  const buckets = new LRUCache<string, BucketState>({ max: maxEntries });
  return {
    name: 'memory',
    get: (key) => values.get(key),
    set: (key, value, ttlMs) => void values.set(key, value, { ttl: ttlMs }),
    add: (key, value, ttlMs) => {
      const kept = values.get(key);
      if (kept === undefined) values.set(key, value, { ttl: ttlMs });
      return kept;
    },
    swap: (key, { from, to, ttlMs }) => {
      if (values.get(key) !== from) return false;
      if (to === undefined) values.delete(key);
      else values.set(key, to, ttlMs === undefined ? {} : { ttl: ttlMs });
      return true;
    },
    take: (key, bucket) => {
      const { state, taken } = takeToken(buckets.get(key), bucket, performance.now());
      buckets.set(key, state);
      return taken;
    },
  };
}
