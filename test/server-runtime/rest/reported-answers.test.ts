import { once } from 'node:events';
import {
  request as ask,
  type ClientRequest,
  createServer as createHttpServer,
  type RequestListener,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { createClient } from '../../../server-runtime/client/index.ts';
import {
  bytes,
  capability,
  createServer,
  defaultErrors,
  defineGuard,
  defineMiddleware,
  reply,
  type Server,
  silentLogger,
  sse,
  stream,
  toFetchHandler,
  toNodeHandler,
} from '../../../server-runtime/index.ts';
import { prometheus } from '../../../server-runtime/observe/prometheus.ts';
import { openRaw, readAnswers } from '../../helpers/raw-http.ts';
import { describeEverywhere, json, startOverSocket } from '../../helpers/start-rest.ts';

// Answers that users of other frameworks have reported, because they came otherwise, late, twice or not at all.

const own = { etag: '"own"' };
const addCookie = defineMiddleware(async ({ next }) =>
  reply((await next()) as object, { headers: { 'set-cookie': 'b=2; Path=/' } }),
);
const capabilities = {
  things: {
    getReset: capability(() => reply({ a: 1 }, { status: 205 })),
    getUnchanged: capability(() => reply({ a: 1 }, { status: 304, headers: own })),
    getGone: capability(() => new Response(null, { status: 204, headers: { 'x-left': '3' } })),
    getWeb: capability(() => Readable.toWeb(Readable.from(['a', 'b']))),
    getOwn: capability(() => reply({ a: 1 }, { headers: own })),
    getCookies: capability(() =>
      reply({ a: 1 }, { headers: { 'set-cookie': 'a=1; Path=/' } }),
    ).enhance(addCookie as never),
    getPixel: capability(() => new Uint8Array([0, 128, 255])).output(bytes('image/png')),
    getWrong: capability((): never => ({ id: 7 }) as never).output(z.object({ id: z.string() })),
    watchWrong: capability(async function* () {
      yield sse({ id: 7 } as never, { id: '1' });
    }, 'query').output(stream(z.object({ id: z.string() }))),
    watchNothing: capability(async function* (
      _input: unknown,
      { signal }: { signal: AbortSignal },
    ) {
      await once(signal, 'abort');
      yield 1;
    }, 'query'),
    getById: capability(z.object({ id: z.string() }), ({ id }) => id),
  },
};

async function listen(handler: RequestListener): Promise<string> {
  const server = createHttpServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describeEverywhere('an answer', (start) => {
  const open = async (rest = {}) => (await start({ capabilities, rest })).request;

  it.each([
    ['reset', 205, null],
    ['unchanged', 304, '"own"'],
    ['gone', 204, null],
  ])('%s has no body, whatever data the handler gave', async (path, status, etag) => {
    const response = await (await open())(`/things/${path}`);
    expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([
      status,
      etag,
      '',
    ]);
    if (path === 'gone') expect(response.headers.get('x-left')).toBe('3');
  });

  it('of a web stream has no body for HEAD', async () => {
    const head = await (await open())('/things/web', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('whose tag a proxy has made weak is 304, without the length of a body', async () => {
    const request = await open({ etag: true });
    const headers = { 'if-none-match': 'W/"own"' };
    const response = await request('/things/own', { headers });
    expect([response.status, response.headers.get('content-length')]).toEqual([304, null]);
  });

  it('has the cookies of the handler and of what stands around it', async () => {
    const response = await (await open())('/things/cookies');
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2; Path=/']);
  });

  it('that does not fit what is declared is 500, also as an event', async () => {
    const request = await open();
    expect((await request('/things/wrong')).status).toBe(500);
    expect((await request('/things/watch-wrong')).status).toBe(500);
  });

  it('of a silent stream has its head soon, and no proxy may hold it back', async () => {
    const leaving = new AbortController();
    const response = await (await open({ compression: true }))('/things/watch-nothing', {
      headers: { 'accept-encoding': 'gzip' },
      signal: leaving.signal,
    });
    const names = ['content-type', 'x-accel-buffering', 'cache-control', 'content-encoding'];
    expect(names.map((name) => response.headers.get(name))).toEqual([
      'text/event-stream; charset=utf-8',
      'no',
      'no-cache, no-transform',
      null,
    ]);
    leaving.abort();
  });

  it('to a preflight names the headers that an event stream and a key need', async () => {
    const request = await open({ calls: true });
    const asked = await request('/things/watch-nothing', { method: 'OPTIONS' });
    const names = asked.headers.get('access-control-allow-headers');
    expect(names).toMatch(/Idempotency-Key.*Last-Event-ID|Last-Event-ID.*Idempotency-Key/);
  });
});

it('30 requests of one connection are answered in order, without a warning of too many listeners', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const { url } = await startOverSocket({ capabilities });
  const socket = openRaw(url);
  const ids = Array.from({ length: 30 }, (_, at) => `${at}`);
  socket.write(ids.map((id) => `GET /things/${id} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  const answers = await readAnswers(
    socket,
    ids.map(() => 'GET'),
  );
  expect(answers.map(({ body }) => (JSON.parse(body) as { readonly data: string }).data)).toEqual(
    ids,
  );
  socket.destroy();
  expect(warnings).not.toContain('MaxListenersExceededWarning');
});

it('says how long its connection stays open, so that clients send nothing at its end', async () => {
  const limits = { keepAliveTimeoutMs: 65_000 };
  const { url } = await startOverSocket({ capabilities, rest: { limits } });
  const socket = openRaw(url);
  socket.write('GET /things/1 HTTP/1.1\r\nHost: a\r\n\r\n');
  const [answer] = await readAnswers(socket, ['GET']);
  socket.destroy();
  expect(answer?.headers.get('keep-alive')).toBe('timeout=65');
});

it('twenty paths of one route are one series of the metrics', async () => {
  const registry = new Registry();
  const { request } = await startOverSocket({
    capabilities,
    plugins: [prometheus({ registry })],
  });
  for (let id = 0; id < 20; id++) await request(`/things/${id}`);
  const text = await registry.metrics();
  const counts = text
    .split('\n')
    .filter((line) => /_count\{/.test(line) && line.includes('getById'));
  expect(counts).toEqual([expect.stringMatching(/ 20$/)]);
});

it('a gauge of requests under way is 0 again when their callers have left', async () => {
  let underWay = 0;
  const { request } = await startOverSocket({
    capabilities,
    hooks: {
      onRequest: () => {
        underWay++;
      },
      onResponse: () => {
        underWay--;
      },
    },
  });
  const leaving = new AbortController();
  const never = request('/things/watch-nothing', { signal: leaving.signal });
  await never;
  leaving.abort();
  await expect.poll(() => underWay).toBe(0);
});

describe('a refusal while 30 MB are under way', () => {
  const mustBeUser = defineGuard(() => {
    throw defaultErrors.Unauthorized();
  });
  const Input = z.object({ name: z.string() });
  const guarded = {
    things: {
      createThing: capability(Input, () => 1),
      saveThing: capability(Input, () => 1).guard(mustBeUser),
    },
  };
  /** Sends slowly, as the connection takes it, and stops at the answer. */
  async function send(request: ClientRequest): Promise<number | undefined> {
    const chunk = Buffer.alloc(64 * 1024, 'a');
    const answer = once(request, 'response');
    let isAnswered = false;
    answer.then(
      () => {
        isAnswered = true;
      },
      () => {},
    );
    request.on('error', () => {});
    for (let at = 0; at < 480 && !isAnswered; at++)
      if (!request.write(chunk)) await Promise.race([once(request, 'drain'), answer]);
    const [response] = (await answer) as [{ statusCode?: number; resume: () => void }];
    response.resume();
    return response.statusCode;
  }

  it.each([
    [413, 'POST', '/things'],
    [401, 'POST', '/things/save-thing'],
    [404, 'POST', '/nothing'],
    [405, 'DELETE', '/things'],
  ])('reaches its caller: %d', async (status, method, path) => {
    const maxBodySize = status === 413 ? 1_000_000 : 64_000_000;
    const { url } = await startOverSocket({ capabilities: guarded, rest: { maxBodySize } });
    const headers = { 'content-type': 'application/json', 'content-length': `${480 * 64 * 1024}` };
    const request = ask(url + path, { method, headers });
    onTestFinished(() => void request.destroy());
    expect(await send(request)).toBe(status);
  });
});

describe('a host', () => {
  const toHono = (server: Server): RequestListener => {
    const answer = toFetchHandler(server);
    const app = new Hono().all('*', (context) => answer(context.req.raw));
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    return (request, response) => void listener(request, response);
  };

  it.each(['Express behind express.json', 'Hono', 'node:http'])(
    '%s tells the handler that its caller has left',
    async (host) => {
      const ends: string[] = [];
      let hasBegun = false;
      const createThing = capability(
        z.object({ name: z.string() }),
        async (_input, { signal }: { readonly signal: AbortSignal }) => {
          hasBegun = true;
          try {
            await once(signal, 'abort');
            ends.push('signal');
          } finally {
            ends.push('finally');
          }
        },
      );
      const server = createServer({
        capabilities: { things: { createThing } },
        logger: silentLogger,
      });
      const hosts: Readonly<Record<string, () => RequestListener>> = {
        'Express behind express.json': () => express().use(express.json(), toNodeHandler(server)),
        Hono: () => toHono(server),
        'node:http': () => toNodeHandler(server),
      };
      const url = await listen(hosts[host]?.() ?? toNodeHandler(server));
      const leaving = new AbortController();
      const left = fetch(`${url}/things`, { ...json({ name: 'a' }), signal: leaving.signal });
      await expect.poll(() => hasBegun).toBe(true);
      leaving.abort();
      await expect(left).rejects.toThrow();
      await expect.poll(() => ends).toEqual(['signal', 'finally']);
    },
  );

  it('Hono limits a body in chunks', async () => {
    const createThing = capability(z.object({ name: z.string() }), () => 1);
    const url = await listen(toHono(createServer({ capabilities: { things: { createThing } } })));
    const body = Readable.toWeb(Readable.from([Buffer.alloc(2_000_000, 'a')])) as ReadableStream;
    const headers = { 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const status = await fetch(`${url}/things`, sent).then(
      (response) => response.status,
      () => 'broken off',
    );
    expect([413, 'broken off']).toContain(status);
  });

  it('AWS Lambda gets bytes in base64, and each cookie by itself', async () => {
    const answer = toFetchHandler(createServer({ capabilities, logger: silentLogger }));
    const run = handle(new Hono().all('*', (context) => answer(context.req.raw)));
    const invoke = async (path: string) => {
      const http = { method: 'GET', path, protocol: 'HTTP/1.1', sourceIp: '::1', userAgent: 'x' };
      const event = { version: '2.0', rawPath: path, rawQueryString: '', headers: {} };
      return run({ ...event, requestContext: { http } } as never);
    };
    expect(await invoke('/things/pixel')).toMatchObject({ isBase64Encoded: true, body: 'AID/' });
    expect(await invoke('/things/cookies')).toMatchObject({
      cookies: ['a=1; Path=/', 'b=2; Path=/'],
    });
  });
});

it('a client takes a success without a body for an error that it names', async () => {
  const url = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end();
  });
  const api = createClient<typeof capabilities>({ baseUrl: url });
  await expect(api.things.getById({ id: '1' })).rejects.toMatchObject({
    name: 'Unknown',
    status: 200,
  });
});
