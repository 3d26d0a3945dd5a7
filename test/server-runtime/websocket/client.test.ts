import { once } from 'node:events';
import {
  connect,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { WebSocket as UndiciWebSocket } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer, WebSocket as WsWebSocket } from 'ws';
import * as z from 'zod';
import {
  ApiError,
  ConnectionLost,
  createClient,
  createClientOf,
  isApiError,
  type WebSocketClass,
  type WebSocketClientOptions,
  webSocket,
} from '../../../server-runtime/client/index.ts';
import {
  type BaseContext,
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineError,
  defineGuard,
  type GroupTree,
  redirect,
  restTransport,
  type Server,
  silentLogger,
  sse,
  text,
} from '../../../server-runtime/index.ts';
import {
  type WebSocketOptions,
  webSocketTransport,
} from '../../../server-runtime/websocket/index.ts';
import { findFreePort } from '../../helpers/find-free-port.ts';
import { defer } from '../../helpers/start-rest.ts';

const Taken = defineError(409, 'Taken', { meta: z.object({ until: z.date() }) });

interface Caller extends BaseContext {
  readonly token: string | undefined;
}
const cap = capability.withContext<Caller>();
const context = defineContext(({ headers }) => ({ token: headers.authorization }));

const things = {
  getThing: cap(z.object({ id: z.string() }), ({ id }) => ({
    id,
    at: new Date(0),
    tags: new Set(['a']),
    big: 2n,
  })),
  getToken: cap((_input, { token }) => token ?? 'nobody'),
  takeThing: cap.errors(Taken)(() => {
    throw Taken({ until: new Date(5) });
  }),
  getName: cap(() => 'Ada').output(text()),
  openThing: cap(() => 'https://a.example/').output(redirect),
  getNumbers: cap(z.object({ to: z.number() }), async function* ({ to }) {
    for (let at = 0; at < to; at++) yield { at, on: new Date(at) };
  }),
  getNothing: cap(async function* () {
    yield* [] as number[];
  }),
  getBroken: cap(async function* () {
    yield 1;
    throw defaultErrors.Conflict('Changed');
  }),
};

async function start(
  capabilities: object,
  socket: WebSocketOptions = {},
  port = 0,
): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer({
    capabilities: capabilities as GroupTree,
    context,
    transports: [restTransport({ port, host: '127.0.0.1' }), webSocketTransport(socket)],
    logger: silentLogger,
  });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return { server, url: started?.url ?? '' };
}

const classes: readonly (readonly [string, WebSocketClass])[] = [
  ['ws', WsWebSocket],
  ['undici', UndiciWebSocket],
];
const [, [, Undici] = [] as never] = classes;

/** A link that is closed with the test. */
function link(url: string, options: WebSocketClientOptions = {}) {
  const made = webSocket(url, { WebSocket: Undici, ...options });
  onTestFinished(() => made.close());
  return made;
}

describe.each(classes)('a client over a WebSocket of %s', (_name, WebSocket) => {
  it('has the data, dates, sets and errors of the capabilities', async () => {
    const { url } = await start({ things });
    const api = createClient<{ things: typeof things }>({ transport: link(url, { WebSocket }) });
    const thing = await api.things.getThing({ id: '7' });
    expect(thing).toEqual({ id: '7', at: new Date(0), tags: new Set(['a']), big: 2n });
    expect([thing.at satisfies Date, await api.things.getName()]).toEqual([new Date(0), 'Ada']);
    expect(await api.things.openThing.safe()).toMatchObject({
      ok: true,
      status: 302,
      data: 'https://a.example/',
    });
    const taken = await api.things.takeThing.safe();
    expect(taken).toMatchObject({ ok: false, status: 409 });
    if (!taken.ok && taken.error.name === 'Taken')
      expect(taken.error.meta.until).toEqual(new Date(5));
    else expect.fail('It is not refused');
    await expect(api.things.getThing({ id: 7 as never })).rejects.toSatisfy(
      (error) => isApiError(error, 'BadRequest') && error.status === 400,
    );
  });

  it('reads streams, to their end, their error, or until it has enough', async () => {
    const { url } = await start({ things });
    const api = createClient<{ things: typeof things }>({
      transport: link(url, { WebSocket, maxItems: 4 }),
    });
    const read = async (to: number): Promise<unknown[]> => {
      const items: unknown[] = [];
      for await (const item of await api.things.getNumbers({ to })) items.push(item);
      return items;
    };
    expect(await read(100)).toEqual(
      Array.from({ length: 100 }, (_, at) => ({ at, on: new Date(at) })),
    );
    for await (const item of await api.things.getNothing()) expect.fail(`There is ${item}`);
    const broken = (await api.things.getBroken())[Symbol.asyncIterator]();
    expect(await broken.next()).toEqual({ done: false, value: 1 });
    await expect(broken.next()).rejects.toMatchObject({
      name: 'Conflict',
      status: 409,
      message: 'Changed',
    });
    for await (const { at } of await api.things.getNumbers({ to: 1e9 })) if (at === 10) break;
    expect(await api.things.getName()).toBe('Ada');
  });
});

describe('a client over a WebSocket', () => {
  it('that was written has dates by their places', async () => {
    const { url } = await start({
      things: {
        getThing: cap(z.object({ id: z.string() }), ({ id }) => ({ id, at: new Date(0) })),
      },
    });
    interface Api {
      readonly things: {
        readonly getThing: (input: { readonly id: string }) => Promise<{ readonly at: Date }>;
      };
    }
    const create = createClientOf<Api>({
      'things.getThing': ['GET', '/things/{id}', { kinds: { 200: { fields: { at: 'date' } } } }],
    });
    const api = create({ transport: link(url) });
    expect(await api.things.getThing({ id: 'a' })).toEqual({ id: 'a', at: new Date(0) });
  });

  it('sends the headers of the client with every call, and asks for them each time', async () => {
    const { url } = await start({ things });
    let token = 'first';
    const api = createClient<{ things: typeof things }>({
      transport: link(url),
      headers: () => (token === '' ? {} : { authorization: token }),
    });
    expect(await api.things.getToken()).toBe('first');
    token = 'second';
    expect(await api.things.getToken()).toBe('second');
    expect(await api.things.getToken({}, { headers: { authorization: 'own' } })).toBe('own');
    token = '';
    expect(await api.things.getToken()).toBe('nobody');
  });

  it('has a connection of its own where its headers are its own: no call runs with those of another client', async () => {
    const { url } = await start({ things });
    const transport = link(url);
    const ada = { transport, headers: { authorization: 'Ada' } };
    const api = createClient<{ things: typeof things }>(ada);
    const taken = new TypeError(
      'Another client has this connection. Make one for each: webSocket(url).',
    );
    for (const headers of [undefined, { authorization: 'Bob' }, () => ({ authorization: 'Bob' })])
      expect(() => createClient({ transport, headers })).toThrow(taken);
    const again = createClient<{ things: typeof things }>(ada);
    expect(await Promise.all([api.things.getToken(), again.things.getToken()])).toEqual([
      'Ada',
      'Ada',
    ]);

    const shared = link(url);
    const first = {
      transport: shared,
      headers: undefined as { authorization: string } | undefined,
    };
    const nobody = createClient<{ things: typeof things }>(first);
    const other = createClient<{ things: typeof things }>({ transport: shared });
    expect(await other.things.getToken()).toBe('nobody');
    first.headers = { authorization: 'Ada' };
    expect(await nobody.things.getToken()).toBe('Ada');
    await expect(other.things.getToken()).rejects.toEqual(taken);
  });

  it('asks for headers once more where the server wants others, and then fails', async () => {
    const mustBeAda = defineGuard(function mustBeAda({ token }: Caller) {
      if (token === 'blocked') throw defaultErrors.Forbidden('Blocked');
      if (token !== 'Ada') throw defaultErrors.Unauthorized('No session');
    });
    const { url } = await start({ things }, { guards: [mustBeAda] });
    const tokens = ['old', 'Ada', 'Ada'];
    const renewing = createClient<{ things: typeof things }>({
      transport: link(url),
      headers: () => ({ authorization: tokens.shift() ?? 'Ada' }),
    });
    expect(await renewing.things.getToken()).toBe('Ada');
    let count = 0;
    const stale = createClient<{ things: typeof things }>({
      transport: link(url),
      headers: () => {
        count++;
        return { authorization: 'old' };
      },
    });
    const refused = await stale.things.getToken.safe();
    expect(refused).toMatchObject({
      ok: false,
      status: 401,
      error: { name: 'Unauthorized', message: 'No session' },
    });
    expect(count).toBe(2);
    const blocked = createClient<{ things: typeof things }>({
      transport: link(url),
      headers: { authorization: 'blocked' },
    });
    await expect(blocked.things.getToken()).rejects.toMatchObject({
      name: 'Forbidden',
      status: 403,
    });
  });

  it('leaves a call when its signal fires', async () => {
    const fired = defer();
    const begun = defer();
    const getNever = cap(async (_input, { signal }) => {
      begun.resolve();
      await once(signal, 'abort');
      fired.resolve();
    });
    const { url } = await start({ things: { ...things, getNever } });
    const api = createClient<{ things: { getNever: typeof getNever } & typeof things }>({
      transport: link(url),
    });
    const controller = new AbortController();
    const call = api.things.getNever({}, { signal: controller.signal });
    await begun.promise;
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await fired.promise;
    await expect(api.things.getToken({}, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(await api.things.getToken()).toBe('nobody');
  });

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
    const first = await start(all, {}, port);
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
    await start(all, {}, port);
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
    const { url } = await start({ things: { ...things, createThing } });
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
    const { url } = await start({ things });
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
    const first = await start(all, {}, port);
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
    await start(all, {}, port);
    await new Promise((resolve) => setTimeout(resolve, 30));
    clearInterval(timer);
    expect(await Promise.all(answers)).toEqual(Array.from({ length: at }, (_, index) => index));
    expect([...runs.values()].every((count) => count === 1)).toBe(true);
    expect(runs.size).toBe(at);
  });

  it('notices a server that is silent', async () => {
    const { url } = await start({ things });
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

    const { url } = await start({ things });
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
    const { url } = await start(all);
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
    const first = await start(all, {}, port);
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
    await start(all, {}, port);
    expect(await query).toBe('here');
    expect(begun).toEqual(['query', 'slow change', 'query', 'change', 'stopped', 'again', 'query']);
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

  it('has a limit for calls that wait, and ends them when it is closed', async () => {
    const transport = link(`http://127.0.0.1:${await findFreePort()}`, { maxWaitingCalls: 2 });
    const api = createClient<{ things: typeof things }>({ transport });
    const calls = [api.things.getName(), api.things.getName()].map((call) =>
      call.catch((error: unknown) => error),
    );
    await expect(api.things.getName()).rejects.toEqual(
      new ConnectionLost('2 calls wait for a connection already'),
    );
    transport.close();
    const closed = new ConnectionLost('The connection was closed by close()');
    expect(await Promise.all(calls)).toEqual([closed, closed]);
    await expect(api.things.getName()).rejects.toEqual(closed);
  });

  it('is closed while nothing is called, and opens again', async () => {
    const { url } = await start({ things });
    const opened: string[] = [];
    class Counted extends UndiciWebSocket {
      constructor(at: string, protocols: string[]) {
        super(at, protocols);
        opened.push(at);
      }
    }
    const api = createClient<{ things: typeof things }>({
      transport: link(url, { WebSocket: Counted, idleMs: 30 }),
    });
    await Promise.all([api.things.getName(), api.things.getName()]);
    expect(opened).toEqual([`${url.replace('http', 'ws')}/_call`]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await api.things.getName()).toBe('Ada');
    expect(opened).toHaveLength(2);
  });

  it('says what it cannot do', async () => {
    const { url } = await start({ things });
    const transport = link(url);
    const api = createClient<{ things: typeof things }>({ transport });
    await expect(api.things.getThing({ id: new Blob(['a']) as never })).rejects.toThrow(
      '`id` is a file, which no message can carry: send it over HTTP.',
    );
    await expect(api.things.getName({}, { intercept: [] })).rejects.toThrow(TypeError);
    await api.things.getName();
    const createOther = createClientOf<typeof api>({ 'things.getName': ['GET', '/things/name'] });
    expect(() => createOther({ transport })).toThrow('Another client has this connection');
    // @ts-expect-error -- messages are sent to the address of the connection
    void (() => createClient<typeof things>({ transport, baseUrl: 'https://a.example' }));
    const wrong = createClient<{ things: typeof things }>({ transport: link('no address') });
    await expect(wrong.things.getName()).rejects.toBeInstanceOf(ApiError);
    if (globalThis.WebSocket === undefined) {
      const none = createClient<{ things: typeof things }>({ transport: webSocket(url) });
      await expect(none.things.getName()).rejects.toThrow('This runtime has no WebSocket');
    }
  });
});

/** A proxy to a port of this machine, whose connections can be cut, or hold what they get. */
async function startProxy(port: number) {
  const pairs = new Set<Socket>();
  let isHolding = false;
  let count = 0;
  const server: TcpServer = createTcpServer((near) => {
    count++;
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      pairs.add(from);
      from.on('error', () => {}).on('close', () => to.destroy());
      from.on('data', (bytes: Buffer) => {
        if (!isHolding) to.write(bytes);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of pairs) socket.destroy();
    pairs.clear();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const { port: own } = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${own}`,
    cut,
    count: () => count,
    hold: () => {
      isHolding = true;
    },
    goOn: () => {
      isHolding = false;
    },
  };
}
