import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { capability, createServer } from '../../../server-runtime/index.ts';
import { redisStore } from '../../../server-runtime/stores/redis-store.ts';
import { Gap, type Subscription, topic } from '../../../server-runtime/topics/index.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';
import { recordLog } from '../../helpers/start-rest.ts';

/** A topic of numbers in a Redis of its own, with a server whose log has what its store tells. */
async function open({ keeps = false } = {}) {
  const redis = await startRedis({ keeps });
  const client = new Redis(redis.url).on('error', () => {});
  const store = redisStore(redis.url, { prefix: 'a:' });
  const told: string[] = [];
  const logger = {
    ...recordLog(),
    info: (text: string) => void told.push(text),
    warn: (text: string) => void told.push(text),
  };
  const server = createServer({ capabilities: { getA: capability(() => 1) }, store, logger });
  onTestFinished(async () => {
    client.disconnect();
    await store.stop?.();
    await redis.kill();
  });
  const room = topic<number>('room', { store, maxItems: 1000 });
  const subscribe = (after?: string) =>
    room.subscribe({ signal: new AbortController().signal, after });
  const publish = async (from: number, end: number): Promise<void> => {
    for (let value = from; value < end; value++) await room.publish(value);
  };
  return { redis, client, store, told, server, room, subscribe, publish, key: 'a:topic:room' };
}

async function take(live: Subscription<number>, length: number): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < length) taken.push((await live.next()).value?.data ?? -1);
  return taken;
}

const numbers = (from: number, end: number): number[] =>
  Array.from({ length: end - from }, (_, at) => from + at);

describeWithRedis('a topic whose Redis goes away', () => {
  it('loses nothing with its connections', async () => {
    const { client, subscribe, publish, room, told } = await open();
    const live = await subscribe();
    await publish(0, 5);
    expect(await take(live, 5)).toEqual(numbers(0, 5));
    await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await expect.poll(() => room.publish(5).catch(() => 'away')).not.toBe('away');
    await publish(6, 9);
    expect(await take(live, 4)).toEqual(numbers(5, 9));
    await expect.poll(() => told.length).toBe(2);
    expect(told).toEqual([
      '[capix] Topics are not heard, as Redis does not answer: The connection to Redis was lost.',
      '[capix] Topics are heard again in Redis.',
    ]);
  });

  it('loses nothing where Redis is started again with what it had, and publish rejects meanwhile', async () => {
    const { redis, subscribe, publish, room } = await open({ keeps: true });
    const live = await subscribe();
    await publish(0, 5);
    expect(await take(live, 2)).toEqual([0, 1]);
    await redis.kill();
    await expect(room.publish(-1)).rejects.toMatchObject({
      name: 'ServiceUnavailable',
      status: 503,
      message: "The topic 'room' cannot be reached; try again in 1 s",
    });
    const leaving = new AbortController();
    const other = topic<number>('other', {
      store: redisStore(redis.url, { prefix: 'a:' }),
    });
    await expect(other.subscribe({ signal: leaving.signal })).rejects.toMatchObject({
      status: 503,
    });
    await redis.restart();
    await expect.poll(() => room.publish(5).catch(() => 'away')).not.toBe('away');
    await publish(6, 200);
    expect(await take(live, 198)).toEqual(numbers(2, 200));
  });

  it('ends with Gap where Redis has lost what it had', async () => {
    const { redis, subscribe, publish, room } = await open();
    const live = await subscribe();
    await publish(0, 5);
    expect(await take(live, 5)).toEqual(numbers(0, 5));
    await redis.kill();
    await redis.restart();
    await expect.poll(() => room.publish(5).catch(() => 'away')).not.toBe('away');
    await expect(take(live, 1)).rejects.toSatisfy(Gap.is);
    const again = await subscribe();
    await room.publish(6);
    expect(await take(again, 1)).toEqual([6]);
  });

  it('ends with Gap where the next item was trimmed before it was read', async () => {
    const { client, subscribe, room, key } = await open();
    const live = await subscribe();
    const [epoch = '', number = ''] = (await room.publish(0)).split('-');
    const next = (by: number): string => `${epoch}-${Number(number) + by}`;
    expect(await take(live, 1)).toEqual([0]);
    const steps = client.multi();
    for (const by of [1, 2, 3]) steps.xadd(key, next(by), 'v', '[1]');
    await steps.xtrim(key, 'MAXLEN', 1).exec();
    await expect(live.next()).rejects.toSatisfy(Gap.is);
    await expect(subscribe(next(1))).rejects.toSatisfy(Gap.is);
    expect((await subscribe(next(2))).id).toBe(next(2));
  });

  it('ends with Gap where a stream with earlier ids has taken its place meanwhile', async () => {
    const { client, subscribe, room, key } = await open();
    const live = await subscribe();
    await room.publish(0);
    expect(await take(live, 1)).toEqual([0]);
    const waiting = live.next();
    await client.multi().del(key).xadd(key, '7-1', 'v', '[1]').exec();
    await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await expect(waiting).rejects.toSatisfy(Gap.is);
  });

  it('gives a subscriber nothing from before it, also where its process has not read that yet', async () => {
    const { subscribe, publish, room } = await open();
    const first = await subscribe();
    for (let value = 0; value < 100; value += 3) {
      const [before, live] = await Promise.all([publish(value, value + 2), subscribe()]);
      expect(before).toBeUndefined();
      await room.publish(value + 2);
      const seen: number[] = [];
      while (seen.at(-1) !== value + 2) seen.push(...(await take(live, 1)));
      // The second one was published while it subscribed.
      expect([[value + 1, value + 2], [value + 2]]).toContainEqual(seen);
      await live.return();
    }
    expect(await take(first, 102)).toEqual(numbers(0, 102));
  });

  it('is heard anew at once, while its process waits for the items of others', async () => {
    const { store, subscribe, room } = await open();
    const other = topic<number>('other', { store });
    await other.subscribe({ signal: new AbortController().signal });
    for (let value = 0; value < 50; value++) {
      const left = await subscribe();
      await left.return();
      const published = [room.publish(-1), room.publish(-2)];
      const live = await subscribe();
      await Promise.all(published);
      await room.publish(value);
      expect(await take(live, 1)).toEqual([value]);
      await live.return();
    }
  });

  it('passes over what others write into its stream, and says so once', async () => {
    const { client, subscribe, room, key, told } = await open();
    const all = await Promise.all([subscribe(), subscribe()]);
    const [epoch = '', number = ''] = (await room.publish(0)).split('-');
    await client.xadd(key, `${epoch}-${Number(number) + 1}`, 'v', '{"not":devalue');
    await client.xadd(key, `${epoch}-${Number(number) + 2}`, 'w', '[1]');
    await room.publish(1);
    for (const live of all) expect(await take(live, 2)).toEqual([0, 1]);
    expect(told).toEqual([
      expect.stringContaining(
        "[capix] An item of the topic 'room' is not a value, and was left out:",
      ),
    ]);
    await client.xadd(key, '*', 'v', '[1]');
    for (const live of all) await expect(live.next()).rejects.toSatisfy(Gap.is);
    const live = await subscribe();
    await room.publish(2);
    expect(await take(live, 1)).toEqual([2]);
  });

  it('keeps a stream that somebody hears, and no other', async () => {
    const { client, store, key } = await open();
    const room = topic<number>('room', { store, keepMs: 5000 });
    const leaving = new AbortController();
    const live = await room.subscribe({ signal: leaving.signal });
    let last = Infinity;
    const isProlonged = async (): Promise<boolean> => {
      const before = last;
      last = await client.pttl(key);
      return last > before;
    };
    await expect.poll(isProlonged).toBe(true);
    leaving.abort();
    expect((await live.next()).done).toBe(true);
    expect(await client.pttl(key)).toBeLessThanOrEqual(5000);
  });

  it('ends with its store, and holds no connection once nobody hears it', async () => {
    const { client, store, subscribe, room } = await open();
    const count = async (): Promise<number> =>
      String(await client.client('LIST'))
        .trim()
        .split('\n').length;
    const [one, other] = [await subscribe(), await subscribe()];
    expect(await count()).toBe(3);
    await one.return();
    await room.publish(1);
    expect(await take(other, 1)).toEqual([1]);
    await other.return();
    await expect.poll(count).toBe(2);
    const last = await subscribe();
    const waiting = last.next();
    await store.stop?.();
    await expect(waiting).rejects.toMatchObject({ status: 503 });
    await expect.poll(count).toBe(1);
  });

  it('takes a client of ioredis, which it does not close', async () => {
    const { client } = await open();
    const store = redisStore(client, { prefix: 'b:' });
    onTestFinished(() => store.stop?.());
    const room = topic<number>('room', { store });
    const live = await room.subscribe({ signal: new AbortController().signal });
    await room.publish(1);
    expect(await take(live, 1)).toEqual([1]);
    await store.stop?.();
    await expect(live.next()).rejects.toMatchObject({ status: 503 });
    expect(await client.ping()).toBe('PONG');
  });
});
