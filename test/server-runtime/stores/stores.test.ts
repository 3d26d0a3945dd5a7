import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { redisStore } from '../../../server-runtime/redis/index.ts';
import { createMemoryStore } from '../../../server-runtime/stores/memory-store.ts';
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
    expect(await Promise.all([store.add(key, 'one', 10_000), store.add(key, 'two', 10_000)])).toEqual([
      undefined,
      'one',
    ]);
    expect(await store.get(key)).toBe('one');
  });

  it('swaps the value that is expected, and no other', async () => {
    await store.set(key, 'one', 10_000);
    expect(await store.swap(key, { from: 'two', to: 'three', ttlMs: 10_000 })).toBe(false);
    expect(await store.swap(key, { from: 'one', to: 'three', ttlMs: 10_000 })).toBe(true);
    expect(await store.get(key)).toBe('three');
    expect(await store.swap(key, { from: 'three' })).toBe(true);
    expect(await store.get(key)).toBeUndefined();
  });

  it('lets as many take as the bucket holds, however many come at once', async () => {
    const bucket = { limit: 5, windowMs: 60_000 };
    const taken = await Promise.all(Array.from({ length: 20 }, async () => store.take(key, bucket)));
    expect(taken.filter(({ ok }) => ok).map(({ tokens }) => tokens)).toEqual([4, 3, 2, 1, 0]);
    const { ok, retryMs, resetMs } = await store.take(key, bucket);
    expect(ok).toBe(false);
    expect(retryMs).toBeGreaterThan(6000);
    expect(retryMs).toBeLessThanOrEqual(12_000);
    expect(resetMs).toBeGreaterThan(54_000);
    expect(resetMs).toBeLessThanOrEqual(60_000);
  });

  it('fills a bucket at an even rate', async () => {
    const bucket = { limit: 2, windowMs: 400 };
    const takeAll = async (): Promise<number> => {
      const taken = await Promise.all(Array.from({ length: 5 }, async () => store.take(key, bucket)));
      return taken.filter(({ ok }) => ok).length;
    };
    expect(await takeAll()).toBe(2);
    expect(await takeAll()).toBe(0);
    await pass(250);
    expect(await takeAll()).toBe(1);
    await pass(450);
    expect(await takeAll()).toBe(2);
  });
}

describe('memory', () => {
  beforeAll(() => import('lru-cache'));
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] });
    // The library takes the first millisecond of a clock for no time at all.
    vi.advanceTimersByTime(1);
  });
  afterEach(() => void vi.useRealTimers());
  describeStore(createMemoryStore, (ms) => vi.advanceTimersByTimeAsync(ms));

  it('keeps 100,000 keys and no more', () => {
    const store = createMemoryStore();
    for (let each = 0; each < 200_000; each++) {
      void store.set(`key ${each}`, 'value', 60_000);
      void store.take(`key ${each}`, { limit: 1, windowMs: 60_000 });
    }
    expect(store.get('key 99999')).toBeUndefined();
    expect(store.get('key 100000')).toBe('value');
  });

  it('does not ask the clock on the wall', () => {
    const store = createMemoryStore();
    const bucket = { limit: 1, windowMs: 1000 };
    void store.set('key', 'value', 1000);
    void store.take('key', bucket);
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(1001);
    expect(store.get('key')).toBeUndefined();
    expect(store.take('key', bucket)).toMatchObject({ ok: true });
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

  it('a clock that was set back keeps nobody out', async () => {
    const made = toStore();
    const { Redis } = await import('ioredis');
    const client = new Redis(url);
    // As it would be if the clock had been an hour ahead when somebody last took.
    await client.set('stores:back', `0.000000000000 ${Date.now() + 3_600_000}`);
    const bucket = { limit: 1, windowMs: 100 };
    expect(await made.take('back', bucket)).toMatchObject({ ok: false });
    await expect.poll(async () => (await made.take('back', bucket)).ok).toBe(true);
    client.disconnect();
  });

  it('gives every key a time, so that none is kept for ever', async () => {
    const made = toStore();
    await made.set('a', '1', 60_000);
    await made.add('b', '1', 60_000);
    await made.swap('b', { from: '1', to: '2', ttlMs: 60_000 });
    await made.take('c', { limit: 1, windowMs: 60_000 });
    const { Redis } = await import('ioredis');
    const client = new Redis(url);
    for (const key of ['a', 'b', 'c']) expect(await client.pttl(`stores:${key}`)).toBeGreaterThan(0);
    client.disconnect();
  });

  it('gives each of many keys a time, and a few hundred bytes, however often it is asked for', async () => {
    const { Redis } = await import('ioredis');
    const client = new Redis(url, { db: 1 });
    const counting = redisStore(client);
    const keys = Array.from({ length: 10_000 }, (_, at) => `caller ${at}`);
    const takeAll = () => Promise.all(keys.map(async (key) => counting.take(key, { limit: 5, windowMs: 3_600_000 })));
    const findBytes = async () => Number(/used_memory_dataset:(\d+)/.exec(await client.info('memory'))?.[1]);
    const before = await findBytes();
    await takeAll();
    const after = await findBytes();
    await takeAll();
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
