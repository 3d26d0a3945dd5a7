import { once } from 'node:events';
import { createServer as createTcpServer, type Socket } from 'node:net';
import type { WebSocket as UndiciWebSocket } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer, WebSocket as WsWebSocket } from 'ws';
import * as z from 'zod';
import { ConnectionLost, createClient } from '../../../server-runtime/client/index.ts';
import { sse } from '../../../server-runtime/index.ts';
import { findFreePort } from '../../helpers/find-free-port.ts';
import { cap, classes, link, startForClients, startProxy } from '../../helpers/socket-clients.ts';
import { defer } from '../../helpers/start-rest.ts';

const things = {
  getToken: cap((_input, { token }) => token ?? 'nobody'),
  getName: cap(() => 'Ada'),
  getNumbers: cap(z.object({ to: z.number() }), async function* ({ to }) {
    for (let at = 0; at < to; at++) yield { at };
  }),
};

describe('a client that loses its connection', () => {
  it('59 goes on after its server was killed: streams behind their last id, calls that waited, no change twice', async () => {
    const port = await findFreePort();
    let made = 0;
    const hold = defer();
    const getEvents = cap
      .takes({ headers: { after: 'last-event-id' } })
      .input(z.object({ after: z.coerce.number().default(0) }))(async function* ({ after }) {
      for (let at = after + 1; at <= 2000; at++) {
        yield sse(at, { id: String(at) });
        if (at % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    });
    const createThing = cap(async () => {
      made++;
      await hold.promise;
      return made;
    });
    const all = { things: { ...things, getEvents, createThing } };
    const first = await startForClients(all, {}, port);
    const proxy = await startProxy(port);
    const api = createClient<typeof all>({ transport: link(proxy.url) });
    const items: number[] = [];
    const change = api.things.createThing.safe().catch((error: unknown) => error);
    for await (const item of await api.things.getEvents({})) {
      items.push(item);
      if (item === 500) {
        proxy.cut();
        expect(await change).toEqual(
          new ConnectionLost(
            'The connection was lost before the answer: it was closed with 1006',
            true,
          ),
        );
        expect((await change) as ConnectionLost).toMatchObject({ mayHaveRun: true });
      }
      if (item === 600) proxy.cut();
    }
    expect(items).toEqual(Array.from({ length: 2000 }, (_, at) => at + 1));
    expect(made).toBe(1);
    hold.resolve();

    await first.server.stop({ graceMs: 0 });
    const patient = createClient<typeof all>({ transport: link(`http://127.0.0.1:${port}`) });
    const waiting = patient.things.getToken();
    await startForClients(all, {}, port);
    expect(await waiting).toBe('nobody');
  });

  it('repeats a change that was lost only with a key', async () => {
    let count = 0;
    const begun = defer();
    const createThing = cap(async () => {
      count++;
      if (count > 1) return count;
      begun.resolve();
      return new Promise<number>(() => {});
    });
    const { url } = await startForClients({ things: { ...things, createThing } });
    const proxy = await startProxy(Number(new URL(url).port));
    const api = createClient<{ things: { createThing: typeof createThing } }>({
      transport: link(proxy.url),
    });
    const call = api.things.createThing({}, { idempotencyKey: 'one' });
    await begun.promise;
    proxy.cut();
    expect(await call).toBe(2);
  });

  it('a stream without ids ends with ConnectionLost', async () => {
    const { url } = await startForClients({ things });
    const proxy = await startProxy(Number(new URL(url).port));
    const api = createClient<{ things: typeof things }>({
      transport: link(proxy.url, { maxItems: 2 }),
    });
    const read = async (): Promise<void> => {
      for await (const { at } of await api.things.getNumbers({ to: 1e6 }))
        if (at === 1) proxy.cut();
    };
    await expect(read()).rejects.toBeInstanceOf(ConnectionLost);
  });

  it('57 moves when the server goes away: open calls are answered, no call is lost, none runs twice', async () => {
    const port = await findFreePort();
    const runs = new Map<number, number>();
    const createThing = cap(z.object({ at: z.number() }), async ({ at }) => {
      runs.set(at, (runs.get(at) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, at % 7));
      return at;
    });
    const all = { things: { createThing } };
    const first = await startForClients(all, {}, port);
    const clients = Array.from({ length: 20 }, () =>
      createClient<typeof all>({ transport: link(`http://127.0.0.1:${port}`) }),
    );
    let at = 0;
    const answers: Promise<number>[] = [];
    const callAll = (): void => {
      for (const api of clients) answers.push(api.things.createThing({ at: at++ }));
    };
    callAll();
    await Promise.all(answers);
    const timer = setInterval(callAll, 2);
    await new Promise((resolve) => setTimeout(resolve, 30));
    await first.server.stop();
    await startForClients(all, {}, port);
    await new Promise((resolve) => setTimeout(resolve, 30));
    clearInterval(timer);
    expect(await Promise.all(answers)).toEqual(Array.from({ length: at }, (_, index) => index));
    expect([...runs.values()].every((count) => count === 1)).toBe(true);
    expect(runs.size).toBe(at);
  });

  it('notices a server that is silent', async () => {
    const { url } = await startForClients({ things });
    const proxy = await startProxy(Number(new URL(url).port));
    const api = createClient<{ things: typeof things }>({
      transport: link(proxy.url, { silenceMs: 20 }),
    });
    expect(await api.things.getName()).toBe('Ada');
    proxy.hold();
    const call = api.things.getName().catch((error: unknown) => error);
    expect(await call).toEqual(
      new ConnectionLost('The connection was lost before the answer: The server is silent', true),
    );
  });

  it('tries again where a server takes connections and says nothing, and gives up in the end', async () => {
    const arrivals: Socket[] = [];
    let made = 0;
    const silent = createTcpServer((socket) => void arrivals.push(socket.on('error', () => {})));
    // It opens connections, and answers no message.
    const mute = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    const urls: string[] = [];
    silent.listen(0, '127.0.0.1');
    for (const server of [silent, mute]) {
      if (server.address() === null) await once(server, 'listening');
      const { port } = server.address() as { readonly port: number };
      urls.push(`http://127.0.0.1:${port}`);
      onTestFinished(() => void server.close());
    }
    onTestFinished(() => arrivals.forEach((socket) => void socket.destroy()));
    for (const url of urls)
      for (const [, Class] of classes) {
        const WebSocket = class extends (Class as typeof UndiciWebSocket) {
          constructor(at: string, protocols: string[]) {
            super(at, protocols);
            made++;
          }
        };
        const options = { WebSocket, connectMs: 50, reconnects: 1 };
        const api = createClient<{ things: typeof things }>({ transport: link(url, options) });
        const reason = 'The server did not open the connection within 50 ms';
        const lost = new ConnectionLost(`No connection could be made: ${reason}`);
        const calls = [api.things.getName(), api.things.getToken({}, { idempotencyKey: 'one' })];
        for (const call of calls) {
          await expect(call).rejects.toEqual(lost);
          await expect(call).rejects.toMatchObject({ mayHaveRun: false });
        }
        await expect(api.things.getName()).rejects.toEqual(lost);
      }
    // Each of four clients has connected twice for its first two calls, and twice for the last one.
    expect(made).toBe(16);

    const { url } = await startForClients({ things });
    const proxy = await startProxy(Number(new URL(url).port));
    proxy.hold();
    const api = createClient<{ things: typeof things }>({
      transport: link(proxy.url, { WebSocket: WsWebSocket, connectMs: 500 }),
    });
    const call = api.things.getName();
    await expect.poll(() => proxy.count()).toBe(1);
    proxy.goOn();
    expect(await call).toBe('Ada');
    expect(proxy.count()).toBe(2);
  });

  it('connects as often in a row as `reconnects` says, and counts anew with each word of a call', async () => {
    const none = link(`http://127.0.0.1:${await findFreePort()}`, { reconnects: 0 });
    const nobody = createClient<{ things: typeof things }>({ transport: none });
    await expect(nobody.things.getName()).rejects.toEqual(
      new ConnectionLost('No connection could be made: it was closed with 1006'),
    );
    const getEvents = cap
      .takes({ headers: { after: 'last-event-id' } })
      .input(z.object({ after: z.coerce.number().default(0) }))(async function* ({ after }) {
      yield sse(after + 1, { id: String(after + 1) });
      await new Promise(() => {});
    });
    let runs = 0;
    const getPoison = cap(() => {
      runs++;
      proxy.cut();
      return new Promise<never>(() => {});
    });
    const all = { things: { getEvents, getPoison } };
    const { url } = await startForClients(all);
    const proxy = await startProxy(Number(new URL(url).port));
    const api = createClient<typeof all>({ transport: link(proxy.url, { reconnects: 1 }) });
    await expect(api.things.getPoison({}, { idempotencyKey: 'one' })).rejects.toMatchObject({
      message: 'The connection was lost before the answer: it was closed with 1006',
      mayHaveRun: true,
    });
    expect(runs).toBe(2);
    const items: number[] = [];
    for await (const item of await api.things.getEvents({})) {
      items.push(item);
      if (item === 4) break;
      proxy.cut();
    }
    expect(items).toEqual([1, 2, 3, 4]);
  });

  it('calls a query again whose stream has no item yet, and no change', async () => {
    const port = await findFreePort();
    const begun: string[] = [];
    const wait = async function* (name: string, signal: AbortSignal): AsyncGenerator<string> {
      begun.push(name);
      if (begun.length > 6) yield 'here';
      await once(signal, 'abort');
    };
    const all = {
      things: {
        ...things,
        listThings: cap((_input: unknown, { signal }) => wait('query', signal)),
        createThing: cap((_input: unknown, { signal }) => wait('change', signal)),
        startThing: cap((_input: unknown, { signal }) => wait('slow change', signal)),
      },
    };
    const first = await startForClients(all, {}, port);
    const proxy = await startProxy(port);
    const api = createClient<typeof all>({ transport: link(proxy.url) });
    const read = async (stream: Promise<AsyncIterable<string>>): Promise<unknown> => {
      for await (const item of await stream) return item;
      return undefined;
    };
    const caught = (error: unknown): unknown => error;
    const query = read(api.things.listThings());
    const slow = read(api.things.startThing()).catch(caught);
    // They are streams by now, whose servers have said so.
    await new Promise((resolve) => setTimeout(resolve, 800));
    proxy.cut();
    expect(await slow).toMatchObject({ name: 'ConnectionLost', mayHaveRun: true });
    await expect.poll(() => begun).toEqual(['query', 'slow change', 'query']);
    const change = read(api.things.createThing()).catch(caught);
    await expect.poll(() => begun.length).toBe(4);
    await first.server.stop();
    expect(await change).toMatchObject({ name: 'ServiceUnavailable', status: 503 });
    begun.push('stopped', 'again');
    await startForClients(all, {}, port);
    expect(await query).toBe('here');
    expect(begun).toEqual(['query', 'slow change', 'query', 'change', 'stopped', 'again', 'query']);
  });

  it('reads its headers again before it connects again: a stream goes on with a token of now', async () => {
    const tokens: unknown[] = [];
    const getEvents = cap
      .takes({ headers: { after: 'last-event-id' } })
      .input(z.object({ after: z.coerce.number().default(0) }))(async function* (
      { after },
      { token },
    ) {
      tokens.push(token);
      yield sse(after + 1, { id: String(after + 1) });
      await new Promise(() => {});
    });
    const all = { things: { getEvents } };
    const { url } = await startForClients(all);
    const proxy = await startProxy(Number(new URL(url).port));
    const now = ['first', 'second', 'fault', 'third'];
    const api = createClient<typeof all>({
      transport: link(proxy.url),
      headers: () => {
        const authorization = now.shift();
        if (authorization === 'fault') throw new TypeError('No network');
        return { authorization };
      },
    });
    for await (const item of await api.things.getEvents({})) {
      if (item === 4) break;
      proxy.cut();
    }
    expect(tokens).toEqual(['first', 'second', 'second', 'third']);
  });

  it('is closed with each of its connections, also with one whose server goes away', async () => {
    const begun = defer();
    const left = defer();
    const createThing = cap(async (_input: unknown, { signal }) => {
      begun.resolve();
      await once(signal, 'abort');
      left.resolve();
    });
    const all = { things: { createThing } };
    const { server, url } = await startForClients(all);
    const transport = link(url);
    const api = createClient<typeof all>({ transport });
    const call = api.things.createThing().catch((error: unknown) => error);
    await begun.promise;
    const stopped = server.stop({ graceMs: 30_000 });
    await expect.poll(() => fetch(url).catch(() => 'closed')).toBe('closed');
    transport.close();
    expect(await call).toMatchObject({ name: 'ConnectionLost', mayHaveRun: true });
    await Promise.all([left.promise, stopped]);
  });

  it('survives a server that speaks something else', async () => {
    const other = new WebSocketServer({ port: 0 });
    onTestFinished(() => other.close());
    const answers = ['no JSON', '[1]', 'null', '{"id":1,"result":[[5]]}', '{"params":7}'];
    other.on('connection', (socket) => {
      socket.send('{"jsonrpc":"2.0","id":0,"result":null}');
      socket.on('message', (data: Buffer) => {
        if (data.toString().includes('getName'))
          socket.send(answers.shift() ?? '{"id":2,"error":{}}');
      });
    });
    const { port } = other.address() as { readonly port: number };
    const transport = link(`http://127.0.0.1:${port}`, { silenceMs: 50 });
    const api = createClient<{ things: typeof things }>({ transport });
    const first = api.things
      .getName({}, { idempotencyKey: 'one' })
      .catch((error: unknown) => error);
    await expect.poll(() => answers.length).toBe(0);
    transport.close();
    expect(await first).toBeInstanceOf(ConnectionLost);
  });
});
