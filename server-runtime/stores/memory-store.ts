import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Store } from './store.ts';

/** The characters of all values that one store keeps. */
const MAX_CHARACTERS = 67_108_864;

/**
 * The number of owners among which the store looks for the largest one. A larger store looks at a part, so that a write
 * stays short.
 */
const MAX_OWNERS = 10_000;

interface Held {
  readonly value: string;
  readonly owner: string;
  readonly cost: number;
}

/**
 * Stores values and windows in the memory of this process. A long value counts as several. Where there is no room, the
 * owner with the most records loses the one that was unused longest, so that no caller can push out the records of
 * others.
 */
export function createMemoryStore({ maxEntries = 100_000 } = {}): Store {
  const values = createBoundedValues(maxEntries);
  const limiter = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: 0,
    keyPrefix: '',
  });
  // The library keeps every key for as long as its window lasts.
  const counted = new LRUCache<string, true>({
    // By size, because a cache of a fixed number takes the memory of all its entries at once.
    maxSize: maxEntries,
    sizeCalculation: () => 1,
    dispose: (_value, key) => void limiter.delete(key),
  });
  return {
    name: 'memory',
    get: values.get,
    set: values.set,
    swap: (key, { from, to, ttlMs = 0 }) => {
      const current = values.get(key);
      if (current === from && to === undefined) values.delete(key);
      if (current === from && to !== undefined) values.set(key, to, ttlMs);
      return current;
    },
    assign: values.assign,
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

function createBoundedValues(maxEntries: number) {
  const shares = new Shares();
  const values = new LRUCache<string, Held>({
    perf: { now: () => performance.now() },
    maxSize: maxEntries,
    sizeCalculation: ({ cost }) => cost,
    // Called for a value whose time is over, too, once it is read or its place is needed.
    dispose: (record, key) => shares.remove(key, record),
  });
  const charactersOfEntry = MAX_CHARACTERS / maxEntries;
  /** The owner of the next value. */
  let assigned = { key: '', caller: '' };
  return {
    assign: (key: string, caller: string): void => {
      assigned = { key, caller };
    },
    get: (key: string): string | undefined => {
      const record = values.get(key);
      if (record !== undefined) shares.add(key, record);
      return record?.value;
    },
    set: (key: string, value: string, ttlMs: number): void => {
      const owner = assigned.key === key ? assigned.caller : '';
      const cost = Math.max(1, Math.ceil((key.length + value.length) / charactersOfEntry));
      values.delete(key);
      if (cost > maxEntries) return;
      const record = { value, owner, cost };
      while (values.calculatedSize + cost > maxEntries)
        values.delete(shares.expectKeyToDrop(record));
      values.set(key, record, { ttl: ttlMs });
      shares.add(key, record);
    },
    delete: (key: string): void => void values.delete(key),
  };
}

/** The keys of each owner, the latest used at the end, and their cost together. */
class Shares {
  readonly #byOwner = new Map<string, { readonly keys: Set<string>; cost: number }>();

  /** Adds a key, or notes that it was used. */
  add(key: string, { owner, cost }: Held): void {
    const share = this.#byOwner.get(owner) ?? { keys: new Set<string>(), cost: 0 };
    this.#byOwner.set(owner, share);
    if (share.keys.delete(key)) share.cost -= cost;
    share.keys.add(key);
    share.cost += cost;
  }

  remove(key: string, { owner, cost }: Held): void {
    const share = this.#byOwner.get(owner);
    if (share?.keys.delete(key) !== true) return;
    share.cost -= cost;
    if (share.keys.size === 0) this.#byOwner.delete(owner);
  }

  /** Called when there is no room for another key. The owner that would then have the most gives one up. */
  expectKeyToDrop(next: Held): string {
    let [most, largest] = [0, new Set<string>()];
    let count = 0;
    for (const [owner, { keys, cost }] of this.#byOwner) {
      count += 1;
      if (count > MAX_OWNERS) break;
      const wanted = owner === next.owner ? cost + next.cost : cost;
      if (wanted <= most) continue;
      most = wanted;
      largest = keys;
    }
    const [first] = largest;
    if (first === undefined) throw new Error('A store that is full has no key.');
    return first;
  }
}
