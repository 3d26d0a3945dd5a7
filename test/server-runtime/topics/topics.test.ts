import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMemoryTopics } from '../../../server-runtime/stores/memory-topics.ts';
import { redisStore } from '../../../server-runtime/stores/redis-store.ts';
import type { Store } from '../../../server-runtime/stores/store.ts';
import {
  Gap,
  SlowReader,
  type Subscription,
  type Topic,
  type TopicOptions,
  topic,
} from '../../../server-runtime/topics/index.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';

let count = 0;

/** A signal that ends with the test. */
function untilEnd(): AbortController {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  return controller;
}

async function subscribe<T>(to: Topic<T>, after?: string): Promise<Subscription<T>> {
  return to.subscribe({ signal: untilEnd().signal, after });
}

async function publishMany(to: Topic<number>, from: number, end: number): Promise<string[]> {
  const ids: string[] = [];
  for (let value = from; value < end; value++) ids.push(await to.publish(value));
  return ids;
}

async function take<T>(from: Subscription<T>, length: number): Promise<T[]> {
  const taken: T[] = [];
  while (taken.length < length) {
    const { done, value } = await from.next();
    if (done === true) break;
    taken.push(value.data);
  }
  return taken;
}

const numbers = (from: number, end: number): number[] =>
  Array.from({ length: end - from }, (_, at) => from + at);

/** What every topic does, wherever it is. */
function describeTopics(toStore: () => Store | undefined): void {
  const open = <T>(options: TopicOptions = {}, name = `topic ${count++}`): Topic<T> =>
    topic<T>(name, { store: toStore(), ...options });

  it('gives each item to every subscriber, in one order and with one id', async () => {
    const room = open<number>();
    const all = await Promise.all([subscribe(room), subscribe(room), subscribe(room)]);
    const ids = await publishMany(room, 0, 3);
    for (const one of all)
      for (const value of numbers(0, 3))
        expect((await one.next()).value).toMatchObject({ data: value, id: ids[value] });
  });

  it('keeps dates, maps and sets, and a copy of what was published', async () => {
    const room = open<{ at: Date; tags: Set<string>; list: number[] }>();
    const live = await subscribe(room);
    const value = { at: new Date(0), tags: new Set(['a']), list: [1] };
    await room.publish(value);
    value.list.push(2);
    const [data] = await take(live, 1);
    expect(data).toEqual({ at: new Date(0), tags: new Set(['a']), list: [1] });
    expect(Object.isFrozen(data?.list)).toBe(true);
    await expect(room.publish({ ...value, list: [(() => 1) as never] })).rejects.toThrow(
      'Cannot stringify a function',
    );
  });

  it('loses nothing between a snapshot and its items: it hears once it is awaited', async () => {
    const room = open<number>();
    await room.publish(0);
    const live = await subscribe(room);
    await publishMany(room, 1, 20);
    expect(await take(live, 19)).toEqual(numbers(1, 20));
  });

  it('goes on behind any item that is still there, and behind the id of a snapshot', async () => {
    const room = open<number>();
    const { id } = await subscribe(room);
    const ids = await publishMany(room, 0, 250);
    const live = await subscribe(room);
    expect(live.id).toBe(ids.at(-1));
    const first = await subscribe(room, id);
    expect(first.id).toBe(id);
    const middle = await subscribe(room, ids[100]);
    const last = await subscribe(room, ids.at(-1));
    await publishMany(room, 250, 260);
    expect(await take(first, 260)).toEqual(numbers(0, 260));
    expect(await take(middle, 159)).toEqual(numbers(101, 260));
    expect(await take(last, 10)).toEqual(numbers(250, 260));
    expect(await take(live, 10)).toEqual(numbers(250, 260));
  });

  it('two of one name are one topic, and others have nothing of it', async () => {
    const name = `room ${count++}`;
    const live = await subscribe(open<number>({}, name));
    await open<number>().publish(1);
    await open<number>({}, name).publish(2);
    expect(await take(live, 1)).toEqual([2]);
  });

  it.each([
    ['is no id', 'first'],
    ['was never there', '1-1'],
    ['is of the future', '999999999999999-1'],
    ['is too long', `${'9'.repeat(40)}-1`],
    ['is empty', ''],
  ])('rejects with Gap behind an id that %s', async (_what, after) => {
    const room = open<number>();
    await room.publish(1);
    await expect(subscribe(room, after)).rejects.toSatisfy(Gap.is);
  });

  it('rejects with Gap behind an item that is not followed by the next one any more', async () => {
    const room = open<number>({ maxItems: 10 });
    const { id } = await subscribe(room);
    const ids = await publishMany(room, 0, 400);
    await expect(subscribe(room, ids[0])).rejects.toSatisfy(Gap.is);
    await expect(subscribe(room, id)).rejects.toMatchObject({ name: 'Gap', status: 409 });
    const live = await subscribe(room, ids[389]);
    expect(await take(live, 10)).toEqual(numbers(390, 400));
  });

  it('a subscriber that missed more than a page sees the gap that comes while it reads', async () => {
    const room = open<number>({ maxItems: 300 });
    const { id } = await subscribe(room);
    await publishMany(room, 0, 300);
    const late = await subscribe(room, id);
    expect(await take(late, 50)).toEqual(numbers(0, 50));
    await publishMany(room, 300, 1000);
    const read = take(late, 1000);
    await expect(read).rejects.toSatisfy(Gap.is);
    expect((await late.next()).done).toBe(true);
  });

  it('a subscriber that does not read ends with SlowReader, and goes on behind its last item', async () => {
    const room = open<number>({ maxWaitingItems: 100 });
    const slow = await subscribe(room);
    const fast = await subscribe(room);
    const [id] = await publishMany(room, 0, 1);
    expect(await take(slow, 1)).toEqual([0]);
    const reading = take(fast, 201);
    await publishMany(room, 1, 201);
    expect(await reading).toEqual(numbers(0, 201));
    await expect(slow.next()).rejects.toSatisfy(SlowReader.is);
    expect((await slow.next()).done).toBe(true);
    expect(await take(await subscribe(room, id), 200)).toEqual(numbers(1, 201));
  });

  it('ends with its signal and with its reader, whether an item is waited for or not', async () => {
    const room = open<number>();
    const leaving = new AbortController();
    const left = await room.subscribe({ signal: leaving.signal });
    const waiting = left.next();
    const returned = await subscribe(room);
    await room.publish(1);
    expect((await waiting).value?.data).toBe(1);
    const last = left.next();
    leaving.abort();
    expect(await last).toEqual({ done: true, value: undefined });
    expect(await returned.return()).toEqual({ done: true, value: undefined });
    await room.publish(2);
    expect((await returned.next()).done).toBe(true);
    expect((await left.next()).done).toBe(true);
    await expect(room.subscribe({ signal: leaving.signal })).rejects.toThrow('aborted');
  });

  it('gives items to those who ask for several at once, in their order', async () => {
    const room = open<number>();
    const live = await subscribe(room);
    const asked = Promise.all(numbers(0, 3).map(() => live.next()));
    await publishMany(room, 0, 3);
    expect((await asked).map(({ value }) => value?.data)).toEqual([0, 1, 2]);
  });
}

describe('a topic in memory', () => {
  describeTopics(() => undefined);

  it('stays for a time in which nobody publishes to it or hears it, and then goes away', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const topics = createMemoryTopics();
    const limits = { maxItems: 10, keepMs: 5000 };
    const append = (name: string): Promise<string> => topics.append(name, '[1]', limits);
    const id = await append('left');
    const first = await topics.follow('heard', limits, { take: () => {}, fail: () => {} });
    await append('heard');
    vi.advanceTimersByTime(4000);
    await append('other');
    expect(await topics.read('left', id)).toEqual([]);
    vi.advanceTimersByTime(2000);
    await append('other');
    await append('other');
    await expect(topics.read('left', id)).rejects.toSatisfy(Gap.is);
    expect(await topics.read('heard', first.id)).toHaveLength(1);
  });

  it('does not grow for ever: of many topics, those that nobody uses go first', async () => {
    const old = topic<string>(`topic ${count++}`);
    const heard = topic<string>(`topic ${count++}`);
    const [oldId, live] = [await old.publish('x'), await subscribe(heard)];
    for (let at = 0; at < 10_010; at++) await topic<string>(`other ${at}`).publish('x');
    await expect(subscribe(old, oldId)).rejects.toSatisfy(Gap.is);
    await heard.publish('still');
    expect(await take(live, 1)).toEqual(['still']);
    const long = 'x'.repeat(1_048_576);
    const rooms = numbers(0, 100).map((at) => topic<string>(`long ${at}`));
    const starts: string[] = [];
    for (const room of rooms) {
      const live = await subscribe(room);
      starts.push(live.id);
      await live.return();
      await room.publish(long);
    }
    const again = await Promise.allSettled(rooms.map((room, at) => subscribe(room, starts[at])));
    const isThere = again.map(({ status }) => status === 'fulfilled');
    expect(isThere.slice(0, 30)).not.toContain(true);
    expect(isThere.slice(40)).not.toContain(false);
  });
});

describe('topic(name, options)', () => {
  it.each([
    ['', {}, 'topic: expected a name of 1 to 200 characters'],
    ['x'.repeat(201), {}, 'topic: expected a name of 1 to 200 characters'],
    ['a', { maxItems: 0 }, 'topic maxItems: expected an integer of at least 1, got 0.'],
    ['a', { maxWaitingItems: 0.5 }, 'topic maxWaitingItems: expected an integer of at least 1'],
    ['a', { keepMs: 10 }, 'topic keepMs: expected an integer from 5000 to 2147483647, got 10.'],
    ['a', { keep: 10 } as never, 'topic has no option `keep`. Did you mean `keepMs`?'],
    ['a', { store: { name: 'mine' } as never }, "topic 'a': the store 'mine' keeps no topics."],
  ])('refuses %j with %j', (name, options, message) => {
    expect(() => topic(name, options)).toThrow(message);
  });
});

describeWithRedis('a topic in Redis', () => {
  let url = '';
  let store: Store | undefined;
  beforeAll(async () => {
    ({ url } = await startRedis());
    store = redisStore(url, { prefix: 'topics:' });
    return () => store?.stop?.();
  });
  describeTopics(() => store);
});
