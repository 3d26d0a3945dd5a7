import { createServer as createHttpServer, get, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defineContext,
  type RestOptions,
  restTransport,
  toNodeHandler,
} from '../../../server-runtime/index.ts';
import type { AnsweredRequest } from '../../../server-runtime/server/hooks.ts';
import { defer, describeEverywhere, recordLog, startOverSocket } from '../../helpers/start-rest.ts';

const listItems = capability(() => ['pen']);
const getAnything = capability(z.object({ path: z.string() }), ({ path }) => path, 'query').route(
  'GET',
  '/*path',
);
const capabilities = { items: { listItems, getAnything } };

describeEverywhere('a handler that is mounted', (start) => {
  async function mount(
    handle: (request: Request) => Response | Promise<Response>,
    rest?: RestOptions,
  ) {
    const answered: AnsweredRequest[] = [];
    const running = await start({
      capabilities,
      // A sign-in must not need what it makes.
      context: defineContext(() => {
        throw new Error('no session');
      }),
      rest: { prefix: '/api', mounts: { '/auth': handle }, maxBodySize: 1000, ...rest },
      hooks: { onResponse: (each) => void answered.push(each) },
    });
    return { ...running, answered };
  }

  it('answers all methods at its path and below, with the address, the headers and the body of the caller', async () => {
    const seen: unknown[] = [];
    const { request, answered, url } = await mount(async (sent) => {
      const { method, headers } = sent;
      seen.push([method, sent.url, headers.get('cookie'), await sent.text()]);
      return new Response('made', {
        status: 201,
        headers: [
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
          ['x-own', 'yes'],
        ],
      });
    });
    const body = 'a=1&b=2';
    const headers = { cookie: 's=1', 'content-type': 'application/x-www-form-urlencoded' };
    // A form of another site, as `form_post` of OAuth sends it, is for the handler to judge.
    const foreign = { ...headers, origin: 'https://idp.example', 'sec-fetch-site': 'cross-site' };
    const response = await request('/api/auth/callback?code=x%2Fy', {
      method: 'POST',
      headers: foreign,
      body,
    });
    expect([response.status, await response.text()]).toEqual([201, 'made']);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('x-own')).toBe('yes');
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS'])
      expect((await request('/api/auth', { method })).status).toBe(201);
    expect(seen).toEqual([
      ['POST', `${url}/api/auth/callback?code=x%2Fy`, 's=1', body],
      ...['GET', 'PUT', 'DELETE', 'OPTIONS'].map((each) => [each, `${url}/api/auth`, null, '']),
    ]);
    expect(answered.map((each) => [each.capability, each.request.route, each.status])).toEqual(
      Array.from({ length: 5 }, () => ['/api/auth/*', '/api/auth/*', 201]),
    );
  });

  it('leaves other paths to the capabilities', async () => {
    const handle = vi.fn<() => Response>(() => new Response('mounted'));
    const { request } = await mount(handle);
    await request('/api/authors');
    await request('/api/auth/../items');
    await request('/auth');
    expect(handle).not.toHaveBeenCalled();
    expect(await (await request('/api/auth/x')).text()).toBe('mounted');
  });

  it('has its preflights answered by the CORS of the server', async () => {
    const handle = vi.fn<() => Response>(() => new Response());
    const { request } = await mount(handle, { cors: { origin: 'https://app.example' } });
    const response = await request('/api/auth/x', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(handle).not.toHaveBeenCalled();
  });

  it('streams both ways', async () => {
    const { request } = await mount((sent) => new Response(sent.body));
    const written = new TransformStream<Uint8Array>();
    const writer = written.writable.getWriter();
    const text = new TextEncoder();
    const asked = request('/api/auth/echo', {
      method: 'POST',
      body: written.readable,
      duplex: 'half',
    });
    void writer.write(text.encode('one'));
    const reader = (await asked).body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('one');
    void writer.write(text.encode('two'));
    expect((await reader?.read())?.value).toBe('two');
    await writer.close();
    expect((await reader?.read())?.done).toBe(true);
  });

  it.each(['throws', 'returns something else'])(
    '%s: 500, and the reason is in the log alone',
    async (how) => {
      const { request, log } = await mount(() => {
        if (how === 'throws') throw new Error('secret of the database');
        return 'secret of the database' as never;
      });
      const response = await request('/api/auth/x', { method: 'POST', body: 'x' });
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('secret');
      expect(log.errors).toHaveLength(1);
      expect(log.errors[0]).toMatchObject({ message: '[capix] POST /api/auth/x failed' });
    },
  );

  it.each([true, false])(
    'refuses a body that is too long, of a declared length: %s',
    async (isDeclared) => {
      const { request, log } = await mount(async (sent) =>
        Response.json((await sent.text()).length),
      );
      const body = 'x'.repeat(1001);
      const response = await request('/api/auth/x', {
        method: 'POST',
        ...(isDeclared ? { body } : { body: new Blob([body]).stream(), duplex: 'half' as const }),
      });
      expect(response.status).toBe(413);
      expect(log.errors).toEqual([]);
      const fitting = await request('/api/auth/x', { method: 'POST', body: 'x'.repeat(1000) });
      expect(await fitting.json()).toBe(1000);
    },
  );

  it('is aborted when its time is over, and when its caller leaves', async () => {
    const [begun, left] = [defer(), defer<unknown>()];
    const { request, answered } = await mount(
      (sent) =>
        new Promise((_, reject) => {
          sent.signal.addEventListener('abort', () => {
            left.resolve(undefined);
            reject(sent.signal.reason as Error);
          });
          begun.resolve();
        }),
      { timeoutMs: 2000 },
    );
    const caller = new AbortController();
    const asked = request('/api/auth/x', { signal: caller.signal });
    await begun.promise;
    caller.abort();
    await expect(asked).rejects.toThrow();
    await left.promise;
    await expect.poll(() => answered.map(({ status }) => status)).toEqual([499]);
    expect((await request('/api/auth/slow')).status).toBe(504);
  });

  it('has no tokens of its paths in the log', async () => {
    const lines: string[] = [];
    const { request } = await start({
      rest: { mounts: { '/auth': () => new Response() } },
      accessLog: true,
      logger: { ...recordLog(), info: (line) => void lines.push(line) },
    });
    await request('/auth/reset-password-of-users/tok3n-0123456789abcdef?token=secret');
    expect(lines.filter((line) => line.includes('GET'))).toEqual([
      expect.stringContaining('GET /auth/reset-password-of-users/*** 200'),
    ]);
  });
});

it('ends with the drain of the server', async () => {
  const [begun, end] = [defer(), defer()];
  const { server, request } = await startOverSocket({
    rest: {
      mounts: {
        '/auth': async () => {
          begun.resolve();
          await end.promise;
          return new Response('whole');
        },
      },
    },
  });
  const asked = request('/auth/x');
  await begun.promise;
  const stopped = server.stop();
  end.resolve();
  expect(await (await asked).text()).toBe('whole');
  await stopped;
});

it.each([
  ['/items', 'GET /items of a capability', {}],
  ['/docs', 'the page', { docs: true }],
  ['/_call', 'calls', { calls: true }],
] as const)('a mount at %s that hides %s is an error at the start', async (path, _what, rest) => {
  const server = createServer({
    capabilities: { items: { listItems } },
    transports: [restTransport({ port: 0, ...rest, mounts: { [path]: () => new Response() } })],
    logger: recordLog(),
  });
  await expect(server.start()).rejects.toThrow('which is mounted. Move one of them.');
});

it.each([
  [{ '/': () => new Response() }, 'expected a path such as'],
  [{ auth: () => new Response() }, 'expected a path such as'],
  [{ '/auth/:id': () => new Response() }, 'expected a path such as'],
  [{ '/auth': { handler: () => new Response() } }, 'takes a function of a Request, got object'],
])('refuses %j', (mounts, message) => {
  expect(() => restTransport({ mounts: mounts as never })).toThrow(message);
});

it('is not asked by a method that a Request cannot have', async () => {
  const handle = vi.fn<() => Response>(() => new Response());
  const { url } = await startOverSocket({ rest: { mounts: { '/auth': handle } } });
  const status = await new Promise((resolve, reject) => {
    const { port } = new URL(url);
    const asked = httpRequest({ port, path: '/auth/x', method: 'TRACE' }, (response) =>
      resolve(response.resume().statusCode),
    );
    asked.on('error', reject).end();
  });
  expect(status).toBe(405);
  expect(handle).not.toHaveBeenCalled();
});

it('is not asked for an address that leads out of it', async () => {
  const handle = vi.fn<() => Response>(() => new Response());
  const { url } = await startOverSocket({ rest: { mounts: { '/auth': handle } } });
  const status = await new Promise((resolve, reject) => {
    const asked = get({ port: new URL(url).port, path: '/auth/%2e%2e/items' }, (response) =>
      resolve(response.resume().statusCode),
    );
    asked.on('error', reject);
  });
  expect(status).toBe(400);
  expect(handle).not.toHaveBeenCalled();
});

it('is served to a host with next, and knows by which protocol a trusted proxy was asked', async () => {
  const handle = toNodeHandler(createServer({ logger: recordLog() }), {
    trustProxy: 'loopback',
    mounts: { '/auth': ({ url }) => new Response(url) },
  });
  const http = createHttpServer((request, response) =>
    handle(request, response, () => void response.end('own')),
  );
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void http.close());
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const headers = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
  expect(await (await fetch(`${url}/auth/x`, { headers })).text()).toBe(
    `${url.replace('http', 'https')}/auth/x`,
  );
  expect(await (await fetch(`${url}/auth/x`)).text()).toBe(`${url}/auth/x`);
  expect(await (await fetch(`${url}/other`)).text()).toBe('own');
});
