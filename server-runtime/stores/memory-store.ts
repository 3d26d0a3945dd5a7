import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Store } from './store.ts';

/** Keeps values and windows in the memory of this process; the one that was unused longest makes room. */
export function createMemoryStore({ maxEntries = 100_000 } = {}): Store {
  // By size, because a cache of a fixed number takes the memory of all its entries at once.
  const bounds = { maxSize: maxEntries, sizeCalculation: () => 1 };
  const values = new LRUCache<string, string>({
    ...bounds,
    perf: { now: () => performance.now() },
  });
  const limiter = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: 0,
    keyPrefix: '',
  });
  // The library keeps every key for as long as its window lasts.
  const counted = new LRUCache<string, true>({
    ...bounds,
    dispose: (_value, key) => void limiter.delete(key),
  });
  return {
    name: 'memory',
    get: (key) => values.get(key),
    set: (key, value, ttlMs) => void values.set(key, value, { ttl: ttlMs }),
    swap: (key, { from, to, ttlMs = 0 }) => {
      const current = values.get(key);
      if (current === from && to === undefined) values.delete(key);
      if (current === from && to !== undefined) values.set(key, to, { ttl: ttlMs });
      return current;
    },
    consume: async (key, windowMs) => {
      counted.set(key, true);
      const { consumedPoints, msBeforeNext } = await limiter.consume(key, 1, {
        customDuration: windowMs / 1000,
      });
      // The library asks the clock on the wall, which may be set back.
      return { calls: consumedPoints, resetMs: Math.min(msBeforeNext, windowMs) };
    },
  };
}
