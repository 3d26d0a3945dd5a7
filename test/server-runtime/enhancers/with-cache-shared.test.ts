import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import type { CacheOptions } from '../../../server-runtime/enhancers/with-cache.ts';
import { capability, createServer, invalidates, withCache } from '../../../server-runtime/index.ts';
import { createMemoryStore } from '../../../server-runtime/stores/memory-store.ts';
import { redisStore } from '../../../server-runtime/stores/redis-store.ts';
import { describeOverSockets } from '../../helpers/every-door.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';
import { defer, type StartRestOptions, startOverSocket } from '../../helpers/start-rest.ts';

const ById = z.object({ id: z.string() });

/** A server on which `items.getItem` gives the number of its run, or waits for what `handle` gives. */
async function serve(
  cache: Omit<CacheOptions<{ id: string }, unknown>, 'ttlMs'> & { readonly ttlMs?: number } = {},
  {
    handle,
    ...options
  }: Partial<StartRestOptions> & { readonly handle?: (run: number) => unknown } = {},
) {
  let runs = 0;
  const getItem = capability(ById, async ({ id }) => ({
    id,
    run: ++runs,
    more: await handle?.(runs),
  })).enhance(withCache({ ttlMs: 60_000, tags: ({ id }) => [`item ${id}`, 'items'], ...cache }));
  const updateItem = capability(ById, ({ id }) => ({ id })).enhance(
    invalidates(({ id }) => [`item ${id}`]),
  );
  const started = await startOverSocket({
    capabilities: { items: { getItem, updateItem } },
    ...options,
  });
  const get = async (id = 'a'): Promise<number> =>
    (
      (await started.server.invoke({ capability: 'items.getItem', input: { id } })) as {
        run: number;
      }
    ).run;
  const update = (id = 'a') =>
    started.server.invoke({ capability: 'items.updateItem', input: { id } });
  return { ...started, get, update, runs: () => runs };
}

describeOverSockets('single flight', () => {
  it('callers who ask for the same at once wait for one handler, and each gets a copy', async () => {
    const { promise, resolve } = defer();
    const { get, runs } = await serve({}, { handle: () => promise });
    const all = Array.from({ length: 20 }, () => get());
    const other = get('b');
    await expect.poll(runs).toBe(2);
    resolve();
    expect(new Set(await Promise.all(all)).size).toBe(1);
    await other;
    expect(runs()).toBe(2);
  });

  it('shares a fault, and keeps none', async () => {
    const { promise, resolve } = defer();
    const { get, runs } = await serve(
      {},
      {
        handle: async (run) => {
          await promise;
          if (run === 1) throw new Error('fault');
        },
      },
    );
    const all = [get(), get()];
    await expect.poll(runs).toBe(1);
    resolve();
    for (const each of all) await expect(each).rejects.toThrow('fault');
    expect(await get()).toBe(2);
  });

  it('a caller who leaves takes nobody along', async () => {
    const { promise, resolve } = defer();
    const leaving = new AbortController();
    const { server, get, runs } = await serve(
      {},
      {
        handle: (run) =>
          run === 1
            ? new Promise((_, reject) =>
                leaving.signal.addEventListener('abort', () => reject(new Error('left'))),
              )
            : promise,
      },
    );
    const first = server.invoke({
      capability: 'items.getItem',
      input: { id: 'a' },
      signal: leaving.signal,
    });
    await expect.poll(runs).toBe(1);
    const second = get();
    leaving.abort();
    await expect(first).rejects.toMatchObject({ status: 503 });
    resolve();
    expect(await second).toBe(2);
  });
});

describeOverSockets('a key of an input', () => {
  it('is an input like others, whatever it ends with', async () => {
    const suffix = fc.constantFrom('', ':fresh', ':refresh', ':tag', ' ', '#2', '\n');
    const slug = fc.tuple(fc.constantFrom('a', 'b'), suffix).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(slug, { maxLength: 12 }), async (slugs) => {
        const getPage = capability(
          z.object({ slug: z.string() }),
          ({ slug: text }) => ({ slug: text }),
          'query',
        );
        const cached = getPage.enhance(withCache({ ttlMs: 60_000, key: ({ slug: text }) => text }));
        const server = createServer({ capabilities: { pages: { getPage: cached } } });
        for (const each of slugs)
          expect(
            await server.invoke({ capability: 'pages.getPage', input: { slug: each } }),
          ).toEqual({ slug: each });
      }),
      { numRuns: 50 },
    );
  });

  it('that ends as a mark of another key did keeps no answer from being made anew', async () => {
    const { get, runs } = await serve({ ttlMs: 20, key: ({ id }) => id });
    await get('a');
    await get('a:refresh');
    await get('a:fresh');
    await expect
      .poll(async () => {
        await get('a');
        return runs();
      })
      .toBeGreaterThan(3);
  });
});

describeOverSockets('tags', () => {
  it('a change puts what it names out of date, and so does the server', async () => {
    const { server, get, update } = await serve();
    expect([await get('a'), await get('b'), await get('a')]).toEqual([1, 2, 1]);
    await update('a');
    expect([await get('a'), await get('b')]).toEqual([3, 2]);
    await server.invalidate(['items']);
    expect([await get('a'), await get('b')]).toEqual([4, 5]);
  });

  it('an answer that is being made meanwhile is out of date too', async () => {
    const { promise, resolve } = defer();
    const { get, update, runs } = await serve(
      {},
      { handle: (run) => (run === 1 ? promise : undefined) },
    );
    const first = get();
    await expect.poll(runs).toBe(1);
    await update();
    expect(await get()).toBe(2);
    resolve();
    expect(await first).toBe(1);
    expect(await get()).toBeGreaterThan(1);
  });
});

it('while the store is away, the handler runs, once for callers who ask for the same at once', async () => {
  const { promise, resolve } = defer();
  const get = (): never => {
    throw new Error('gone');
  };
  const served = await serve({}, { store: { ...createMemoryStore(), get }, handle: () => promise });
  const all = [served.get(), served.get(), served.get()];
  await expect.poll(served.runs).toBe(1);
  resolve();
  expect(await Promise.all(all)).toEqual([1, 1, 1]);
  expect(await served.get()).toBe(2);
});

describeWithRedis('redis', () => {
  let url = '';
  beforeAll(async () => {
    ({ url } = await startRedis());
  });

  it('two servers share answers and what puts them out of date', async () => {
    const one = await serve({}, { store: redisStore(url) });
    const two = await serve({}, { store: redisStore(url) });
    expect([await one.get(), await two.get()]).toEqual([1, 1]);
    expect([one.runs(), two.runs()]).toEqual([1, 0]);
    await two.update();
    expect([await one.get(), await two.get()]).toEqual([2, 2]);
    expect([one.runs(), two.runs()]).toEqual([2, 0]);
  });
});
