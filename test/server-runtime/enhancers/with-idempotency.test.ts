import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createClient, retry } from '../../../server-runtime/client/index.ts';
import {
  capability,
  defaultErrors,
  defineContext,
  defineGroup,
  defineGuard,
  reply,
  type Store,
  withIdempotency,
  withRetry,
} from '../../../server-runtime/index.ts';
import { redisStore } from '../../../server-runtime/redis/index.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';
import { defer, type ErrorBody, json, type StartRestOptions, startOverSocket } from '../../helpers/start-rest.ts';

const Input = z.object({ name: z.string() });
const context = defineContext(({ headers }) => ({ user: headers['x-user'] as string | undefined }));

/** A server on which `POST /items` gives the number of its run, or what `handle` makes of it. */
async function serve(
  handle: (run: number) => unknown = (run) => ({ run }),
  options: Partial<StartRestOptions> & { idempotency?: Parameters<typeof withIdempotency>[0] } = {},
) {
  let runs = 0;
  const { idempotency, ...rest } = options;
  const createItem = capability
    .withContext<{ user: string | undefined }>()(Input, () => handle(++runs))
    .enhance(
      withIdempotency({ by: (_input: unknown, ctx: { user?: string | undefined }) => ctx.user, ...idempotency }),
    );
  const started = await startOverSocket({ context, capabilities: { items: { createItem } }, ...rest });
  const post = async (
    key: string | undefined,
    { name = 'a', headers = {} }: { name?: string; headers?: object } = {},
  ) => {
    const { headers: type, ...init } = json({ name });
    const response = await started.request('/items', {
      ...init,
      headers: { ...type, ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) } as Record<
        string,
        string
      >,
    });
    const body = (await response.json()) as { readonly data: { readonly run: number } } & ErrorBody;
    return { status: response.status, body, replayed: response.headers.get('idempotency-replayed') };
  };
  return { ...started, post, runs: () => runs };
}

describe('the same key and input', () => {
  it('get the first answer, with its status and headers, and say so', async () => {
    const { post, runs } = await serve((run) =>
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
    const { request, post, runs } = await serve(async (run) => {
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
    const { post } = await serve((run) => {
      throw run === 1 ? new Error('down') : defaultErrors.NotFound('No stock', { run });
    });
    expect((await post('"k"')).status).toBe(500);
    const refused = await post('"k"');
    expect([refused.status, refused.body.meta]).toEqual([404, { run: 2 }]);
    expect((await post('"k"')).body).toEqual(refused.body);
  });

  it('are refused with 409 where the answer cannot be given twice', async () => {
    const { post, runs } = await serve(
      () => new Response('{"data": {"run": 1}}', { headers: { 'content-type': 'application/json' } }),
    );
    expect((await post('"k"')).status).toBe(200);
    expect((await post('"k"')).status).toBe(409);
    expect(runs()).toBe(1);
  });
});

describe('a key', () => {
  it('with another input is refused with 422', async () => {
    const { post } = await serve();
    await post('"k"');
    const { status, body } = await post('"k"', { name: 'b' });
    expect([status, body.error]).toEqual([422, 'IdempotencyKeyReused']);
  });

  it('is that of its caller', async () => {
    const { post, runs } = await serve();
    for (const user of ['ann', 'bob', 'ann']) await post('"k"', { headers: { 'x-user': user } });
    expect(runs()).toBe(2);
  });

  it.each(['""', '"a" "b"', 'a b', `"${'x'.repeat(256)}"`, '"a", "b"'])('%s is refused with 400', async (key) => {
    expect((await (await serve()).post(key)).status).toBe(400);
  });

  it('may be missing, or is asked for', async () => {
    const free = await serve();
    expect((await free.post(undefined)).status).toBe(200);
    const asked = await serve(undefined, { idempotency: { required: true } });
    expect((await asked.post(undefined)).status).toBe(400);
  });

  it('may be sent by pages of other origins', async () => {
    const { request } = await serve();
    const { headers } = await request('/items', { method: 'OPTIONS', headers: { origin: 'https://app.example' } });
    expect(headers.get('access-control-allow-headers')).toBe('Content-Type, Authorization, Idempotency-Key');
  });
});

it('a guarded capability must say whose keys these are, and a query is let through', async () => {
  const guard = defineGuard(() => {});
  const pay = capability(() => 'paid')
    .guard(guard)
    .enhance(withIdempotency());
  await expect(startOverSocket({ capabilities: { a: { pay } } })).rejects.toThrow(/by: \(_input, ctx\) => ctx.user.id/);
  const group = defineGroup(
    { getItem: capability(() => 1).guard(guard) },
    { use: [withIdempotency({ required: true })] },
  );
  const { request } = await startOverSocket({ capabilities: { a: group } });
  expect((await request('/a/item')).status).toBe(200);
});

it('while the store is away, calls with a key get 503, and others are run', async () => {
  const store: Store = {
    name: 'gone',
    get: () => undefined,
    set: () => {},
    add: () => {
      throw new Error('gone');
    },
    swap: () => false,
    consume: () => ({ ok: true, remainingCalls: 1, resetMs: 0 }),
  };
  const { post } = await serve(undefined, { store });
  expect((await post('"k"')).status).toBe(503);
  expect((await post(undefined)).status).toBe(200);
});

it('works for tools, by _meta', async () => {
  let runs = 0;
  const createItem = capability(Input, () => ({ run: ++runs })).enhance(withIdempotency());
  const client = await connectToTools({ capabilities: { items: { createItem } } });
  const call = { name: 'items_createItem', arguments: { name: 'a' }, _meta: { 'idempotency-key': 'k' } };
  const [first, second] = [await client.callTool(call), await client.callTool(call)];
  expect(second).toEqual(first);
  expect(runs).toBe(1);
});

it('a client that repeats a call that got no answer sends one key', async () => {
  let runs = 0;
  const createItem = capability(Input, () => ({ run: ++runs })).enhance(withIdempotency());
  const { url } = await startOverSocket({ capabilities: { items: { createItem } }, rest: { calls: true } });
  const keys: (string | null)[] = [];
  const api = createClient<{ items: { createItem: typeof createItem } }>({
    baseUrl: url,
    fetch: retry(2, async (...request) => {
      keys.push(new Headers(request[1]?.headers).get('idempotency-key'));
      const response = await fetch(...request);
      if (keys.length === 1) throw new TypeError('The connection broke before the answer came.');
      return response;
    }),
  });
  expect(await api.items.createItem({ name: 'a' })).toEqual({ run: 1 });
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  expect(await api.items.createItem({ name: 'a' }, { idempotencyKey: 'mine' })).toEqual({ run: 2 });
  expect(keys.at(-1)).toBe('"mine"');
});

it('a server that repeats a change without it says so', async () => {
  const change = capability(() => 'done').enhance(withRetry());
  const { log } = await startOverSocket({ capabilities: { a: { change, other: change.enhance(withIdempotency()) } } });
  expect(log.warnings).toEqual([
    expect.stringContaining('withRetry repeats a change in a.change. Put withIdempotency()'),
  ]);
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
    const one = await serve(handle, { store: redisStore(url) });
    const two = await serve(handle, { store: redisStore(url) });
    const answers = [one.post('"k"'), two.post('"k"'), one.post('"k"')];
    await expect.poll(() => runs).toBe(1);
    resolve();
    expect((await Promise.all(answers)).map(({ body }) => body.data.run)).toEqual([1, 1, 1]);

    // One that nobody hears of any more, as if its process had been killed.
    const dead = { ...redisStore(url), swap: () => new Promise<never>(() => {}) };
    const dying = await serve(() => new Promise(() => {}), { store: dead, idempotency: { lockMs: 200 } });
    const lost = dying.post('"lost"').catch(() => {});
    await expect.poll(dying.runs).toBe(1);
    expect((await two.post('"lost"')).status).toBe(200);
    await dying.server.stop({ graceMs: 0 });
    await lost;
  });
});
