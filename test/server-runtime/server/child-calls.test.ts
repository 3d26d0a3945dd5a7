import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  type App,
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  type Hooks,
  reply,
  type ServerOptions,
  type Transport,
  withIdempotency,
  withRateLimit,
} from '../../../server-runtime/index.ts';
import { defer, recordLog } from '../../helpers/start-rest.ts';

interface Context {
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly token: object;
  readonly user?: string | undefined;
}
const cap = capability.withContext<Context>();

/** An application behind a transport of its own, which gives what the transport sees of it. */
async function serve(options: Omit<ServerOptions, 'transports'>) {
  const log = recordLog();
  let app: App | undefined;
  const own: Transport = {
    name: 'own',
    start: async (given) => {
      app = given;
      return {};
    },
    stop: async ({ graceMs }) => app?.drain({ graceMs }),
  };
  const server = createServer({ logger: log, ...options, transports: [own] } as never);
  await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return { server, log, app: app as unknown as App };
}

/** A context that counts how often it is built, and released. */
function makeContext() {
  const counts = { built: 0, released: 0 };
  const context = defineContext(async ({ resources, headers }) => {
    counts.built += 1;
    resources.defer(() => void counts.released++);
    return { token: {}, user: headers.authorization };
  });
  return { counts, context };
}

describe('the calls of one parent', () => {
  it('share its context, which is built once, its request id and its headers', async () => {
    const { counts, context } = makeContext();
    const contexts: Context[] = [];
    const look = cap((_input, ctx) => void contexts.push(ctx));
    const { app } = await serve({ context, capabilities: { items: { look } } });
    const headers = { 'X-Request-Id': 'r1', authorization: 'ada' };
    const parent = app.begin({ headers, remoteAddress: '10.0.0.7' });
    const call = { capability: 'items.look', parent };
    const results = await Promise.all([app.call(call), app.call(call), app.call(call)]);
    await parent.end();
    expect(results.map(({ requestId }) => requestId)).toEqual(['r1', 'r1', 'r1']);
    expect(contexts.map(({ user, requestId }) => [user, requestId])).toEqual(
      Array.from({ length: 3 }, () => ['ada', 'r1']),
    );
    expect(new Set(contexts.map(({ token }) => token)).size).toBe(1);
    expect(new Set(contexts).size).toBe(3);
    expect(counts).toEqual({ built: 1, released: 1 });
  });

  it('do not see what the guards of another one have added to the context', async () => {
    const { context } = makeContext();
    const seen: unknown[] = [];
    const load = defineGuard((ctx: Context & { loaded?: string }) => {
      seen.push(ctx.loaded);
      ctx.loaded = 'by a guard';
    });
    const look = cap(() => 'done').guard(load);
    const { app } = await serve({ context, capabilities: { items: { look } } });
    const parent = app.begin();
    await app.call({ capability: 'items.look', parent });
    await app.call({ capability: 'items.look', parent });
    await parent.end();
    expect(seen).toEqual([undefined, undefined]);
  });

  it('have a context of their own where that is an instance of a class, whose private fields cannot be shared', async () => {
    class Session {
      readonly #user = 'ada';
      getUser(): string {
        return this.#user;
      }
    }
    const context = defineContext(() => new Session());
    const look = capability.withContext<Session>()((_input, ctx) => ctx.getUser());
    const { app } = await serve({ context, capabilities: { items: { look } } });
    const parent = app.begin();
    const call = { capability: 'items.look', parent };
    expect(await Promise.all([app.call(call), app.call(call)])).toMatchObject([
      { value: 'ada' },
      { value: 'ada' },
    ]);
    await parent.end();
  });

  it('all fail where the context cannot be built, which is tried once', async () => {
    let tried = 0;
    const context = defineContext(() => {
      tried += 1;
      throw defaultErrors.Unauthorized();
    });
    const look = capability(() => 'secret');
    const { app } = await serve({ context, capabilities: { items: { look } } });
    const parent = app.begin();
    const call = { capability: 'items.look', parent };
    const results = await Promise.all([app.call(call), app.call(call)]);
    await parent.end();
    expect(results.map(({ status }) => status)).toEqual([401, 401]);
    expect(tried).toBe(1);
  });

  it('end with the signal of the parent, and by one of their own', async () => {
    const { counts, context } = makeContext();
    const running: (() => void)[] = [];
    const wait = cap(async (_input, { signal }) => {
      running.pop()?.();
      await once(signal, 'abort');
    });
    const { app, log } = await serve({ context, capabilities: { items: { wait } } });
    const begun = [defer(), defer()];
    running.push(...begun.map(({ resolve }) => resolve));
    const leave = new AbortController();
    const only = new AbortController();
    const parent = app.begin({ signal: leave.signal });
    const first = app.call({ capability: 'items.wait', parent, signal: only.signal });
    const second = app.call({ capability: 'items.wait', parent });
    await Promise.all(begun.map(({ promise }) => promise));
    only.abort();
    expect(await first).toMatchObject({ ok: false, status: 503 });
    expect(parent.signal.aborted).toBe(false);
    leave.abort();
    expect(await second).toMatchObject({ ok: false, status: 503 });
    expect(await app.call({ capability: 'items.wait', parent })).toMatchObject({ status: 503 });
    await parent.end();
    expect(counts.released).toBe(1);
    expect(log.errors).toEqual([]);
  });

  it('are counted apart by limits, whose headers are in the answer of the parent, with those of reply', async () => {
    const hit = capability(() => reply('hit', { headers: { 'Set-Cookie': 'a=1' } })).enhance(
      withRateLimit({ limit: 2, windowMs: 60_000 }),
    );
    const { app } = await serve({ capabilities: { items: { hit } } });
    const parent = app.begin();
    const results = [];
    for (let at = 0; at < 3; at++)
      results.push(await app.call({ capability: 'items.hit', parent }));
    expect(results.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(results[0]?.headers).toMatchObject({
      'set-cookie': 'a=1',
      ratelimit: expect.stringContaining('r=1;'),
    });
    expect(parent.answerHeaders['set-cookie']).toEqual(['a=1', 'a=1']);
    expect(parent.answerHeaders['ratelimit']).toHaveLength(3);
    await parent.end();
  });

  it('have idempotency keys of their own under the key of the parent: by their order, or by their place', async () => {
    const made: string[] = [];
    const create = capability(
      z.object({ sku: z.string() }),
      ({ sku }) => {
        made.push(sku);
        return sku;
      },
      'mutation',
    ).enhance(withIdempotency());
    const { app } = await serve({ capabilities: { orders: { create } } });
    const order = async (skus: readonly string[], places: readonly string[] = []) => {
      const parent = app.begin({ headers: { 'idempotency-key': 'k1' } });
      const results = [];
      for (const [at, sku] of skus.entries())
        results.push(
          await app.call({
            capability: 'orders.create',
            input: { sku },
            parent,
            place: places[at],
          }),
        );
      await parent.end();
      return results.map(({ status, headers }) => `${status} ${headers['idempotency-replayed']}`);
    };
    expect(await order(['tea', 'tea', 'jam'])).toEqual(Array(3).fill('200 undefined'));
    expect(await order(['tea', 'tea', 'ham'])).toEqual(['200 true', '200 true', '422 undefined']);
    expect(made).toEqual(['tea', 'tea', 'jam']);
    expect(await order(['rice', 'rice'], ['first', 'second'])).toEqual(
      Array(2).fill('200 undefined'),
    );
    expect(await order(['rice'], ['second'])).toEqual(['200 true']);
    expect(made).toEqual(['tea', 'tea', 'jam', 'rice', 'rice']);
  });

  it('let go of what is their own at their end, and of what the context holds at the end of the parent', async () => {
    const { counts, context } = makeContext();
    class Session {
      readonly release: () => void;
      constructor(release: () => void) {
        this.release = release;
      }
    }
    const { app } = await serve({ context, capabilities: { items: { get: cap(() => 1) } } });
    const parent = app.begin();
    await app.call({ capability: 'items.get', parent });
    await app.call({ capability: 'items.get', parent });
    expect(counts).toEqual({ built: 1, released: 0 });
    await parent.end();
    expect(counts).toEqual({ built: 1, released: 1 });

    let released = 0;
    const builtForEach = defineContext(({ resources }) => {
      resources.defer(() => void released++);
      return new Session(() => {});
    });
    const other = await serve({
      context: builtForEach,
      capabilities: { items: { get: capability(() => 1) } },
    });
    const second = other.app.begin();
    await other.app.call({ capability: 'items.get', parent: second });
    expect(released).toBe(1);
    await second.end();
    expect(released).toBe(2);
  });

  it('are ended where the parent ends first, which keeps what they use until they have ended', async () => {
    const { counts, context } = makeContext();
    const running = defer();
    const stuck = defer();
    const wait = cap(async () => {
      running.resolve();
      await stuck.promise;
    });
    async function* toItems() {
      for (let item = 0; ; item++) yield item;
    }
    const { app, log } = await serve({
      context,
      capabilities: { items: { wait, list: cap(() => toItems()) } },
    });
    const parent = app.begin();
    const list = await app.call({ capability: 'items.list', parent });
    const waiting = app.call({ capability: 'items.wait', parent });
    await running.promise;
    const ended = parent.end();
    expect(parent.signal.aborted).toBe(true);
    expect(await waiting).toMatchObject({ ok: false, status: 503 });
    await expect(
      (list as unknown as { value: AsyncIterator<number> }).value.next(),
    ).rejects.toThrow();
    expect(counts.released).toBe(0);
    stuck.resolve();
    await ended;
    expect(counts.released).toBe(1);
    expect(await app.call({ capability: 'items.wait', parent })).toMatchObject({ status: 503 });
    expect(log.errors).toEqual([]);
  });

  it('are one request of hooks, which hear of each failure; what is unexpected is logged once, with its capability', async () => {
    const heard: string[] = [];
    const hooks: Hooks = {
      onRequest: ({ requestId, transport }) => void heard.push(`request ${transport} ${requestId}`),
      onError: ({ capability: key, failure }) => void heard.push(`error ${key} ${failure.status}`),
      onResponse: ({ status }) => void heard.push(`response ${status}`),
    };
    const fail = capability(() => {
      throw new Error('db');
    });
    const { app, log } = await serve({
      hooks,
      capabilities: { items: { fail, get: capability(() => 1) } },
    });
    const parent = app.begin({ headers: { 'x-request-id': 'r1' } });
    await app.call({ capability: 'items.get', parent });
    await app.call({ capability: 'items.fail', parent });
    await parent.end({ status: 207 });
    await parent.end();
    expect(heard).toEqual(['request own r1', 'error items.fail 500', 'response 207']);
    expect(log.errors).toMatchObject([{ message: '[capix] items.fail failed', requestId: 'r1' }]);
  });
});

it('a transport that stops ends a parent that it forgot, and its calls', async () => {
  const { counts, context } = makeContext();
  const running = defer();
  const wait = cap(async (_input, { signal }) => {
    running.resolve();
    await once(signal, 'abort');
  });
  const { app, server } = await serve({ context, capabilities: { items: { wait } } });
  const parent = app.begin();
  const waiting = app.call({ capability: 'items.wait', parent });
  await running.promise;
  await server.stop({ graceMs: 10 });
  expect(await waiting).toMatchObject({ status: 503 });
  await parent.end();
  expect(counts).toEqual({ built: 1, released: 1 });
  expect(app.begin().signal.aborted).toBe(false);
});
