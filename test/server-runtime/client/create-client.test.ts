import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createClient, isApiError } from '../../../server-runtime/client/index.ts';
import {
  bytes,
  capability,
  createServer,
  defaultErrors,
  problemDetails,
  redirect,
  reply,
  restTransport,
  type Server,
  silentLogger,
  sse,
  text,
  toFetchHandler,
} from '../../../server-runtime/index.ts';
import { shop, shopContext, shopOverrides } from '../../helpers/shop.ts';

it('is answered in its own envelope, whatever that of the API is', async () => {
  const capabilities = {
    users: { getUser: capability(z.object({ id: z.string() }), ({ id }) => ({ id })) },
  };
  const rest = { calls: true, envelope: problemDetails, prefix: '/api' };
  const answer = toFetchHandler(createServer({ capabilities, logger: silentLogger }), rest);
  const fetch = async (url: string | URL | Request, init?: RequestInit) =>
    answer(new Request(url, init));
  const client = createClient<typeof capabilities>({ baseUrl: 'http://a.example/api', fetch });
  expect(await client.users.getUser({ id: '7' })).toEqual({ id: '7' });
  expect(await client.users.getUser.safe({ id: 7 as never })).toMatchObject({
    ok: false,
    error: { name: 'BadRequest', meta: { fields: [{ path: 'id' }] } },
  });
  expect(await (await fetch('http://a.example/api/users/7')).json()).toEqual({ id: '7' });
  for (const base of ['http://a.example', 'http://a.example/v1']) {
    const lost = createClient<typeof capabilities>({ baseUrl: base, fetch });
    expect(await lost.users.getUser.safe({ id: '7' })).toMatchObject({
      status: 404,
      error: {
        message: 'There are no calls here: they are at /api/_call/…. Does baseUrl end in /api?',
      },
    });
  }
  expect(await (await fetch('http://a.example/api/none')).json()).toMatchObject({
    title: 'NotFound',
    status: 404,
  });
});

it('gives the same group and the same call each time', () => {
  const client = createClient<object>({ baseUrl: 'http://a.example' });
  const read = (): unknown => Reflect.get(Reflect.get(client, 'users') as object, 'getUser');
  expect(read()).toBe(read());
});

it('is told by a server that takes no calls by key how it would', async () => {
  const capabilities = { users: { getMe: capability(() => ({ id: '7' }), 'query') } };
  const answer = toFetchHandler(createServer({ capabilities, logger: silentLogger }));
  const fetch = async (url: string | URL | Request, init?: RequestInit) =>
    answer(new Request(url, init));
  const client = createClient<typeof capabilities>({ baseUrl: 'http://a.example', fetch });
  expect(await client.users.getMe.safe()).toMatchObject({
    status: 404,
    error: {
      message:
        'This server takes no calls by key, as a client of its types makes: restTransport({ calls: true }).',
    },
  });
  const none = await (await fetch('http://a.example/none')).json();
  expect(none).toEqual({ error: 'NotFound', message: 'Not found' });
});

describe('a client of capabilities by their types', () => {
  let server: Server;
  let baseUrl: string;
  const toApi = (headers: Record<string, string> = {}) =>
    createClient<typeof shop>({
      baseUrl: `${baseUrl}/`,
      headers: async () => ({ authorization: 'Bearer ann', ...headers }),
    });
  let api: ReturnType<typeof toApi>;
  beforeAll(async () => {
    server = createServer({
      context: shopContext,
      capabilities: shop,
      transports: [
        restTransport({ port: 0, host: '127.0.0.1', overrides: shopOverrides, calls: true }),
      ],
      logger: silentLogger,
    });
    const [rest] = await server.start();
    baseUrl = rest?.url ?? '';
    api = toApi();
  });
  afterAll(() => server.stop());

  it.each(['u1', '', '.', 'a/b?c#d%', '{id}', '💥'])('carries the id %j', async (id) => {
    const user = await api.users.getUser({ id });
    expect(user).toMatchObject({ id, bornAt: new Date(0) });
  });

  it('sends the input as it is, whatever the route', async () => {
    const seen = { page: 3, tags: ['a b', '+'], active: false, kind: 'book' as const };
    expect((await api.users.listUsers(seen)).seen).toEqual(seen);
    expect((await api.users.listUsers()).seen).toEqual({ page: 1 });
    const fields = {
      email: 'b@example.org',
      age: null,
      tags: [],
      home: { street: 'ü', country: 'fr' as const },
    };
    expect(await api.users.createUser(fields)).toMatchObject(fields);
    expect(await api.users.deleteUser({ id: '1', force: true })).toEqual({ id: '1', force: true });
    expect(await api.catalog.find({ by: 'id', id: 'x' })).toEqual({ by: 'id', id: 'x' });
    expect(await api.catalog.prices({ book: 1.5 })).toEqual({ book: 1.5 });
    expect(await api.catalog.echo({ any: [1] })).toEqual({ any: [1] });
    expect(await api.users.unfollow({ id: '1' })).toBeNull();
    expect(await api.health()).toEqual({ ok: true });
  });

  it('sends files with the fields beside them', async () => {
    const avatar = new File(['abc'], 'me.png', { type: 'image/png' });
    expect(
      await api.users.uploadAvatar({
        id: 'a/b',
        avatar,
        more: [avatar, new Blob(['x'])],
        width: 7,
      }),
    ).toEqual({
      id: 'a/b',
      width: 7,
      type: 'image/png',
      size: 3,
      more: ['me.png', 'file'],
    });
    expect(await api.users.sendNote({ text: 'hi' })).toEqual({ text: 'hi', content: null });
  });

  it('throws the errors of the API by name', async () => {
    const error: unknown = await api.users
      .getUser({ id: 'missing' })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'NotFound', message: 'No user missing', status: 404 });
    expect([isApiError(error), isApiError(error, 'NotFound'), isApiError(error, 'Gone')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('gives them back with `safe`, with the meta that they declare', async () => {
    const fields = {
      email: 'taken@example.org',
      age: 1,
      tags: [],
      home: { street: '', country: 'ch' as const },
    };
    const result = await api.users.createUser.safe(fields);
    if (result.ok || result.error.name !== 'EmailTaken')
      throw new Error('It was not refused as it should be.');
    expect([result.error.status, result.error.meta.email]).toEqual([409, 'taken@example.org']);
    // @ts-expect-error: the page is a number
    expect(await api.users.listUsers.safe({ page: 'x' })).toMatchObject({
      error: { name: 'BadRequest' },
    });
    const anonymous = await createClient<typeof shop>({ baseUrl }).users.deleteUser.safe({
      id: '1',
    });
    expect(anonymous).toMatchObject({ ok: false, error: { name: 'Unauthorized', status: 401 } });
    expect(await api.health.safe()).toMatchObject({ ok: true, status: 200, data: { ok: true } });
  });

  it('lets a call have headers and an end of its own', async () => {
    const headers = { authorization: '' };
    expect(await toApi(headers).users.deleteUser.safe({ id: '1' })).toMatchObject({ ok: true });
    await expect(api.health(undefined, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });

  it('says so where something else than the API answers', async () => {
    const page = async () =>
      new Response('<h1>Bad gateway</h1>', {
        status: 502,
        headers: { 'content-type': 'text/html' },
      });
    const broken = createClient<typeof shop>({ baseUrl, fetch: page });
    await expect(broken.health()).rejects.toMatchObject({ name: 'Unknown', status: 502 });
  });

  it('asks nothing where it is awaited or written as JSON', async () => {
    let asked = 0;
    const silent = createClient<typeof shop>({
      baseUrl,
      fetch: async () => {
        asked++;
        return new Response();
      },
    });
    const users = await Promise.resolve(silent.users);
    expect(typeof users.getUser).toBe('function');
    expect(JSON.stringify({ silent })).toBe('{}');
    expect(asked).toBe(0);
  });
});

describe('a stream', () => {
  let ended = 0;
  const groups = {
    count: capability(async function* () {
      try {
        yield { n: 1, at: new Date(0) };
        yield sse({ n: 2, at: new Date(0) }, { event: 'tick', id: '2' });
        yield { n: 3, at: new Date(0) };
      } finally {
        ended += 1;
      }
    }, 'query'),
    fail: capability(async function* () {
      yield 'a\n\nü';
      throw defaultErrors.Conflict('It changed', { at: 1 });
    }, 'query'),
    refuse: capability(async function* () {
      if (ended >= 0) throw defaultErrors.Forbidden();
      yield 1;
    }, 'query'),
  };
  const server = createServer({ capabilities: groups, logger: silentLogger });
  const answer = toFetchHandler(server, { calls: true });
  const api = createClient<typeof server>({
    baseUrl: 'http://localhost',
    fetch: (input, init) => answer(new Request(input, init)),
  });

  it('is its items as they come, and leaving it ends it', async () => {
    const ns: number[] = [];
    for await (const { n, at } of await api.count()) {
      expect(at satisfies Date).toEqual(new Date(0));
      ns.push(n);
    }
    expect(ns).toEqual([1, 2, 3]);
    expect(ended).toBe(1);
    const result = await api.count.safe();
    if (result.ok) for await (const { n } of result.data) if (n === 1) break;
    await expect.poll(() => ended).toBe(2);
  });

  it('that fails on its way throws the error behind the items before', async () => {
    const items: string[] = [];
    const read = async (): Promise<void> => {
      for await (const item of await api.fail()) items.push(item);
    };
    await expect(read()).rejects.toMatchObject({
      name: 'Conflict',
      message: 'It changed',
      meta: { at: 1 },
    });
    expect(items).toEqual(['a\n\nü']);
  });

  it('that is refused before its first item is an error of the call', async () => {
    await expect(api.refuse()).rejects.toMatchObject({ name: 'Forbidden', status: 403 });
  });
});

it('reads texts, bytes and redirects as they are declared, and follows none', async () => {
  const elsewhere = createServer({
    capabilities: { stranger: capability(() => 'of another site', 'query') },
  });
  const capabilities = {
    getCsv: capability(() => 'id\n7\n').output(text('text/csv')),
    getPage: capability(() => reply('<p>', { headers: { 'content-type': 'text/html' } }), 'query'),
    getPixel: capability(() => new Uint8Array([1, 255])).output(bytes('text/x-pixel')),
    getPlace: capability(() => 'http://b.example/stranger').output(redirect, { status: 303 }),
  };
  const answer = toFetchHandler(createServer({ capabilities }), { calls: true });
  const other = toFetchHandler(elsewhere);
  const fetch = async (...given: Parameters<typeof globalThis.fetch>): Promise<Response> => {
    const request = new Request(...given);
    return new URL(request.url).hostname === 'b.example' ? other(request) : answer(request);
  };
  const api = createClient<typeof capabilities>({ baseUrl: 'http://a.example', fetch });
  expect([(await api.getCsv()) satisfies string, (await api.getPage()) satisfies string]).toEqual([
    'id\n7\n',
    '<p>',
  ]);
  const pixel = (await api.getPixel()) satisfies Blob;
  expect([...new Uint8Array(await pixel.arrayBuffer())]).toEqual([1, 255]);
  expect(await api.getPlace.safe()).toMatchObject({
    ok: true,
    status: 303,
    data: 'http://b.example/stranger',
  });
  const listed = await fetch('http://a.example/place', { headers: { accept: 'text/uri-list' } });
  expect([listed.status, listed.headers.get('vary'), await listed.text()]).toEqual([
    200,
    expect.stringContaining('Accept'),
    '#303\r\nhttp://b.example/stranger\r\n',
  ]);
  const plain = await fetch('http://a.example/place', { redirect: 'manual' });
  expect([plain.status, plain.headers.get('location')]).toEqual([303, 'http://b.example/stranger']);
});

describe('calls by key', () => {
  const capabilities = { ping: capability(() => 'pong') };
  const call = new Request('http://localhost/_call/ping', { method: 'POST' });

  it('are taken where the transport says so', async () => {
    const server = createServer({ capabilities });
    expect((await toFetchHandler(server)(call.clone())).status).toBe(404);
    const answer = toFetchHandler(server, { calls: true });
    expect(await (await answer(call.clone())).json()).toEqual({ data: ['pong'] });
    expect(
      (await answer(new Request('http://localhost/_call/pong', { method: 'POST' }))).status,
    ).toBe(404);
    expect((await answer(new Request('http://localhost/_call/ping'))).status).toBe(405);
  });

  it('are no routes that a start tells of', async () => {
    const server = createServer({
      capabilities,
      transports: [restTransport({ port: 0, calls: true })],
      logger: silentLogger,
    });
    const [rest] = await server.start();
    await server.stop();
    expect(rest?.routes).toEqual([{ method: 'POST', path: '/ping', key: 'ping' }]);
  });
});
