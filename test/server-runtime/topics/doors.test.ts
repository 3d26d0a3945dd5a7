import { WebSocket } from 'undici';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { createClient, webSocket } from '../../../server-runtime/client/index.ts';
import {
  capability,
  createServer,
  restTransport,
  silentLogger,
  sse,
  stream,
} from '../../../server-runtime/index.ts';
import { topic } from '../../../server-runtime/topics/index.ts';
import { webSocketTransport } from '../../../server-runtime/websocket/index.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';
import { findFreePort } from '../../helpers/find-free-port.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';
import { startSockets } from '../../helpers/start-web-sockets.ts';

const Post = z.object({ n: z.number(), at: z.date() });
type Post = z.infer<typeof Post>;

let count = 0;

/** A topic with the capabilities that stream it, and the signals of their calls. */
function createRoom() {
  const room = topic<Post>(`room of doors ${count++}`, { maxItems: 10 });
  const signals: AbortSignal[] = [];
  const AfterItem = z.object({ after: z.string().optional() });
  const fromLastId = { headers: { after: 'last-event-id' } } as const;
  const listPosts = capability(AfterItem, async ({ after }, { signal }) => {
    signals.push(signal);
    return room.subscribe({ signal, after });
  }).takes(fromLastId);
  const listAll = capability(async function* (_input: unknown, { signal }) {
    signals.push(signal);
    const live = await room.subscribe({ signal });
    yield sse({ n: -1, at: new Date(0) }, { id: live.id });
    yield* live;
  });
  const findTwo = capability(AfterItem, async function* ({ after }, { signal }) {
    const live = await room.subscribe({ signal, after });
    for (let read = 0; read < 2; read++) {
      const { done, value } = await live.next();
      if (done !== true) yield value;
    }
  });
  const publish = (n: number): Promise<string> => room.publish({ n, at: new Date(n) });
  return {
    room,
    signals,
    publish,
    capabilities: { posts: { listPosts }, all: { listAll }, two: { findTwo } },
  };
}

/** Opens a stream over HTTP, which ends with the test; gives what comes, until it holds a text. */
async function openStream(url: string, headers: Record<string, string> = {}) {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(url, { headers, signal: leaving.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (end: string): Promise<string> => {
    while (!text.includes(end)) {
      const { done, value = '' } = (await reader?.read()) ?? { done: true };
      text += value;
      if (done) return text;
    }
    return text;
  };
  return { response, until, leave: () => leaving.abort() };
}

const toLine = (n: number): string => JSON.stringify({ n, at: new Date(n) });

describe('a topic', () => {
  it('is events with ids over HTTP, which go on behind Last-Event-ID', async () => {
    const { publish, capabilities, signals } = createRoom();
    const { url } = await startOverSocket({ capabilities });
    const before = await publish(0);
    const first = await openStream(`${url}/posts`, { 'last-event-id': before });
    const id = await publish(1);
    expect(await first.until(toLine(1))).toBe(`id: ${id}\ndata: ${toLine(1)}\n\n`);
    first.leave();
    await expect.poll(() => signals[0]?.aborted).toBe(true);
    const next = await publish(2);
    const second = await openStream(`${url}/posts`, { 'last-event-id': id });
    expect(await second.until(toLine(2))).toBe(`id: ${next}\ndata: ${toLine(2)}\n\n`);
    for (let n = 3; n < 20; n++) await publish(n);
    const gap = await openStream(`${url}/posts`, { 'last-event-id': id });
    expect(gap.response.status).toBe(409);
    expect(JSON.parse(await gap.until('}'))).toMatchObject({ error: 'Gap' });
  });

  it('is lines of JSON for who accepts them', async () => {
    const { publish, capabilities } = createRoom();
    const { url } = await startOverSocket({ capabilities });
    const headers = { accept: 'application/x-ndjson', 'last-event-id': await publish(0) };
    await publish(1);
    const lines = await openStream(`${url}/posts`, headers);
    await publish(2);
    expect(await lines.until(toLine(2))).toBe(`${toLine(1)}\n${toLine(2)}\n`);
  });

  it('is items with ids over a WebSocket, and a gap is an error of its own', async () => {
    const { publish, capabilities } = createRoom();
    const { open } = await startSockets({ capabilities });
    const talk = await open();
    const after = await publish(0);
    const headers = { 'last-event-id': after };
    const eventId = await publish(1);
    const item = await talk.ask('posts.listPosts', {}, { headers });
    const data = { n: 1, at: new Date(1).toISOString() };
    expect(item.params).toEqual({ id: 1, data, eventId });
    for (let n = 2; n < 20; n++) await publish(n);
    const other = await open();
    expect(await other.ask('posts.listPosts', {}, { headers })).toMatchObject({
      error: { code: 409, data: { error: 'Gap', status: 409 } },
    });
  });

  it('ends with SlowReader for a caller who does not read, and no item is missing before it or after it', async () => {
    const room = topic<string>(`room of doors ${count++}`, { maxItems: 1000, maxWaitingItems: 50 });
    let heard = 0;
    const listTexts = capability(
      z.object({ after: z.string().optional() }),
      async ({ after }, { signal }) => {
        const live = await room.subscribe({ signal, after });
        heard++;
        return live;
      },
    ).takes({ headers: { after: 'last-event-id' } });
    const { open } = await startSockets({ capabilities: { texts: { listTexts } } });
    const slow = await open();
    slow.call('texts.listTexts', {}, { window: 5 });
    await expect.poll(() => heard).toBe(1);
    for (let at = 0; at < 100; at++) await room.publish(`${at}`);
    const seen: string[] = [];
    let id: unknown = '';
    for (const _ of [1, 2, 3, 4, 5]) {
      const { params } = await slow.next();
      seen.push(String(params?.data));
      id = params?.['eventId'];
    }
    slow.send({ method: '$/more', params: { id: 1, count: 100 } });
    expect(await slow.next()).toMatchObject({
      error: { code: 503, data: { error: 'SlowReader', status: 503 } },
    });
    const again = await open();
    again.call('texts.listTexts', {}, { headers: { 'last-event-id': id } });
    while (seen.length < 100) seen.push(String((await again.next()).params?.data));
    expect(seen).toEqual(Array.from({ length: 100 }, (_, at) => `${at}`));
  });

  it('goes on in another server for the client, with its dates', async () => {
    const { publish, capabilities, signals } = createRoom();
    const port = await findFreePort();
    const start = async () => {
      const transports = [restTransport({ port }), webSocketTransport()] as const;
      const made = createServer({ capabilities, transports, logger: silentLogger });
      await made.start();
      onTestFinished(() => made.stop({ graceMs: 0 }));
      return made;
    };
    const first = await start();
    const transport = webSocket(`http://127.0.0.1:${port}`, {
      WebSocket,
    });
    onTestFinished(() => transport.close());
    const api = createClient<typeof first>({ transport });
    const items = (await api.all.listAll({}))[Symbol.asyncIterator]();
    const posts = (await api.posts.listPosts({}))[Symbol.asyncIterator]();
    await expect.poll(() => signals.length).toBe(2);
    expect(await items.next()).toMatchObject({ value: { n: -1 } });
    await publish(1);
    expect(await posts.next()).toEqual({ done: false, value: { n: 1, at: new Date(1) } });
    await first.stop({ graceMs: 0 });
    await publish(2);
    await start();
    await publish(3);
    expect(await posts.next()).toEqual({ done: false, value: { n: 2, at: new Date(2) } });
    expect(await posts.next()).toEqual({ done: false, value: { n: 3, at: new Date(3) } });
  });

  it('is left by a reader in this process, whether it reads its items or what stands before them', async () => {
    const { publish, capabilities, signals } = createRoom();
    const server = createServer({ capabilities, logger: silentLogger });
    for await (const item of await server.invoke({ capability: 'all.listAll' })) {
      expect(item).toMatchObject({ data: { n: -1 } });
      break;
    }
    expect(signals[0]?.aborted).toBe(true);
    const items = await server.invoke({ capability: 'all.listAll' });
    const reader = items[Symbol.asyncIterator]();
    await reader.next();
    const waiting = reader.next();
    await publish(1);
    expect(await waiting).toMatchObject({ value: { data: { n: 1, at: new Date(1) } } });
    const last = reader.next();
    await reader.return?.(undefined);
    await last.catch(() => {});
    expect(signals[1]?.aborted).toBe(true);
  });

  it('is the list of its items for an agent, as far as the handler reads it', async () => {
    const { publish, capabilities } = createRoom();
    const after = await publish(0);
    await publish(1);
    await publish(2);
    const client = await connectToTools({ capabilities });
    const result = await client.callTool({ name: 'two_findTwo', arguments: { after } });
    const [{ text } = { text: '' }] = result.content as { text: string }[];
    expect(JSON.parse(text)).toEqual(JSON.parse(`[${toLine(1)},${toLine(2)}]`));
  });
});

describe('an item of a topic for many subscribers', () => {
  it('is written as JSON once for each form, also where a schema makes it', async () => {
    const { room, publish, capabilities } = createRoom();
    const listChecked = capability(async (_input: unknown, { signal }) =>
      room.subscribe({ signal }),
    ).output(stream(Post));
    const { open, url } = await startSockets({
      capabilities: { ...capabilities, checked: { listChecked } },
    });
    const talks = await Promise.all(Array.from({ length: 20 }, () => open()));
    const flat = await open({ protocols: 'capix.v1.flat' });
    const after = await publish(0);
    const headers = { 'last-event-id': after };
    for (const talk of [...talks, flat]) talk.call('posts.listPosts', {}, { headers });
    for (const talk of talks.slice(0, 5)) talk.call('checked.listChecked');
    const events = await openStream(`${url.replace('ws', 'http')}/posts`, headers);
    await publish(1);
    await Promise.all([...talks.map((talk) => talk.next()), flat.next(), events.until('data')]);
    const line = toLine(2);
    const stringify = vi.spyOn(JSON, 'stringify');
    onTestFinished(() => stringify.mockRestore());
    await publish(2);
    await Promise.all([...talks.map((talk) => talk.next()), flat.next(), events.until(line)]);
    const ofItem = stringify.mock.calls.filter(([value]) => (value as Post)?.n === 2);
    // The other one is that of the schema's result.
    expect(ofItem).toHaveLength(2);
  });
});
