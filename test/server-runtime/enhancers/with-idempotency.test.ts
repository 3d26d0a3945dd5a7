import { beforeAll, expect, it } from 'vitest';
import { createClient } from '../../../server-runtime/client/index.ts';
import {
  afterSuccess,
  type BaseContext,
  capability,
  compileRegistry,
  defaultErrors,
  defineGuard,
  defineMiddleware,
  generateOpenAPI,
  type MiddlewareCall,
  reply,
  type Store,
  withIdempotency,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { redisStore } from '../../../server-runtime/stores/redis-store.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';
import { describeOverSockets, itOverHttp } from '../../helpers/every-door.ts';
import { Input, serveKeyed, withKey } from '../../helpers/serve-keyed.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';
import { defer, json, startOverSocket } from '../../helpers/start-rest.ts';
import { tryAgain } from '../../helpers/try-again.ts';

describeOverSockets('the same key and input', () => {
  itOverHttp('get the first answer, with its status and headers, and say so', async () => {
    const { post, runs } = await serveKeyed((run) =>
      reply({ run, at: new Date(0) }, { status: 201, headers: { 'x-run': String(run) } }),
    );
    const first = await post('"one"');
    const second = await post('"one"');
    expect([first.status, first.replayed]).toEqual([201, null]);
    expect([second.status, second.replayed]).toEqual([201, 'true']);
    expect(second.body).toEqual(first.body);
    expect((await post('one')).body).toEqual(first.body);
    expect((await post('"two"')).body.data.run).toBe(2);
    expect(runs()).toBe(2);
  });

  it('wait for the first answer while it is made, also after their caller has left', async () => {
    const { promise, resolve } = defer();
    const { request, post, runs } = await serveKeyed(async (run) => {
      await promise;
      return { run };
    });
    const leaving = new AbortController();
    const { headers, ...init } = json({ name: 'a' });
    const first = request('/items', {
      ...init,
      headers: { ...headers, 'idempotency-key': '"k"' } as Record<string, string>,
      signal: leaving.signal,
    });
    await expect.poll(runs).toBe(1);
    leaving.abort();
    await expect(first).rejects.toThrow();
    const others = [post('"k"'), post('"k"')];
    resolve();
    expect((await Promise.all(others)).map(({ body }) => body.data.run)).toEqual([1, 1]);
    expect(runs()).toBe(1);
  });

  it('get the first refusal, and run again what failed with 5xx', async () => {
    const { post } = await serveKeyed((run) => {
      throw run === 1 ? new Error('down') : defaultErrors.NotFound('No stock', { run });
    });
    expect((await post('"k"')).status).toBe(500);
    const refused = await post('"k"');
    expect([refused.status, refused.body.meta]).toEqual([404, { run: 2 }]);
    expect((await post('"k"')).body).toEqual(refused.body);
  });

  itOverHttp('are refused with 409 where the answer cannot be given twice', async () => {
    const { post, runs } = await serveKeyed(
      () =>
        new Response('{"data": {"run": 1}}', { headers: { 'content-type': 'application/json' } }),
    );
    expect((await post('"k"')).status).toBe(200);
    expect((await post('"k"')).status).toBe(409);
    expect(runs()).toBe(1);
  });
});

describeOverSockets('a key', () => {
  it('with another input is refused with 422', async () => {
    const { post } = await serveKeyed();
    await post('"k"');
    const { status, body } = await post('"k"', { name: 'b' });
    expect([status, body.error]).toEqual([422, 'IdempotencyKeyReused']);
  });

  it('is that of its caller', async () => {
    const { post, runs } = await serveKeyed();
    for (const user of ['ann', 'bob', 'ann']) await post('"k"', { headers: { 'x-user': user } });
    expect(runs()).toBe(2);
  });

  it.each(['""', '"a" "b"', 'a b', `"${'x'.repeat(256)}"`, '"a", "b"'])(
    '%s is refused with 400',
    async (key) => {
      expect((await (await serveKeyed()).post(key)).status).toBe(400);
    },
  );

  it('may be missing, or is asked for', async () => {
    const free = await serveKeyed();
    expect((await free.post(undefined)).status).toBe(200);
    const asked = await serveKeyed(undefined, { idempotency: { required: true } });
    expect((await asked.post(undefined)).status).toBe(400);
  });

  itOverHttp('may be sent by pages of other origins', async () => {
    const { request } = await serveKeyed();
    const { headers } = await request('/items', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example' },
    });
    expect(headers.get('access-control-allow-headers')).toBe(
      'Content-Type, Authorization, Idempotency-Key',
    );
  });
});

describeOverSockets('a key', () => {
  it('of a guarded capability must say whose it is, and a query is let through', async () => {
    const guard = defineGuard(() => {});
    const pay = capability(() => 'paid')
      .guard(guard)
      .enhance(withIdempotency());
    await expect(startOverSocket({ capabilities: { a: { pay } } })).rejects.toThrow(
      /by: \(_input, ctx\) => ctx.user.id/,
    );
    const cap = capability.use(withIdempotency({ required: true }));
    const { request } = await startOverSocket({
      capabilities: { a: { getItem: cap(() => 1).guard(guard) } },
    });
    expect((await request('/a/item')).status).toBe(200);
  });

  it('while the store is away, calls with a key get 503, and others are run', async () => {
    const store: Store = {
      name: 'gone',
      get: () => undefined,
      set: () => {},
      swap: () => {
        throw new Error('gone');
      },
      consume: () => ({ calls: 1, resetMs: 0 }),
    };
    const { post } = await serveKeyed(undefined, { store });
    expect((await post('"k"')).status).toBe(503);
    expect((await post(undefined)).status).toBe(200);
  });
});

it('works for tools, by _meta', async () => {
  let runs = 0;
  const createItem = capability(Input, () => ({ run: ++runs })).enhance(withIdempotency());
  const client = await connectToTools({ capabilities: { items: { createItem } } });
  const call = {
    name: 'items_createItem',
    arguments: { name: 'a' },
    _meta: { 'idempotency-key': 'k' },
  };
  const [first, second] = [await client.callTool(call), await client.callTool(call)];
  expect(second).toEqual(first);
  expect(runs).toBe(1);
});

it('a client that repeats a call that got no answer runs it once by its key', async () => {
  let runs = 0;
  const createItem = capability(Input, () => ({ run: ++runs })).enhance(withIdempotency());
  const { url } = await startOverSocket({
    capabilities: { items: { createItem } },
    rest: { calls: true },
  });
  const keys: (string | null)[] = [];
  const api = createClient<{ items: { createItem: typeof createItem } }>({
    baseUrl: url,
    intercept: [tryAgain(2)],
    fetch: async (...given) => {
      const request = new Request(...given);
      keys.push(request.headers.get('idempotency-key'));
      const response = await fetch(request);
      if (keys.length === 1) throw new TypeError('The connection broke before the answer came.');
      return response;
    },
  });
  expect(await api.items.createItem({ name: 'a' }, { idempotencyKey: 'mine' })).toEqual({ run: 1 });
  expect(keys).toEqual(['"mine"', '"mine"']);
});

describeOverSockets('wherever it is declared', () => {
  const keyed = withIdempotency();
  const failing = (fail: (runs: number) => void, runs: () => number) =>
    defineMiddleware(async ({ next }) => {
      const answer = await next();
      fail(runs());
      return answer;
    });

  itOverHttp.each(['inside a factory', 'inside a server'])(
    'a transaction around it that is not committed is never replayed: %s',
    async (place) => {
      let runs = 0;
      const withTransaction = failing(
        (run) => {
          if (run === 1) throw new Error('could not serialize');
        },
        () => runs,
      );
      const own = (cap: typeof capability) => cap(Input, () => ({ run: ++runs })).enhance(keyed);
      const createItem =
        place === 'inside a factory'
          ? own(capability.use(withTransaction) as typeof capability)
          : own(capability);
      const use = [withTransaction];
      const { request } = await startOverSocket({
        capabilities: { items: { createItem } },
        ...(place === 'inside a server' ? { use } : {}),
      });
      const post = async () => request('/items', withKey('"k"', { name: 'a' }));
      expect((await post()).status).toBe(500);
      const again = await post();
      expect([again.status, again.headers.get('idempotency-replayed'), await again.json()]).toEqual(
        [200, null, { data: { run: 2 } }],
      );
      const replayed = await post();
      expect([replayed.headers.get('idempotency-replayed'), await replayed.json()]).toEqual([
        'true',
        { data: { run: 2 } },
      ]);
    },
  );

  it('a call whose time is over, or whose caller has left, is made again where its transaction was rolled back', async () => {
    let runs = 0;
    const started = defer();
    const withTransaction = defineMiddleware(async ({ ctx, next }: MiddlewareCall<BaseContext>) => {
      const answer = await next();
      ctx.signal.throwIfAborted();
      return answer;
    });
    const createItem = capability
      .use(withTransaction)(Input, async (_input, { signal }) => {
        runs++;
        started.resolve();
        if (runs < 3) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return { run: runs };
      })
      .enhance(keyed)
      .enhance(withTimeout(200));
    const { request } = await startOverSocket({ capabilities: { items: { createItem } } });
    const leaving = new AbortController();
    const left = request('/items', { ...withKey('"k"', { name: 'a' }), signal: leaving.signal });
    await started.promise;
    leaving.abort();
    await expect(left).rejects.toThrow();
    expect((await request('/items', withKey('"k"', { name: 'a' }))).status).toBe(504);
    const third = await request('/items', withKey('"k"', { name: 'a' }));
    expect([third.status, third.headers.get('idempotency-replayed'), runs]).toEqual([200, null, 3]);
  });

  it('of two, the last one counts', async () => {
    const createItem = capability
      .enhance(keyed)(Input, () => 'done')
      .enhance(withIdempotency({ required: true }));
    const { request } = await startOverSocket({ capabilities: { items: { createItem } } });
    expect((await request('/items', json({ name: 'a' }))).status).toBe(400);
  });

  itOverHttp('a middleware of the same name is another one', async () => {
    const other = defineMiddleware(({ next }) => next(), { name: 'withIdempotency' });
    const createItem = capability(Input, () => 'done').enhance(other);
    const { request } = await startOverSocket({ capabilities: { items: { createItem } } });
    const { headers } = await request('/items', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example' },
    });
    expect(headers.get('access-control-allow-headers')).not.toContain('Idempotency-Key');
    expect(
      JSON.stringify(generateOpenAPI(compileRegistry({ items: { createItem } }))),
    ).not.toContain('Idempotency-Key');
  });
});

it('the change is remembered where what waits for its success fails', async () => {
  let runs = 0;
  const createItem = capability(Input, (_input, ctx) => {
    runs++;
    afterSuccess(ctx, () => {
      throw new Error('the queue is away');
    });
    return { run: runs };
  }).enhance(withIdempotency());
  const { request } = await startOverSocket({ capabilities: { items: { createItem } } });
  expect((await request('/items', withKey('"k"', { name: 'a' }))).status).toBe(500);
  const again = await request('/items', withKey('"k"', { name: 'a' }));
  expect([again.status, again.headers.get('idempotency-replayed'), runs]).toEqual([200, 'true', 1]);
});

describeWithRedis('redis', () => {
  let url = '';
  beforeAll(async () => {
    ({ url } = await startRedis());
  });

  it('two servers run a call once, whichever is asked, and one that died lets the other run it', async () => {
    const { promise, resolve } = defer();
    let runs = 0;
    const handle = async () => {
      runs++;
      await promise;
      return { run: runs };
    };
    const one = await serveKeyed(handle, { store: redisStore(url) });
    const two = await serveKeyed(handle, { store: redisStore(url) });
    const answers = [one.post('"k"'), two.post('"k"'), one.post('"k"')];
    await expect.poll(() => runs).toBe(1);
    resolve();
    expect((await Promise.all(answers)).map(({ body }) => body.data.run)).toEqual([1, 1, 1]);

    // One that nobody hears of any more, as if its process had been killed.
    const redis = redisStore(url);
    const dead: Store = {
      ...redis,
      swap: (key, change) =>
        change.from === undefined ? redis.swap(key, change) : new Promise(() => {}),
    };
    const dying = await serveKeyed(() => new Promise(() => {}), {
      store: dead,
      idempotency: { lockMs: 200 },
    });
    const lost = dying.post('"lost"').catch(() => {});
    await expect.poll(dying.runs).toBe(1);
    expect((await two.post('"lost"')).status).toBe(200);
    await dying.server.stop({ graceMs: 0 });
    await lost;
  });
});
