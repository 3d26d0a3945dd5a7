import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  defaultErrors,
  reply,
  sse,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { defer } from '../../helpers/start-rest.ts';
import { startSockets } from '../../helpers/start-web-sockets.ts';

const Count = z.object({ to: z.number(), size: z.number().optional() });

/** What streams have made, and which have ended; each test makes its own. */
function createFeed() {
  const seen = { made: 0, ended: 0, signal: undefined as AbortSignal | undefined };
  const ends = defer();
  const getNumbers = capability(Count, async function* ({ to, size }) {
    try {
      for (let at = 0; at < to; at++) {
        seen.made++;
        yield size === undefined ? at : 'x'.repeat(size);
      }
    } finally {
      seen.ended++;
      ends.resolve();
    }
  });
  const begun = defer();
  const getSilence = capability(async function* (_input: unknown, { signal }) {
    seen.signal = signal;
    try {
      yield 'first';
      begun.resolve();
      await once(signal, 'abort');
    } finally {
      seen.ended++;
      ends.resolve();
    }
  });
  return {
    seen,
    ended: ends.promise,
    begun: begun.promise,
    capabilities: { feed: { getNumbers, getSilence } },
  };
}

const item = (id: number, data: unknown, more = {}) => ({
  jsonrpc: '2.0',
  method: '$/item',
  params: { id, data, ...more },
});

describe('a stream over a WebSocket', () => {
  it('16 is its items, and then its answer', async () => {
    const { capabilities } = createFeed();
    const statuses: number[] = [];
    const hooks = { onResponse: ({ status }: { status: number }) => void statuses.push(status) };
    const talk = await (await startSockets({ capabilities, hooks })).open();
    const id = talk.call('feed.getNumbers', { to: 3 });
    const messages = [await talk.next(), await talk.next(), await talk.next(), await talk.next()];
    expect(messages).toEqual([
      item(id, 0),
      item(id, 1),
      item(id, 2),
      { jsonrpc: '2.0', id, result: null },
    ]);
    expect(statuses).toEqual([101, 200]);
    const open = { jsonrpc: '2.0', method: '$/stream', params: { id: 2, repeats: true } };
    expect(await talk.ask('feed.getNumbers', { to: 0 })).toEqual(open);
    expect(await talk.next()).toEqual({ jsonrpc: '2.0', id: 2, result: null });
  });

  it('is said to be open where its first item takes its time, or its status is another one', async () => {
    const hold = defer();
    const getLate = capability(async function* () {
      await hold.promise;
      yield* [];
      throw defaultErrors.Conflict();
    });
    const getPart = capability(() =>
      reply(
        (async function* () {
          yield 1;
        })(),
        { status: 206 },
      ),
    );
    const { open } = await startSockets({ capabilities: { feed: { getLate, findPart: getPart } } });
    const talk = await open();
    expect(await talk.ask('feed.getLate')).toMatchObject({ method: '$/stream', params: { id: 1 } });
    hold.resolve();
    expect(await talk.next()).toMatchObject({ id: 1, error: { code: 409 } });
    expect(await talk.ask('feed.findPart')).toMatchObject({ params: { id: 2, status: 206 } });
    expect(await talk.readItems()).toMatchObject({ items: [1], end: { id: 2, result: null } });
  });

  it('17 ends with an error after three items', async () => {
    const getPart = capability(async function* () {
      yield* [1, 2, 3];
      throw defaultErrors.Conflict('It has changed', { at: 3 });
    });
    const failed: unknown[] = [];
    const { open, log } = await startSockets({
      capabilities: { feed: { getPart } },
      hooks: { onError: ({ failure }) => void failed.push(failure.name) },
    });
    const talk = await open();
    talk.call('feed.getPart');
    const { items, end } = await talk.readItems();
    expect(items).toEqual([1, 2, 3]);
    expect(end.error).toEqual({
      code: 409,
      message: 'It has changed',
      data: { error: 'Conflict', status: 409, meta: { at: 3 } },
    });
    expect([failed, log.errors]).toEqual([['Conflict'], []]);
  });

  it('18 is a failure where it throws before the first item', async () => {
    const getNone = capability(async function* () {
      yield* [];
      throw new TypeError('broken');
    });
    const getBad = capability(async function* () {
      yield 1;
      yield new Map();
    });
    const statuses: number[] = [];
    const { open, log } = await startSockets({
      capabilities: { feed: { getNone, getBad } },
      hooks: { onResponse: ({ status }) => void statuses.push(status) },
    });
    const talk = await open();
    expect(await talk.ask('feed.getNone')).toMatchObject({ id: 1, error: { code: -32_603 } });
    expect(log.errors).toMatchObject([{ error: new TypeError('broken') }]);
    expect(statuses).toEqual([101, 500]);
    talk.call('feed.getBad');
    expect(await talk.readItems()).toMatchObject({ items: [1], end: { error: { code: -32_603 } } });
    expect(log.errors).toHaveLength(2);
  });

  it('19 ends in the finally of its generator when it is cancelled, and is not answered', async () => {
    const { capabilities, seen, ended, begun } = createFeed();
    const talk = await (await startSockets({ capabilities })).open();
    const id = talk.call('feed.getSilence');
    await Promise.all([talk.next(), begun]);
    talk.send({ method: '$/cancel', params: { id } });
    await ended;
    expect(seen.signal?.aborted).toBe(true);
    expect(await talk.ask('feed.getNumbers', { to: 1 })).toMatchObject({ params: { id: id + 1 } });
  });

  it('20 a cancel or a credit of an unknown id changes nothing', async () => {
    const { capabilities } = createFeed();
    const talk = await (await startSockets({ capabilities })).open();
    talk.send({ method: '$/cancel', params: { id: 7 } });
    talk.send({ method: '$/more', params: { id: 'x', count: 1 } });
    talk.send({ method: '$/later', params: {} });
    expect(await talk.ask('feed.getNumbers', { to: 1 })).toMatchObject({ params: { data: 0 } });
    await talk.next();
    talk.send({ method: '$/cancel' });
    expect(await talk.next()).toMatchObject({ id: null, error: { code: -32_600 } });
    talk.send({ id: 9, method: '$/later' });
    expect(await talk.next()).toMatchObject({ id: 9, error: { code: -32_601 } });
  });

  it('21 is cancelled while it waits for its reader', async () => {
    const { capabilities, seen, ended } = createFeed();
    const talk = await (await startSockets({ capabilities })).open();
    talk.webSocket.pause();
    const id = talk.call('feed.getNumbers', { to: 100_000, size: 1000 });
    await untilQuiet(() => seen.made);
    expect(seen.ended).toBe(0);
    talk.send({ method: '$/cancel', params: { id } });
    await ended;
    expect(seen.made).toBeLessThan(20_000);
  });

  it('22 ends with its connection, as all calls do: their signals fire', async () => {
    const { capabilities, ended, begun, seen } = createFeed();
    const fired = defer();
    const getNever = capability(async (_input: unknown, { signal }) => {
      await once(signal, 'abort');
      fired.resolve();
    });
    const { open } = await startSockets({
      capabilities: { ...capabilities, others: { getNever } },
    });
    const talk = await open();
    talk.call('feed.getSilence');
    talk.call('others.getNever');
    await begun;
    talk.webSocket.terminate();
    await Promise.all([ended, fired.promise]);
    expect(seen.signal?.aborted).toBe(true);
  });

  it('23 makes few items for a reader that has stopped', async () => {
    const { capabilities, seen } = createFeed();
    const talk = await (await startSockets({ capabilities })).open();
    talk.webSocket.pause();
    talk.call('feed.getNumbers', { to: 100_000, size: 1000 });
    const made = await untilQuiet(() => seen.made);
    expect(made).toBeLessThan(20_000);
    talk.webSocket.resume();
    const { items } = await talk.readItems();
    expect(items).toHaveLength(100_000);
  });

  it('makes few items for a reader that has stopped where they are compressed, which takes turns of its own', async () => {
    let made = 0;
    const getNoise = capability(async function* () {
      for (; made < 100_000; made++) yield randomBytes(1500).toString('base64');
    });
    const { open } = await startSockets({
      capabilities: { feed: { getNoise } },
      socket: { compression: true },
    });
    const talk = await open();
    talk.webSocket.pause();
    talk.call('feed.getNoise');
    const before = await untilQuiet(() => made);
    expect(before).toBeLessThan(20_000);
    talk.webSocket.resume();
    await expect.poll(() => made).toBeGreaterThan(before + 1000);
  });

  it('24 many calls without reading fill no memory, and each has its answer in the end', async () => {
    let calls = 0;
    const getText = capability(() => {
      calls++;
      return 'x'.repeat(100_000);
    });
    const talk = await (await startSockets({ capabilities: { feed: { getText } } })).open();
    talk.webSocket.pause();
    for (let sent = 0; sent < 2000; sent++) talk.call('feed.getText');
    const answered = await untilQuiet(() => calls);
    expect(answered).toBeLessThan(300);
    talk.webSocket.resume();
    for (let id = 1; id <= 2000; id++) expect((await talk.next()).id).toBe(id);
    expect(calls).toBe(2000);
  });

  it('25 makes one item after the other in a window of 1', async () => {
    const { capabilities, seen } = createFeed();
    const talk = await (await startSockets({ capabilities })).open();
    const id = talk.call('feed.getNumbers', { to: 3 }, { window: 1 });
    expect(await talk.next()).toEqual(item(id, 0));
    expect(await untilQuiet(() => seen.made)).toBe(1);
    talk.send({ method: '$/more', params: { id, count: 1 } });
    expect(await talk.next()).toEqual(item(id, 1));
    talk.send({ method: '$/more', params: { id, count: 1 } });
    expect(await talk.next()).toEqual(item(id, 2));
    talk.send({ method: '$/more', params: { id, count: 1 } });
    expect(await talk.next()).toMatchObject({ result: null });
    talk.call('feed.getNumbers', { to: 3 }, { window: 0 });
    expect(await talk.next()).toMatchObject({ id: 2, error: { code: -32_600 } });
  });

  it('26 makes as many items as it has credit, which may be more than its window', async () => {
    const { capabilities, seen } = createFeed();
    const talk = await (await startSockets({ capabilities })).open();
    const id = talk.call('feed.getNumbers', { to: 100 }, { window: 2 });
    talk.send({ method: '$/more', params: { id, count: 10 } });
    expect(await untilQuiet(() => seen.made)).toBe(12);
    talk.send({ method: '$/more', params: { id, count: -1 } });
    talk.send({ method: '$/more', params: { id, count: Number.MAX_SAFE_INTEGER } });
    talk.send({ method: '$/more', params: { id, count: Number.MAX_SAFE_INTEGER } });
    await untilQuiet(() => seen.made);
    const numbers = talk.unread.filter(({ method }) => method === '$/item');
    expect(numbers.map(({ params }) => params?.data)).toEqual(
      Array.from({ length: 100 }, (_, at) => at),
    );
  });

  it('27 flows while another one of its connection waits for its reader', async () => {
    const { capabilities } = createFeed();
    const talk = await (await startSockets({ capabilities })).open();
    const slow = talk.call('feed.getNumbers', { to: 10 }, { window: 1 });
    expect(await talk.next()).toEqual(item(slow, 0));
    talk.call('feed.getNumbers', { to: 1000 }, { window: 2000 });
    expect((await talk.readItems()).items).toHaveLength(1000);
  });

  it('28 has the ids and names of sse(…) beside its items', async () => {
    const getEvents = capability(async function* () {
      yield sse({ a: 1 }, { id: '1', event: 'changed' });
      yield sse({ a: 2 }, { id: 'ä"' });
      yield { a: 3 };
    });
    const talk = await (await startSockets({ capabilities: { feed: { getEvents } } })).open();
    const id = talk.call('feed.getEvents');
    expect(await talk.next()).toEqual(item(id, { a: 1 }, { eventId: '1', event: 'changed' }));
    expect(await talk.next()).toEqual(item(id, { a: 2 }, { eventId: 'ä"' }));
    expect(await talk.next()).toEqual(item(id, { a: 3 }));
    talk.send({ method: 'feed.getEvents' });
    expect(await talk.next()).toMatchObject({ id, result: null });
  });

  it('29 is 504 where its call takes too long', async () => {
    const getSlow = capability(() => new Promise(() => {})).enhance(withTimeout(20));
    const talk = await (await startSockets({ capabilities: { feed: { getSlow } } })).open();
    expect(await talk.ask('feed.getSlow')).toMatchObject({
      error: { code: 504, data: { error: 'Timeout', status: 504 } },
    });
  });

  it('30 is ended where it comes too late, and nobody is sent it', async () => {
    const hold = defer();
    const ended = defer();
    const late = {
      next: () => Promise.resolve({ done: false, value: 1 }),
      return: async () => {
        ended.resolve();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
    const getLate = capability(async () => {
      await hold.promise;
      return late;
    }).enhance(withTimeout(20));
    const talk = await (
      await startSockets({ capabilities: { feed: { getLate, getNow: capability(() => 1) } } })
    ).open();
    expect(await talk.ask('feed.getLate')).toMatchObject({ error: { code: 504 } });
    hold.resolve();
    await ended.promise;
    expect(await talk.ask('feed.getNow')).toMatchObject({ id: 2, result: 1 });
  });
});

/** The number, once it has not changed for a while: what waits for its reader makes no more. */
async function untilQuiet(read: () => number): Promise<number> {
  let before = -1;
  while (read() !== before || before <= 0) {
    before = read();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return before;
}
