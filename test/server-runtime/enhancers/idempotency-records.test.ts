import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  type Store,
  silentLogger,
  uploadedFile,
  withIdempotency,
} from '../../../server-runtime/index.ts';
import { createMemoryStore } from '../../../server-runtime/stores/memory-store.ts';
import { redisStore } from '../../../server-runtime/stores/redis-store.ts';
import { describeOverSockets, itOverHttp } from '../../helpers/every-door.ts';
import { serveKeyed } from '../../helpers/serve-keyed.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';
import { defer, json, startOverSocket } from '../../helpers/start-rest.ts';

describeOverSockets('what is compared', () => {
  /** Asks twice with one key; gives the statuses, and whether the second was replayed. */
  async function askTwice(schema: z.ZodType, first: RequestInit, second: RequestInit) {
    const createItem = capability(schema as z.ZodObject, () => 'done').enhance(withIdempotency());
    const { request } = await startOverSocket({ capabilities: { items: { createItem } } });
    const send = async (init: RequestInit) => {
      const headers = new Headers(init.headers);
      headers.set('idempotency-key', '"k"');
      const response = await request('/items', { ...init, headers: Object.fromEntries(headers) });
      await response.text();
      return response.headers.get('idempotency-replayed') === null ? response.status : 'replayed';
    };
    return [await send(first), await send(second)];
  }
  const form = (parts: Readonly<Record<string, string | File>>): RequestInit => {
    const body = new FormData();
    for (const [name, part] of Object.entries(parts)) body.append(name, part);
    return { method: 'POST', body };
  };
  const file = (text: string, name = 'a.txt') => new File([text], name, { type: 'text/plain' });

  itOverHttp.each([
    ['a generated default', z.object({ id: z.string().default(() => crypto.randomUUID()) })],
    ['a default date', z.object({ at: z.coerce.date().default(() => new Date()) })],
  ])('%s is not: the schema makes it', async (_name, schema) => {
    expect(await askTwice(schema, json({}), json({}))).toEqual([200, 'replayed']);
  });

  it('what was sent is, also where the schema makes something without a text of it', async () => {
    const Rates = z.record(z.string(), z.number());
    const asMap = z.object({ rates: Rates.transform((rates) => new Map(Object.entries(rates))) });
    expect(await askTwice(asMap, json({ rates: { a: 1 } }), json({ rates: { a: 1000 } }))).toEqual([
      200, 422,
    ]);
    const asUrl = z.object({ url: z.string().transform((url) => new URL(url)) });
    expect(await askTwice(asUrl, json({ url: 'http://a' }), json({ url: 'http://b' }))).toEqual([
      200, 422,
    ]);
  });

  itOverHttp('the order of keys is not', async () => {
    const schema = z.object({ a: z.number(), b: z.object({ c: z.number(), d: z.number() }) });
    const texts = ['{"a":1,"b":{"c":2,"d":3}}', '{"b":{"d":3,"c":2},"a":1}'] as const;
    expect(await askTwice(schema, json(texts[0]), json(texts[1]))).toEqual([200, 'replayed']);
  });

  itOverHttp('files are, by their bytes and names', async () => {
    const schema = z.object({ file: uploadedFile() });
    expect(
      await askTwice(schema, form({ file: file('one') }), form({ file: file('one') })),
    ).toEqual([200, 'replayed']);
    expect(
      await askTwice(schema, form({ file: file('one') }), form({ file: file('two') })),
    ).toEqual([200, 422]);
    const renamed = form({ file: file('one', 'b.txt') });
    expect(await askTwice(schema, form({ file: file('one') }), renamed)).toEqual([200, 422]);
  });

  itOverHttp('a file that is read as it arrives is told by name, type and length', async () => {
    const schema = z.object({ file: uploadedFile({ stream: true }) });
    const send = (text: string, name?: string): RequestInit => {
      const type = 'multipart/form-data; boundary=B';
      const head = `--B\r\ncontent-disposition: form-data; name="file"; filename="${name ?? 'a'}"\r\n\r\n`;
      return {
        method: 'POST',
        headers: { 'content-type': type },
        body: `${head}${text}\r\n--B--\r\n`,
      };
    };
    expect(await askTwice(schema, send('one'), send('two'))).toEqual([200, 'replayed']);
    expect(await askTwice(schema, send('one'), send('longer'))).toEqual([200, 422]);
    expect(await askTwice(schema, send('one'), send('one', 'b'))).toEqual([200, 422]);
  });

  it.each([
    ['dates', new Date(0), new Date(0), new Date(1)],
    ['maps', new Map([['a', 1]]), new Map([['a', 1]]), new Map([['a', 2]])],
    ['addresses', new URL('http://a'), new URL('http://a'), new URL('http://b')],
    ['big integers', 1n, 1n, 2n],
    ['bytes', Buffer.from('a'), Buffer.from('a'), Buffer.from('b')],
  ])('values of a call in this process are: %s', async (_name, first, same, other) => {
    let runs = 0;
    const make = capability(z.object({ value: z.any() }), () => ++runs).enhance(withIdempotency());
    const server = createServer({ capabilities: { make }, logger: silentLogger });
    const invoke = (value: unknown) =>
      server.invoke({ capability: 'make', input: { value }, headers: { 'idempotency-key': 'k' } });
    expect([await invoke(first), await invoke(same)]).toEqual([1, 1]);
    await expect(invoke(other)).rejects.toMatchObject({ status: 422 });
  });

  it('values that hide what they hold are like nothing else', async () => {
    const make = capability(z.object({ value: z.any() }), () => 1).enhance(withIdempotency());
    const server = createServer({ capabilities: { make }, logger: silentLogger });
    const invoke = () =>
      server.invoke({
        capability: 'make',
        input: { value: new Blob(['a']) },
        headers: { 'idempotency-key': 'k' },
      });
    await invoke();
    await expect(invoke()).rejects.toMatchObject({ status: 422 });
  });
});

describe('a refusal', () => {
  class Point {
    readonly x = 1;
  }
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  it.each([
    ['a big integer', { n: 10n }],
    ['a date', { at: new Date(0) }],
    ['a map', { all: new Map([['a', 1]]) }],
    ['an instance of a class', { point: new Point() }],
    ['a function', { call: () => 1 }],
    ['itself', cyclic],
  ])('is replayed as it was sent where its meta holds %s', async (_name, meta) => {
    const { post, runs } = await serveKeyed(() => {
      throw defaultErrors.Conflict('Taken', meta);
    });
    const first = await post('"k"');
    const again = await post('"k"');
    expect([first.status, again.status, again.replayed, runs()]).toEqual([409, 409, 'true', 1]);
    expect(again.body).toEqual(first.body);
  });
});

describe('the headers of a refusal', () => {
  const cookies = ['a=1', 'b=2'];
  const refuse = (): never => {
    const headers = { 'Set-Cookie': cookies, 'X-Reason': 'stock', location: '/items/7' };
    throw defaultErrors.Conflict('Taken', { retryAfterSeconds: 9 }, { headers });
  };
  const toShown = ({ status, headers }: { readonly status: number; readonly headers: Headers }) => [
    status,
    headers.getSetCookie(),
    ...['x-reason', 'location', 'retry-after'].map((name) => headers.get(name)),
  ];
  const shown = [409, cookies, 'stock', '/items/7', '9'];

  it('are replayed with it', async () => {
    const { post, runs } = await serveKeyed(refuse);
    expect(toShown(await post('"k"'))).toEqual(shown);
    const again = await post('"k"');
    expect([again.replayed, runs()]).toEqual(['true', 1]);
    expect(toShown(again)).toEqual(shown);
  });

  it('are replayed where its meta cannot be stored', async () => {
    const self: Record<string, unknown> = {};
    self['self'] = self;
    const { post } = await serveKeyed(() => {
      throw defaultErrors.Conflict('Taken', self, { headers: { 'x-reason': 'stock' } });
    });
    await post('"k"');
    expect((await post('"k"')).headers.get('x-reason')).toBe('stock');
  });

  it.each([
    ['of the version before, without any', {}, 404],
    ['with some', { headers: { 'x-reason': 'stock', 'set-cookie': cookies } }, 404],
    ['with what is no header', { headers: { 'x-reason': 7 } }, 409],
    ['with a list of what is no header', { headers: { 'x-reason': [null] } }, 409],
    ['with a text in their place', { headers: 'x-reason: stock' }, 409],
  ])('are read of a record %s', async (_name, more, status) => {
    const memory = createMemoryStore();
    const store: Store = {
      ...memory,
      swap: async (key, change) => {
        const record = JSON.parse(String(change.to ?? '{}')) as object;
        const error = { status: 404, name: 'NotFound', message: 'No stock', ...more };
        return 'error' in record
          ? memory.swap(key, { ...change, to: JSON.stringify({ ...record, error }) })
          : memory.swap(key, change);
      },
    };
    const { post } = await serveKeyed(refuse, { store });
    await post('"k"');
    expect((await post('"k"')).status).toBe(status);
  });
});

describeWithRedis('the headers of a refusal in Redis', () => {
  it('are replayed by another server', async () => {
    const { url } = await startRedis();
    const refuse = (): never => {
      const headers = { 'set-cookie': ['a=1', 'b=2'], 'x-reason': 'stock' };
      throw defaultErrors.Conflict('Taken', undefined, { headers });
    };
    const one = await serveKeyed(refuse, { store: redisStore(url) });
    const two = await serveKeyed(refuse, { store: redisStore(url) });
    expect((await one.post('"k"')).status).toBe(409);
    const { headers, replayed } = await two.post('"k"');
    expect([replayed, headers.getSetCookie(), headers.get('x-reason'), two.runs()]).toEqual([
      'true',
      ['a=1', 'b=2'],
      'stock',
      0,
    ]);
  });
});

describeOverSockets('the store', () => {
  /** A store in memory, whose methods may be replaced. */
  function createStore(broken: Partial<Store> = {}): Store {
    return { ...createMemoryStore(), ...broken };
  }

  itOverHttp('that lost an answer has the record all the same', async () => {
    const memory = createStore();
    let losses = 0;
    const store = createStore({
      ...memory,
      swap: async (key, change) => {
        const done = await memory.swap(key, change);
        if (change.ttlMs === 86_400_000 && losses++ < 2) throw new Error('the answer was lost');
        return done;
      },
    });
    const { post, runs } = await serveKeyed(undefined, { store });
    expect((await post('"k"')).status).toBe(200);
    const again = await post('"k"');
    expect([again.status, again.replayed, runs()]).toEqual([200, 'true', 1]);
  });

  itOverHttp(
    'is asked again until the record is written, and the response waits for it',
    async () => {
      const memory = createStore();
      let refusals = 3;
      const store = createStore({
        ...memory,
        swap: (key, change) => {
          if (change.ttlMs === 86_400_000 && refusals-- > 0) throw new Error('gone');
          return memory.swap(key, change);
        },
      });
      const { post, runs } = await serveKeyed(undefined, { store });
      expect((await post('"k"')).status).toBe(200);
      expect(refusals).toBe(-1);
      expect([(await post('"k"')).replayed, runs()]).toEqual(['true', 1]);
    },
  );

  it('that never takes the record makes it 503, with one error in the log and never a 200, and does not let go of the key', async () => {
    const memory = createStore();
    let key = '';
    const store = createStore({
      ...memory,
      swap: (given, change) => {
        key = given;
        if (change.ttlMs === 86_400_000) throw new Error('gone');
        return memory.swap(given, change);
      },
    });
    const { post, log } = await serveKeyed(undefined, { store, idempotency: { lockMs: 900 } });
    expect((await post('"k"')).status).toBe(503);
    expect(await memory.get(key)).toContain('"owner"');
    expect(log.errors.map(({ message, requestId }) => [message, typeof requestId])).toEqual([
      [
        expect.stringMatching(
          /^\[capix\] items\.createItem has succeeded, and this could not be stored under its idempotency key \(digest [\w-]{43}\)/,
        ),
        'string',
      ],
    ]);
  });

  it('that gave the key to somebody else makes it 503, and keeps the outcome of the other', async () => {
    const memory = createStore();
    const { promise, resolve } = defer();
    let key = '';
    const store = createStore({
      ...memory,
      swap: (given, change) => {
        key = given;
        return memory.swap(given, change);
      },
    });
    const { post, runs, log } = await serveKeyed(async (run) => (run === 1 ? promise : { run }), {
      store,
    });
    const first = post('"k"');
    await expect.poll(runs).toBe(1);
    const mine = await memory.get(key);
    // The hold of a process that stood still for too long has run out.
    await memory.swap(key, { from: mine ?? '' });
    expect((await post('"k"')).body.data.run).toBe(2);
    resolve();
    expect((await first).status).toBe(503);
    expect(log.errors).toHaveLength(1);
    expect((await post('"k"')).body.data.run).toBe(2);
  });

  it('that takes a key when nobody waits for it any more lets go of it', async () => {
    const memory = createStore();
    const { promise, resolve } = defer();
    let isSlow = true;
    const store = createStore({
      ...memory,
      swap: async (...given) => {
        if (isSlow) await promise;
        isSlow = false;
        return memory.swap(...given);
      },
    });
    const { post } = await serveKeyed(undefined, { store, idempotency: { lockMs: 600_000 } });
    expect((await post('"k"')).status).toBe(503);
    resolve();
    await expect.poll(async () => (await post('"k"', {})).status).toBe(200);
  });

  itOverHttp('that is slow for one question runs no call of others twice', async () => {
    const memory = createStore();
    const store = createStore({ ...memory, get: () => new Promise(() => {}) });
    const { promise, resolve } = defer();
    const { post, runs } = await serveKeyed(
      async (run) => {
        await promise;
        return { run };
      },
      { store },
    );
    const keys = Array.from({ length: 20 }, (_, at) => `"k${at}"`);
    const first = Promise.all(keys.map((key) => post(key)));
    await expect.poll(runs).toBe(20);
    resolve();
    expect((await first).map(({ status }) => status)).toEqual(keys.map(() => 200));
    for (const key of keys) expect((await post(key)).replayed).toBe('true');
    expect(runs()).toBe(20);
  });
});
