import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  afterSuccess,
  type BaseContext,
  capability,
  defaultErrors,
  defineContext,
  defineGuard,
  definePlugin,
  withIdempotency,
  withRateLimit,
} from '../../../server-runtime/index.ts';
import { defer } from '../../helpers/start-rest.ts';
import { startSockets, startTalk } from '../../helpers/start-web-sockets.ts';

interface Caller extends BaseContext {
  readonly token: string | undefined;
}
const context = defineContext(
  ({ headers }): Pick<Caller, 'token'> => ({ token: headers.authorization }),
);
const mustBeUser = defineGuard(function mustBeUser({ token }: Caller) {
  if (token === undefined) throw defaultErrors.Unauthorized('No session');
  if (token === 'blocked') throw defaultErrors.Forbidden('Blocked');
});
const cap = capability.withContext<Caller>();
const whoAmI = cap((_input: unknown, { token }) => token ?? 'nobody');
const whoIsUser = cap.guard(mustBeUser)((_input, { token }) => token);
const capabilities = { users: { whoAmI, whoIsUser } };
const guards = [mustBeUser];

describe('the caller of a WebSocket', () => {
  it('31 gets the status of the guard that refuses the connection, where it offers no subprotocol', async () => {
    const { url, open } = await startSockets({ capabilities, context, socket: { guards } });
    const { status, body } = await startTalk(url).refused;
    expect([status, JSON.parse(body)]).toEqual([
      401,
      { error: 'Unauthorized', message: 'No session' },
    ]);
    const headers = { authorization: 'blocked' };
    expect(await startTalk(url, { headers }).refused).toMatchObject({ status: 403 });
    const talk = await open({ headers: { authorization: 'Ada' } });
    expect(await talk.ask('users.whoAmI')).toMatchObject({ result: 'Ada' });
  });

  it('32 is closed with 4401 where it offers one: at its first call without better headers', async () => {
    const statuses: number[] = [];
    const { open } = await startSockets({
      capabilities,
      context,
      socket: { guards },
      hooks: { onResponse: ({ status }) => void statuses.push(status) },
    });
    const nobody = await open({ protocols: ['capix.v1'] });
    nobody.call('users.whoAmI');
    expect(await nobody.closed).toEqual({ code: 4401, reason: 'Unauthorized: No session' });
    const blocked = await open({ protocols: ['capix.v1'], headers: { authorization: 'blocked' } });
    expect(await blocked.closed).toEqual({ code: 4403, reason: 'Forbidden: Blocked' });

    const late = await open({ protocols: ['capix.v1'] });
    late.send({ id: 'h', method: '$/headers', params: { authorization: 'Ada' } });
    late.call('users.whoAmI');
    expect(await late.next()).toMatchObject({ id: 'h', result: null });
    expect(await late.next()).toMatchObject({ id: 1, result: 'Ada' });
    const worse = await open({ protocols: ['capix.v1'] });
    worse.send({ method: '$/headers', params: { authorization: 'blocked' } });
    worse.call('users.whoAmI');
    expect(await worse.closed).toEqual({ code: 4403, reason: 'Forbidden: Blocked' });
    expect(statuses).toEqual([101, 101, 101, 200, 101]);
  });

  it('33 is asked by the guards of each call', async () => {
    const talk = await (await startSockets({ capabilities, context })).open();
    expect(await talk.ask('users.whoIsUser')).toMatchObject({
      error: { code: 401, message: 'No session', data: { error: 'Unauthorized', status: 401 } },
    });
    const headers = { Authorization: 'Ada' };
    expect(await talk.ask('users.whoIsUser', {}, { headers })).toMatchObject({ result: 'Ada' });
    expect(await talk.ask('users.whoIsUser')).toMatchObject({ error: { code: 401 } });
  });

  it('34 has other headers for all calls after $/headers', async () => {
    const { open } = await startSockets({ capabilities, context });
    const talk = await open({ headers: { authorization: 'Ada' } });
    expect(await talk.ask('users.whoAmI')).toMatchObject({ result: 'Ada' });
    talk.send({ id: 'h', method: '$/headers', params: { Authorization: 'Bob' } });
    expect(await talk.next()).toEqual({ jsonrpc: '2.0', id: 'h', result: null });
    expect(await talk.ask('users.whoAmI')).toMatchObject({ result: 'Bob' });
    talk.send({ method: '$/headers', params: { authorization: null } });
    expect(await talk.ask('users.whoAmI')).toMatchObject({ result: 'nobody' });
  });

  it('has the headers of its own time for a call that had to wait', async () => {
    const limits = { callsPerSecond: 4 };
    const { open } = await startSockets({ capabilities, context, socket: { limits } });
    const talk = await open();
    const users = Array.from({ length: 8 }, (_, at) => `user ${at}`);
    // All of them arrive in one read.
    const { _socket: socket } = talk.webSocket as unknown as { readonly _socket: Socket };
    socket.cork();
    for (const authorization of users) {
      talk.send({ method: '$/headers', params: { authorization } });
      talk.call('users.whoAmI');
    }
    socket.uncork();
    const answers: unknown[] = [];
    while (answers.length < users.length) answers.push((await talk.next()).result);
    expect(answers).toEqual(users);
  });

  it('has the headers of the request that opened the connection, and none of the handshake', async () => {
    const seen: unknown[] = [];
    const { open } = await startSockets({
      capabilities,
      context: defineContext(({ headers, method }) => {
        seen.push(method === 'WS' && Object.keys(headers).sort());
        return { user: undefined };
      }),
    });
    const talk = await open({ headers: { authorization: 'Ada' } });
    await talk.ask('users.whoAmI');
    expect(seen).toEqual([['authorization', 'host']]);
  });

  it('35 is refused with a header that a browser or a proxy says', async () => {
    const talk = await (await startSockets({ capabilities, context })).open();
    for (const name of [
      'cookie',
      'Host',
      'origin',
      'sec-fetch-site',
      'x-forwarded-for',
      'X-Real-IP',
    ]) {
      const text = `A message may not carry the header ${name}`;
      expect(await talk.ask('users.whoAmI', {}, { headers: { [name]: 'a' } })).toMatchObject({
        error: { code: -32_600, message: text },
      });
      talk.send({ id: 'h', method: '$/headers', params: { [name]: 'a' } });
      expect(await talk.next()).toMatchObject({ id: 'h', error: { code: -32_600, message: text } });
    }
    for (const headers of [
      [],
      'a',
      { a: 1 },
      { a: { toString: null } },
      { a: 'b\nc' },
      { 'a b': 'c' },
      { a: null },
    ])
      expect(await talk.ask('users.whoAmI', {}, { headers })).toMatchObject({
        error: { code: -32_600 },
      });
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`x-${at}`, 'a']));
    expect(await talk.ask('users.whoAmI', {}, { headers: many })).toMatchObject({
      error: { code: -32_600 },
    });
  });

  it('holds no more of its headers than the heads of two requests may have', async () => {
    const { open } = await startSockets({ capabilities, context });
    const talk = await open();
    const long = 'x'.repeat(16_000);
    const refused = { error: { code: -32_600, message: expect.stringMatching(/headers/) } };
    expect(
      await talk.ask('users.whoAmI', {}, { headers: { 'x-a': long, 'x-b': long } }),
    ).toMatchObject(refused);
    for (const [name, answer] of [
      ['x-a', { result: null }],
      ['x-b', { result: null }],
      ['x-c', refused],
    ] as const) {
      talk.send({ id: 'h', method: '$/headers', params: { [name]: long } });
      expect(await talk.next()).toMatchObject({ id: 'h', ...answer });
    }
    talk.send({ id: 'h', method: '$/headers', params: { 'x-a': null, 'x-c': long } });
    expect(await talk.next()).toMatchObject({ id: 'h', result: null });
  });

  it('36 has its open streams ended once a guard refuses it, at the next look and after $/headers', async () => {
    const revoked = new Set<string>();
    const mustNotBeRevoked = defineGuard(function mustNotBeRevoked({ token }: Caller) {
      if (token !== undefined && revoked.has(token)) throw defaultErrors.Unauthorized('Revoked');
    });
    const getFeed = cap.guard(mustNotBeRevoked)(async function* (_input: unknown, { signal }) {
      yield 'open';
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const getOpen = capability(async function* (
      _input: unknown,
      { signal }: { signal: AbortSignal },
    ) {
      yield 'open';
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const { open } = await startSockets({
      capabilities: { feed: { getFeed, getOpen } },
      context,
      socket: { recheckMs: 50 },
    });
    const talk = await open({ headers: { authorization: 'Ada' } });
    talk.call('feed.getOpen');
    talk.call('feed.getFeed');
    await talk.next();
    await talk.next();
    revoked.add('Ada');
    expect(await talk.next()).toEqual({
      jsonrpc: '2.0',
      id: 2,
      error: { code: 401, message: 'Revoked', data: { error: 'Unauthorized', status: 401 } },
    });
    revoked.clear();
    revoked.add('Bob');
    talk.call('feed.getFeed');
    await talk.next();
    talk.send({ id: 'h', method: '$/headers', params: { authorization: 'Bob' } });
    const both = [await talk.next(), await talk.next()];
    expect(both).toMatchObject([
      { id: 3, error: { code: 401 } },
      { id: 'h', result: null },
    ]);
  });

  it('has its guards asked once at a time, however often it sends $/headers, and calls wait for them', async () => {
    let asking = 0;
    let most = 0;
    const mustWait = defineGuard(async function mustWait({ token }: Caller) {
      most = Math.max(most, ++asking);
      await new Promise((resolve) => setImmediate(resolve));
      asking--;
      if (token === 'blocked') throw defaultErrors.Forbidden('Blocked');
    });
    const { open } = await startSockets({ capabilities, context, socket: { guards: [mustWait] } });
    const talk = await open();
    for (let at = 0; at < 200; at++)
      talk.send({ id: `h${at}`, method: '$/headers', params: { authorization: `user ${at}` } });
    talk.call('users.whoAmI');
    for (let at = 0; at < 200; at++) expect(await talk.next()).toMatchObject({ id: `h${at}` });
    expect(await talk.next()).toMatchObject({ id: 1, result: 'user 199' });
    expect(most).toBe(1);
    talk.send({ method: '$/headers', params: { authorization: 'blocked' } });
    talk.call('users.whoAmI');
    expect(await talk.closed).toMatchObject({ code: 4403 });
    expect(talk.unread).toEqual([]);
  });

  it('is closed where a guard of the connection refuses it later', async () => {
    const { open } = await startSockets({ capabilities, context, socket: { guards } });
    const talk = await open({ headers: { authorization: 'Ada' } });
    talk.send({ method: '$/headers', params: { authorization: 'blocked' } });
    expect(await talk.closed).toEqual({ code: 4403, reason: 'Forbidden: Blocked' });
  });

  it('is closed with 4504 where a guard does not end that is asked again, and with 4500 where one throws', async () => {
    const never = new Promise<void>(() => {});
    const refused: string[] = [];
    const guard = defineGuard(function mustBeKnown({ token }: Caller) {
      if (token === 'slow') return never;
      if (token === 'broken') throw new TypeError('No database');
      if (token === 'busy') throw defaultErrors.ServiceUnavailable('Later');
      if (token === 'none') throw defaultErrors.Unauthorized('No session');
      return undefined;
    });
    const getFeed = cap.guard(guard)(async function* (_input: unknown, { signal }) {
      yield 'open';
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const all = { users: { whoAmI, getFeed } };
    const hooks = {
      onError: ({ failure: { name } }: { failure: { name: string } }) => void refused.push(name),
    };
    const ends = [
      ['slow', { code: 4504, reason: 'Timeout: Timeout after 40 ms' }],
      ['broken', { code: 4500, reason: 'Internal: Internal server error' }],
      ['busy', { code: 4503, reason: 'ServiceUnavailable: Later' }],
    ] as const;
    const parts = { context, capabilities: all, timeoutMs: 40, hooks };
    const ofConnections = await startSockets({ ...parts, socket: { guards: [guard] } });
    const ofStreams = await startSockets(parts);
    for (const [token, end] of ends) {
      const params = { authorization: token };
      const open = await ofConnections.open({ headers: { authorization: 'Ada' } });
      open.send({ id: 'h', method: '$/headers', params });
      open.call('users.whoAmI');
      expect(await open.closed).toEqual(end);
      expect(open.unread).toEqual([]);

      const hello = await ofConnections.open({
        protocols: ['capix.v1'],
        headers: { authorization: 'none' },
      });
      hello.send({ id: 'h', method: '$/headers', params });
      expect(await hello.closed).toEqual(end);

      const late = await ofConnections.open({ protocols: ['capix.v1'], headers: params });
      expect(await late.closed).toEqual(end);
      const plain = startTalk(ofConnections.url, { headers: params });
      expect(await plain.refused).toMatchObject({ status: end.code - 4000 });

      const stream = await ofStreams.open({ headers: { authorization: 'Ada' } });
      stream.call('users.getFeed');
      await stream.next();
      stream.send({ id: 'h', method: '$/headers', params });
      expect(await stream.closed).toEqual(end);
      expect(stream.unread).toEqual([]);
    }
    const names = [...new Set(refused)];
    expect(names).toEqual(['Timeout', 'Internal', 'ServiceUnavailable']);
    expect(refused).toHaveLength(15);
    const errors = [...ofConnections.log.errors, ...ofStreams.log.errors];
    const logged = { message: '[capix] GET /_call failed', error: new TypeError('No database') };
    expect(errors).toMatchObject(Array.from({ length: 5 }, () => logged));
  });

  it('37 has a context of a class with private fields for each of two calls', async () => {
    class Service {
      readonly #name: string;
      constructor(name: string) {
        this.#name = name;
      }
      get name(): string {
        return this.#name;
      }
    }
    const { open } = await startSockets({
      capabilities: {
        users: { whoAmI: capability.withContext<Service>()((_input, ctx) => ctx.name) },
      },
      context: defineContext(({ headers }) => new Service(String(headers.authorization))),
    });
    const talk = await open({ headers: { authorization: 'Ada' } });
    expect(await talk.ask('users.whoAmI')).toMatchObject({ result: 'Ada' });
    const headers = { authorization: 'Bob' };
    expect(await talk.ask('users.whoAmI', {}, { headers })).toMatchObject({ result: 'Bob' });
  });

  it('38 has the contexts of plugins', async () => {
    const clock = definePlugin({ context: ({ connection }) => ({ place: connection?.id }) });
    const whereAmI = capability.withContext<{ place: string | undefined }>()(
      (_input, { place }) => place,
    );
    const { open } = await startSockets({
      capabilities: { users: { whereAmI } } as never,
      plugins: [clock],
    });
    const [first, second] = [await open(), await open()];
    const { result } = await first.ask('users.whereAmI');
    expect(result).toMatch(/^[\da-f-]{36}$/);
    expect(await first.ask('users.whereAmI')).toMatchObject({ result });
    expect((await second.ask('users.whereAmI')).result).not.toBe(result);
  });

  it('39 has its resources released after each call, and after the last item of a stream', async () => {
    const seen: string[] = [];
    const leasing = defineContext(({ resources, requestId }) => {
      resources.defer(() => void seen.push(`released ${requestId}`));
      return {};
    });
    const getRow = capability(() => void seen.push('ran'));
    const getStream = capability(async function* () {
      yield 1;
      seen.push('second');
      yield 2;
    });
    const talk = await (
      await startSockets({ capabilities: { rows: { getRow, getStream } }, context: leasing })
    ).open();
    await talk.ask('rows.getRow', {}, { headers: { 'x-request-id': 'a' } });
    talk.call('rows.getStream', {}, { headers: { 'x-request-id': 'b' } });
    await talk.readItems();
    expect(seen).toEqual(['ran', 'released a', 'second', 'released b']);
  });

  it('40 has what waits for its success done after each call, and not after a failure', async () => {
    const seen: unknown[] = [];
    const save = capability(z.object({ fails: z.boolean() }), ({ fails }, ctx) => {
      afterSuccess(ctx, () => void seen.push(fails));
      if (fails) throw defaultErrors.Conflict();
    });
    const talk = await (await startSockets({ capabilities: { rows: { save } } })).open();
    await talk.ask('rows.save', { fails: true });
    await talk.ask('rows.save', { fails: false });
    expect(seen).toEqual([false]);
  });

  it('41 has the fields of .takes from headers and cookies, and from its params where they are there', async () => {
    const getPage = capability
      .takes({ headers: { after: 'last-event-id', tags: 'x-tags' }, cookies: { session: 'sid' } })
      .input(
        z.object({
          after: z.coerce.number().optional(),
          session: z.string().optional(),
          tags: z.array(z.string()).optional(),
        }),
      )((input) => input);
    const { open } = await startSockets({ capabilities: { pages: { getPage } } });
    const talk = await open({ headers: { cookie: 'sid=ada', 'last-event-id': '3' } });
    const headers = { 'last-event-id': '7', 'x-tags': 'a, b' };
    expect(await talk.ask('pages.getPage', {}, { headers })).toMatchObject({
      result: { after: 7, session: 'ada', tags: ['a', 'b'] },
    });
    expect(await talk.ask('pages.getPage', { session: 'bob' })).toMatchObject({
      result: { session: 'bob' },
    });
    expect((await talk.ask('pages.getPage')).result).toEqual({ session: 'ada' });
  });

  it('42 has its answer again for the same idempotency key', async () => {
    let made = 0;
    const createRow = capability(() => ++made).enhance(withIdempotency());
    const talk = await (await startSockets({ capabilities: { rows: { createRow } } })).open();
    const headers = { 'idempotency-key': '"one"' };
    expect(await talk.ask('rows.createRow', {}, { headers })).toMatchObject({ result: 1 });
    expect(await talk.ask('rows.createRow', {}, { headers })).toMatchObject({ result: 1 });
    expect(await talk.ask('rows.createRow', { a: 1 }, { headers })).toMatchObject({
      error: { code: 422 },
    });
    expect(await talk.ask('rows.createRow')).toMatchObject({ result: 2 });
  });

  it('43 is counted by its address behind a proxy', async () => {
    const getPing = capability(() => 'pong').enhance(
      withRateLimit({ limit: 1, windowMs: 60_000, by: 'address' }),
    );
    const { open } = await startSockets({
      capabilities: { pings: { getPing } },
      rest: { trustProxy: true },
    });
    const from = (address: string) => open({ headers: { 'x-forwarded-for': address } });
    const [first, same, other] = [
      await from('192.0.2.1'),
      await from('192.0.2.1'),
      await from('192.0.2.2'),
    ];
    expect(await first.ask('pings.getPing')).toMatchObject({ result: 'pong' });
    expect(await same.ask('pings.getPing')).toMatchObject({
      error: { code: 429, data: { status: 429, error: 'TooManyRequests' } },
    });
    expect(await other.ask('pings.getPing')).toMatchObject({ result: 'pong' });
  });

  it('may be sent away by what holds its connection', async () => {
    const closers = defer<(reason?: string) => void>();
    const holding = defineContext(({ connection }) => {
      if (connection !== undefined) closers.resolve((reason) => connection.close(reason));
      return {};
    });
    const { open } = await startSockets({ capabilities, context: holding as never });
    const talk = await open();
    await talk.ask('users.whoAmI');
    (await closers.promise)('You have logged out');
    expect(await talk.closed).toEqual({ code: 4403, reason: 'You have logged out' });
  });
});

describe('the page of another site', () => {
  const connect = (url: string, headers: Record<string, string>) => {
    const talk = startTalk(url, { headers });
    const opened = new Promise<number>((resolve) =>
      talk.webSocket.once('open', () => resolve(101)),
    );
    return Promise.race([opened, talk.refused.then(({ status }) => status)]);
  };
  const foreign = { origin: 'https://evil.example' };
  const cookie = 'sid=ada';

  it('44 is refused with a cookie where every origin may read', async () => {
    const { url } = await startSockets({ capabilities, context });
    expect(await connect(url, { ...foreign, cookie })).toBe(403);
    expect(await connect(url, { ...foreign, authorization: 'Basic YTpi' })).toBe(403);
    expect(await connect(url, { origin: 'null', cookie })).toBe(403);
  });

  it('45 is let in without a cookie there', async () => {
    const { url } = await startSockets({ capabilities, context });
    expect(await connect(url, foreign)).toBe(101);
    expect(await connect(url, { origin: url.replace('ws', 'http'), cookie })).toBe(101);
    expect(await connect(url, { cookie })).toBe(101);
  });

  it('46 is let in with a cookie where its origin is named', async () => {
    const rest = { cors: { origin: 'https://app.example', credentials: true } };
    const { url } = await startSockets({ capabilities, context, rest });
    expect(await connect(url, { origin: 'https://app.example', cookie })).toBe(101);
    expect(await connect(url, foreign)).toBe(403);
  });

  it('47 is refused where cors is false', async () => {
    const { url } = await startSockets({ capabilities, context, rest: { cors: false } });
    expect(await connect(url, foreign)).toBe(403);
    expect(await connect(url, { origin: url.replace('ws', 'http'), cookie })).toBe(101);
  });
});
