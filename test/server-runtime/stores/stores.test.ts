import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryStore } from '../../../server-runtime/stores/memory-store.ts';
import { redisStore } from '../../../server-runtime/stores/redis-store.ts';
import type { Store } from '../../../server-runtime/stores/store.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';

/** What every store does. `pass` lets time go by. */
function describeStore(toStore: () => Store, pass: (ms: number) => unknown): void {
  let store: Store;
  let key = '';
  beforeEach(() => {
    store = toStore();
    key = `key ${Math.random()}`;
  });

  it('keeps a value until its time is over', async () => {
    expect(await store.get(key)).toBeUndefined();
    await store.set(key, 'a text with \u0000 and ü', 200);
    expect(await store.get(key)).toBe('a text with \u0000 and ü');
    await pass(300);
    expect(await store.get(key)).toBeUndefined();
  });

  it('adds a value only where there is none, and gives the one that there is', async () => {
    const add = async (to: string) => store.swap(key, { to, ttlMs: 10_000 });
    expect(await Promise.all([add('one'), add('two')])).toEqual([undefined, 'one']);
    expect(await store.get(key)).toBe('one');
  });

  it('swaps the value that is expected, and no other', async () => {
    await store.set(key, 'one', 10_000);
    expect(await store.swap(key, { from: 'two', to: 'three', ttlMs: 10_000 })).toBe('one');
    expect(await store.swap(key, { from: 'one', to: 'three', ttlMs: 10_000 })).toBe('one');
    expect(await store.get(key)).toBe('three');
    expect(await store.swap(key, { from: 'one' })).toBe('three');
    expect(await store.swap(key, { from: 'three' })).toBe('three');
    expect(await store.get(key)).toBeUndefined();
    expect(await store.swap(key, { from: 'three', to: 'four', ttlMs: 10_000 })).toBeUndefined();
    expect(await store.get(key)).toBeUndefined();
  });

  it('counts every call of a window, however many come at once', async () => {
    const counted = await Promise.all(
      Array.from({ length: 20 }, async () => store.consume(key, 60_000)),
    );
    expect(counted.map(({ calls }) => calls)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
    const { calls, resetMs } = await store.consume(key, 60_000);
    expect(calls).toBe(21);
    expect(resetMs).toBeGreaterThan(50_000);
    expect(resetMs).toBeLessThanOrEqual(60_000);
  });

  it('begins a window with a call, and another one when it is over', async () => {
    const countAll = async (): Promise<readonly number[]> => {
      const counted = await Promise.all(
        Array.from({ length: 3 }, async () => store.consume(key, 1000)),
      );
      return counted.map(({ calls }) => calls);
    };
    expect([await countAll(), await countAll()]).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    await pass(1100);
    expect(await countAll()).toEqual([1, 2, 3]);
  });
}

describe('memory', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] });
    // The library takes the first millisecond of a clock for no time at all.
    vi.advanceTimersByTime(1);
  });
  afterEach(() => void vi.useRealTimers());
  describeStore(createMemoryStore, (ms) => vi.advanceTimersByTimeAsync(ms));

  it('keeps 100,000 values and counts 100,000 callers and no more', async () => {
    const store = createMemoryStore();
    const isFirst = async (at: number): Promise<boolean> =>
      (await store.consume(`key ${at}`, 60_000)).calls === 1;
    for (let each = 0; each < 100_010; each++) {
      void store.set(`key ${each}`, 'value', 60_000);
      void store.consume(`key ${each}`, 60_000);
    }
    expect([store.get('key 9'), store.get('key 10')]).toEqual([undefined, 'value']);
    // A caller who comes again is not the quietest any more.
    expect([await isFirst(10), await isFirst(9)]).toEqual([false, true]);
    expect([await isFirst(10), await isFirst(11)]).toEqual([false, true]);
    // One timer for each that is kept.
    expect(vi.getTimerCount()).toBeLessThan(100_010);
  });

  it('does not ask the clock on the wall', async () => {
    const store = createMemoryStore();
    void store.set('key', 'value', 1000);
    await store.consume('key', 1000);
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await store.consume('key', 1000)).toEqual({ calls: 2, resetMs: 1000 });
    vi.advanceTimersByTime(1001);
    expect(store.get('key')).toBeUndefined();
    expect(await store.consume('key', 1000)).toMatchObject({ calls: 1 });
  });
});

describeWithRedis('redis', () => {
  let url = '';
  let store: Store | undefined;
  beforeAll(async () => {
    ({ url } = await startRedis());
  });
  afterEach(() => store?.stop?.());
  const toStore = (): Store => (store = redisStore(url, { prefix: 'stores:' }));
  describeStore(toStore, (ms) => new Promise((resolve) => void setTimeout(resolve, ms)));

  it('rounds a window up to whole seconds', async () => {
    const key = `key ${Math.random()}`;
    const made = toStore();
    const { resetMs } = await made.consume(key, 1001);
    expect(resetMs).toBeGreaterThan(1001);
    expect(resetMs).toBeLessThanOrEqual(2000);
    const { Redis } = await import('ioredis');
    const client = new Redis(url);
    expect(await client.pttl(`stores:${key}`)).toBeGreaterThan(1001);
    client.disconnect();
  });

  it('gives every key a time, so that none is kept for ever', async () => {
    const made = toStore();
    await made.set('a', '1', 60_000);
    await made.swap('b', { to: '1', ttlMs: 60_000 });
    await made.swap('b', { from: '1', to: '2', ttlMs: 60_000 });
    await made.consume('c', 60_000);
    const { Redis } = await import('ioredis');
    const client = new Redis(url);
    for (const key of ['a', 'b', 'c'])
      expect(await client.pttl(`stores:${key}`)).toBeGreaterThan(0);
    client.disconnect();
  });

  it('gives each of many keys a time, and a few hundred bytes, however often it is asked for', async () => {
    const { Redis } = await import('ioredis');
    const client = new Redis(url, { db: 1 });
    const counting = redisStore(client, { prefix: '' });
    const keys = Array.from({ length: 10_000 }, (_, at) => `caller ${at}`);
    const countAll = () => Promise.all(keys.map(async (key) => counting.consume(key, 3_600_000)));
    const findBytes = async () =>
      Number(/used_memory_dataset:(\d+)/.exec(await client.info('memory'))?.[1]);
    const before = await findBytes();
    await countAll();
    const after = await findBytes();
    await countAll();
    expect(await client.info('keyspace')).toContain('db1:keys=10000,expires=10000,');
    expect((after - before) / keys.length).toBeLessThan(400);
    expect(((await findBytes()) - after) / keys.length).toBeLessThan(40);
    client.disconnect();
  });

  it('rejects at once where there is no Redis, and may be asked again after it was stopped', async () => {
    const nowhere = redisStore('redis://127.0.0.1:1');
    await expect(Promise.resolve(nowhere.get('key'))).rejects.toThrow('ECONNREFUSED');
    await nowhere.stop?.();
    const made = toStore();
    await made.set('again', 'here', 60_000);
    await made.stop?.();
    expect(await made.get('again')).toBe('here');
  });
});
