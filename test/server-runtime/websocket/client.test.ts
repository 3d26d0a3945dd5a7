import { once } from 'node:events';
import { WebSocket as UndiciWebSocket } from 'undici';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  ApiError,
  ConnectionLost,
  createClient,
  createClientOf,
  isApiError,
  webSocket,
} from '../../../server-runtime/client/index.ts';
import {
  defaultErrors,
  defineError,
  defineGuard,
  redirect,
  text,
} from '../../../server-runtime/index.ts';
import { findFreePort } from '../../helpers/find-free-port.ts';
import { type Caller, cap, classes, link, startForClients } from '../../helpers/socket-clients.ts';
import { defer } from '../../helpers/start-rest.ts';

const Taken = defineError(409, 'Taken', { meta: z.object({ until: z.date() }) });

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

describe.each(classes)('a client over a WebSocket of %s', (_name, WebSocket) => {
  it('has the data, dates, sets and errors of the capabilities', async () => {
    const { url } = await startForClients({ things });
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
    const { url } = await startForClients({ things });
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
    const { url } = await startForClients({
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
    const { url } = await startForClients({ things });
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
    const { url } = await startForClients({ things });
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
    const { url } = await startForClients({ things }, { guards: [mustBeAda] });
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
    const { url } = await startForClients({ things: { ...things, getNever } });
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
    const { url } = await startForClients({ things });
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
    const { url } = await startForClients({ things });
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
