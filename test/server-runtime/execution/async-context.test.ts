import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type RequestListener,
  request as requestOverHttp,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import express from 'express';
import fastify from 'fastify';
import Koa from 'koa';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  afterSuccess,
  capability,
  createServer,
  defineContext,
  defineGuard,
  defineMiddleware,
  type NodeHandler,
  silentLogger,
  toFetchHandler,
  toNodeHandler,
  uploadedFile,
  withIdempotency,
} from '../../../server-runtime/index.ts';
import { defer } from '../../helpers/start-rest.ts';
import { startSockets } from '../../helpers/start-web-sockets.ts';

/** What the host has stored for its request: a tenant, a user, a request id. */
const host = new AsyncLocalStorage<string>();
const readHost = (): string => host.getStore() ?? 'LOST';

type Ask = (path: string, init: RequestInit) => Promise<Response>;

const released: string[] = [];
const mustPass = defineGuard(async () => {});
const key = { 'idempotency-key': 'k' };

const a = {
  getOne: capability(readHost),
  create: capability(z.object({ a: z.string() }), readHost),
  submitGuarded: capability.guard(mustPass)(z.object({ a: z.string() }), readHost),
  submitOnce: capability(z.object({ a: z.string() }), readHost).enhance(
    withIdempotency({ ttlMs: 1000, by: () => Math.random().toString() }),
  ),
  submitForm: capability(z.object({ a: z.string() }), readHost).takes({ form: true }),
  submitAfter: capability(z.object({ a: z.string() }), (_input, ctx) => {
    const seen: string[] = [];
    afterSuccess(ctx, () => void seen.push(readHost()));
    return { toJSON: () => seen.join() };
  }),
  submitHeld: capability(z.object({ a: z.string() }), readHost),
  submitLines: capability(z.object({ a: z.string() }), async function* () {
    yield readHost();
    await new Promise(setImmediate);
    yield readHost();
  }),
  sendFile: capability(z.object({ file: uploadedFile() }), readHost),
  sendStream: capability(z.object({ file: uploadedFile({ stream: true }) }), async ({ file }) => {
    for await (const chunk of file.stream) void chunk;
    return readHost();
  }),
};

const context = defineContext(({ resources }) => {
  resources.defer(() => void released.push(readHost()));
  return {};
});

function toHandler(): NodeHandler {
  const logger = silentLogger;
  return toNodeHandler(createServer({ capabilities: { a }, context, logger }), {
    maxBodySize: 2 ** 21,
  });
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createHttpServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Hosts that store something around each request, as their own middleware does. */
const hosts: Readonly<Record<string, () => Promise<Ask>>> = {
  'node:http': async () => {
    const handle = toHandler();
    const url = await listen((request, response) =>
      host.run('host', () => handle(request, response)),
    );
    return (path, init) => fetch(url + path, init);
  },
  'Express 5': async () => {
    const app = express();
    app.use((_request, _response, next) => host.run('host', next));
    app.use(toHandler());
    const url = await listen(app);
    return (path, init) => fetch(url + path, init);
  },
  Koa: async () => {
    const app = new Koa();
    const handle = toHandler();
    app.use((_context, next) => host.run('host', next));
    app.use((ctx) => {
      ctx.respond = false;
      handle(ctx.req, ctx.res);
    });
    const callback = app.callback();
    const url = await listen((request, response) => void callback(request, response));
    return (path, init) => fetch(url + path, init);
  },
  'Fastify 5': async () => {
    const app = fastify();
    const handle = toHandler();
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _body, done) => done(null));
    app.addHook('onRequest', (_request, _reply, done) => host.run('host', done));
    app.all('/*', (request, reply) => {
      reply.hijack();
      handle(request.raw, reply.raw);
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    onTestFinished(() => app.close());
    return (path, init) => fetch(url + path, init);
  },
  toFetchHandler: async () => {
    const handle = toFetchHandler(createServer({ capabilities: { a }, context }), {
      maxBodySize: 2 ** 21,
    });
    return (path, init) =>
      host.run('host', () => handle(new Request(`http://localhost${path}`, init)));
  },
  'an onRequest hook that enters': async () => {
    const hooks = { onRequest: () => host.enterWith('host') };
    const handle = toNodeHandler(createServer({ capabilities: { a }, context, hooks }), {
      maxBodySize: 2 ** 21,
    });
    const url = await listen(handle);
    return (path, init) => fetch(url + path, init);
  },
};

const json = (value: unknown, headers = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

function toForm(bytes: number): RequestInit {
  const body = new FormData();
  body.append('file', new File(['x'.repeat(bytes)], 'a.txt'));
  return { method: 'POST', body };
}

describe.each(Object.entries(hosts))('what %s has stored for its request', (_name, mount) => {
  it.each<[string, string, RequestInit]>([
    ['a query', '/a/one', {}],
    ['a body of few bytes', '/a', json({ a: '' })],
    ['a body of 900 kB', '/a', json({ a: 'x'.repeat(900_000) })],
    ['a body behind a guard', '/a/submit-guarded', json({ a: 'x' })],
    ['a body with an idempotency key', '/a/submit-once', json({ a: 'x' }, key)],
    ['a form', '/a/submit-form', { method: 'POST', body: new URLSearchParams({ a: 'x' }) }],
    ['a file', '/a/send-file', toForm(10)],
    ['a long file', '/a/send-file', toForm(300_000)],
    ['a streamed file', '/a/send-stream', toForm(300_000)],
    ['what waits for success', '/a/submit-after', json({ a: 'x' })],
  ])('is there for %s', async (_what, path, init) => {
    const ask = await mount();
    expect(await (await ask(path, init)).json()).toEqual({ data: 'host' });
  });

  it('is there for each item of a stream, and for a release', async () => {
    const ask = await mount();
    released.length = 0;
    expect(await (await ask('/a/submit-lines', json({ a: 'x' }))).text()).toBe(
      'data: "host"\n\n'.repeat(2),
    );
    await ask('/a/submit-held', json({ a: 'x' })).then((response) => response.text());
    await expect.poll(() => released).toEqual(['host', 'host']);
  });
});

it('is there where the body comes after its head', async () => {
  const handle = toHandler();
  const arrived = defer();
  const url = await listen((request, response) => {
    host.run('host', () => handle(request, response));
    arrived.resolve();
  });
  const headers = { 'content-type': 'application/json' };
  const sending = requestOverHttp(`${url}/a`, { method: 'POST', headers });
  sending.write('{"a":');
  await arrived.promise;
  sending.end('"x"}');
  const [response] = (await once(sending, 'response')) as [Readable];
  expect(Buffer.concat(await response.toArray()).toString()).toBe('{"data":"host"}');
});

/** What a middleware has stored around a handler: a span, a transaction, a tenant. */
const around = new AsyncLocalStorage<string>();
const read = (): string => around.getStore() ?? 'LOST';
const use = [defineMiddleware(({ next }) => around.run('middleware', () => next()))];
const turn = (): Promise<void> => new Promise(setImmediate);
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A stream of three chunks, each of which says what is stored when it is made. */
function toWebStream(): ReadableStream {
  let count = 0;
  return new ReadableStream(
    {
      pull: async (controller) => {
        await turn();
        if (++count > 3) controller.close();
        else controller.enqueue(encode(`${read()}\n`));
      },
    },
    { highWaterMark: 0 },
  );
}

async function* toLines() {
  for (let count = 0; count < 3; count++) {
    yield read();
    await turn();
  }
}

function toNodeStream(): Readable {
  let count = 0;
  return new Readable({
    highWaterMark: 1,
    read() {
      setImmediate(() => this.push(++count > 3 ? null : `${read()}\n`));
    },
  });
}

const left: string[] = [];
const b = {
  getOne: capability(read),
  getLater: capability(async () => turn().then(read)),
  streamLines: capability(toLines, 'query').route('GET', '/b/lines'),
  streamLater: capability(async () => turn().then(toLines), 'query').route('GET', '/b/later-lines'),
  streamNode: capability(toNodeStream, 'query').route('GET', '/b/node'),
  streamWeb: capability(toWebStream, 'query').route('GET', '/b/web'),
  streamResponse: capability(() => new Response(toWebStream()), 'query').route(
    'GET',
    '/b/response',
  ),
  streamHeld: capability(async function* (_input, ctx) {
    afterSuccess(ctx, () => void left.push(`after success: ${read()}`));
    yield* toLines();
  }, 'query').route('GET', '/b/held'),
  streamLeft: capability(async function* () {
    try {
      for (;;) {
        yield read();
        await turn();
      }
    } finally {
      left.push(`finally: ${read()}`);
    }
  }, 'query').route('GET', '/b/left'),
};

describe('what a middleware has stored around a handler', () => {
  const server = () => createServer({ capabilities: { b }, use, logger: silentLogger });
  const lines = 'data: "middleware"\n\n'.repeat(3);
  const chunks = 'middleware\n'.repeat(3);

  it.each([
    ['a handler', '/b/one', '{"data":"middleware"}'],
    ['a handler after a wait', '/b/later', '{"data":"middleware"}'],
    ['a generator', '/b/lines', lines],
    ['a generator that comes later', '/b/later-lines', lines],
    ['a stream of Node', '/b/node', chunks],
    ['a stream of the web', '/b/web', chunks],
    ['the body of a Response', '/b/response', chunks],
  ])('is there for each item of %s, over a socket and through fetch', async (_what, path, text) => {
    const url = await listen(toNodeHandler(server()));
    expect(await (await fetch(url + path)).text()).toBe(text);
    const handle = toFetchHandler(server());
    expect(await (await handle(new Request(`http://localhost${path}`))).text()).toBe(text);
  });

  it('is there for events', async () => {
    const url = await listen(toNodeHandler(server()));
    const accept = { accept: 'text/event-stream' };
    expect(await (await fetch(`${url}/b/lines`, { headers: accept })).text()).toBe(
      'data: "middleware"\n\n'.repeat(3),
    );
  });

  it('is there for each item over a WebSocket, for what waits for the success of a stream, and for its end', async () => {
    const { open } = await startSockets({ capabilities: { b }, use });
    const talk = await open();
    left.length = 0;
    for (const key of ['b.streamLines', 'b.streamLater', 'b.streamHeld']) {
      talk.call(key);
      expect((await talk.readItems()).items).toEqual(['middleware', 'middleware', 'middleware']);
    }
    for (const key of ['b.getOne', 'b.getLater'])
      expect(await talk.ask(key)).toMatchObject({ result: 'middleware' });
    const id = talk.call('b.streamLeft');
    await talk.next();
    talk.send({ method: '$/cancel', params: { id } });
    await expect.poll(() => left).toEqual(['after success: middleware', 'finally: middleware']);
  });

  it('is there for the stream of an invocation', async () => {
    const items: unknown[] = [];
    for await (const item of await server().invoke({ capability: 'b.streamLines' })) {
      items.push(item);
      await turn();
    }
    expect(items).toEqual(['middleware', 'middleware', 'middleware']);
  });

  it('is there for what waits for the success of a stream, and for its end', async () => {
    const url = await listen(toNodeHandler(server()));
    left.length = 0;
    await (await fetch(`${url}/b/held`)).text();
    const leave = new AbortController();
    const response = await fetch(`${url}/b/left`, { signal: leave.signal });
    await response.body?.getReader().read();
    leave.abort();
    await expect.poll(() => left).toEqual(['after success: middleware', 'finally: middleware']);
  });

  it('is that of the attempt whose stream is sent', async () => {
    let attempt = 0;
    const again = defineMiddleware(async ({ next }) => {
      await around.run(`attempt ${++attempt}`, () => next());
      return around.run(`attempt ${++attempt}`, () => next());
    });
    const handle = toFetchHandler(createServer({ capabilities: { b }, use: [again] }));
    const response = await handle(new Request('http://localhost/b/lines'));
    expect(await response.text()).toBe('data: "attempt 2"\n\n'.repeat(3));
  });
});
