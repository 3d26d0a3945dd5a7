// Boundary: callers, over every transport. Promise: what a server or `capix dev` keeps of calls is bounded, and the room
// that one caller takes is taken from nobody else.
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defineContext,
  silentLogger,
  toFetchHandler,
  withCache,
  withIdempotency,
} from '../../server-runtime/index.ts';
import { queueTransport } from '../../server-runtime/queue/index.ts';
import { createMemoryStore } from '../../server-runtime/stores/memory-store.ts';
import { DevStore } from '../../source/dev/screen/dev-store.ts';
import { toPreview } from '../../source/record/preview.ts';
import { countInputs } from '../helpers/count-inputs.ts';
import { recordLog } from '../helpers/start-rest.ts';

const input = z.object({ id: z.string() });
const context = defineContext(({ headers }) => ({ user: String(headers['x-user']) }));
const cap = capability.withContext<{ user: string }>();

describe('idempotency keys in memory', () => {
  /** Gives the call of a caller with a key: whether its handler ran. */
  function serve(options: Parameters<typeof withIdempotency<unknown, { user: string }>>[0]) {
    const createOne = cap(input, ({ id }) => id).enhance(withIdempotency(options));
    const server = createServer({
      context,
      capabilities: { a: { createOne } },
      logger: silentLogger,
    });
    const answer = toFetchHandler(server);
    return async (caller: string, key: string): Promise<boolean> => {
      const headers = {
        'content-type': 'application/json',
        'idempotency-key': `"${key}"`,
        'x-user': caller,
      };
      const init = { method: 'POST', headers, body: '{"id":"1"}' };
      const response = await answer(new Request('http://a.test/a', init), {
        remoteAddress: caller,
      });
      expect(response.status).toBe(200);
      return response.headers.get('idempotency-replayed') === null;
    };
  }

  it.each([
    ['of a user', { by: (_input: unknown, ctx: { user: string }) => ctx.user }],
    ['of everybody, by address', {}],
  ])('%s stay known, whatever number another one sends', async (_what, options) => {
    const runs = serve(options);
    expect(await runs('alice', 'payment')).toBe(true);
    for (let from = 0; from < 10_010; from += 110)
      await Promise.all(Array.from({ length: 110 }, (_, each) => runs('bob', `${from + each}`)));
    expect(await runs('alice', 'payment')).toBe(false);
    // The one who keeps most has given up what it used first.
    expect([await runs('bob', '9999'), await runs('bob', '0')]).toEqual([false, true]);
  });
});

it('an answer that is too long to be stored is not given twice, and its change not made twice', async () => {
  let runs = 0;
  const createOne = capability(input, () => {
    runs++;
    return 'x'.repeat(5_000_000);
  }).enhance(withIdempotency());
  const answer = toFetchHandler(
    createServer({ capabilities: { a: { createOne } }, logger: silentLogger }),
  );
  const headers = { 'content-type': 'application/json', 'idempotency-key': '"k"' };
  const post = () =>
    answer(new Request('http://a.test/a', { method: 'POST', headers, body: '{"id":"1"}' }));
  expect([(await post()).status, (await post()).status, runs]).toEqual([200, 409, 1]);
});

it('a cached answer stays, whatever number another caller asks for', async () => {
  const seen: string[] = [];
  const getOne = cap(
    input,
    ({ id }, { user }) => {
      seen.push(`${user} ${id}`);
      return id;
    },
    'query',
  ).enhance(withCache({ ttlMs: 60_000, scope: ({ user }: { user: string }) => user }));
  const server = createServer({ context, capabilities: { a: { getOne } }, logger: silentLogger });
  const answer = toFetchHandler(server);
  const ask = (user: string, id: string) =>
    answer(new Request(`http://a.test/a/${id}`, { headers: { 'x-user': user } }));
  await ask('alice', '1');
  for (let each = 0; each < 1100; each++) await ask('bob', `${each}`);
  await ask('alice', '1');
  expect(seen.filter((call) => call.startsWith('alice'))).toEqual(['alice 1']);
});

describe('a store in memory', () => {
  it('keeps fewer values the longer they are', () => {
    const store = createMemoryStore({ maxEntries: 1000 });
    const long = 'x'.repeat(1_000_000);
    for (let each = 0; each < 200; each++) void store.set(`${each}`, `${long}${each}`, 60_000);
    const present = Array.from({ length: 200 }, (_, each) => store.get(`${each}`) !== undefined);
    const count = present.filter(Boolean).length;
    expect(count).toBeGreaterThan(50);
    expect(count * long.length).toBeLessThanOrEqual(67_108_864);
    expect(present.at(-1)).toBe(true);
    void store.set('longest', 'x'.repeat(70_000_000), 60_000);
    expect(store.get('longest')).toBeUndefined();
  });

  it('takes as long to write where many callers have a little', () => {
    const store = createMemoryStore({ maxEntries: 200_000 });
    const write = (at: number): void => {
      store.assign?.(`key ${at}`, `caller ${at}`);
      void store.set(`key ${at}`, 'value', 60_000);
    };
    for (let at = 0; at < 200_000; at++) write(at);
    const times = [200_000, 200_100, 200_200].map((first) => {
      const before = process.cpuUsage();
      for (let at = first; at < first + 100; at++) write(at);
      return process.cpuUsage(before).user / 1000;
    });
    // A walk of all callers for each write would take ten times as much.
    expect(Math.min(...times)).toBeLessThan(150);
    expect(store.get('key 200299')).toBe('value');
  });

  it('takes room only from who has more than others, and never keeps more than it may', () => {
    // One of them is heard far more often than the others.
    const owner = fc.constantFrom('a', 'a', 'a', 'a', 'a', 'a', 'b', 'c');
    const step = fc.record({ owner, key: fc.integer({ min: 0, max: 30 }), isRead: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
        const store = createMemoryStore({ maxEntries: 12 });
        const known = new Map<string, string>();
        for (const { owner: by, key, isRead } of steps) {
          const name = `${by} ${key}`;
          if (isRead) void store.get(name);
          else store.assign?.(name, by);
          if (!isRead) void store.set(name, by, 60_000);
          if (!isRead) known.set(name, by);
        }
        const held = [...known].filter(([name]) => store.get(name) !== undefined);
        expect(held.length).toBe(Math.min(12, known.size));
        // Whoever has used fewer keys than an equal share has every one of them.
        for (const name of ['a', 'b', 'c']) {
          const own = [...known].filter(([, by]) => by === name);
          if (own.length <= 4)
            expect(held.filter(([, by]) => by === name)).toHaveLength(own.length);
        }
      }),
      { numRuns: countInputs(200) },
    );
  });
});

it('a queue in memory refuses what it has no room for, as one that is away', async () => {
  const jobs = queueTransport({
    capabilities: { texts: { send: capability(z.object({ text: z.string() }), () => null) } },
    isWorker: false,
  });
  const server = createServer({ capabilities: {}, transports: [jobs], logger: silentLogger });
  await server.start();
  const text = 'x'.repeat(1_000_000);
  let count = 0;
  let thrown: unknown;
  while (count < 100 && thrown === undefined) {
    await jobs.enqueue('texts.send', { text }).catch((error: unknown) => {
      thrown = error;
    });
    count++;
  }
  expect(thrown).toMatchObject({ status: 503, name: 'ServiceUnavailable' });
  expect(String((thrown as Error).cause)).toContain("The queue 'texts.send' is full");
  expect(count).toBeGreaterThan(60);
  await server.stop({ graceMs: 0 });
});

it('a queue in memory that has no room for a job of its schedule says so in the log', async () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const input = { text: 'x'.repeat(1_000_000) };
  const jobs = queueTransport({
    capabilities: {
      texts: { send: capability(z.object({ text: z.string() }), () => new Promise(() => {})) },
    },
    jobs: { 'texts.send': { maxJobs: 1, repeat: { cron: '* * * * * *', input } } },
  });
  const log = recordLog();
  const server = createServer({ capabilities: {}, transports: [jobs], logger: log });
  await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const fill = async (): Promise<void> => {
    for (let count = 0; count < 100; count++) await jobs.enqueue('texts.send', input);
  };
  await expect(fill()).rejects.toThrow();
  await expect
    .poll(() => log.warnings)
    .toEqual([expect.stringContaining("The queue 'texts.send' is full")]);
  expect(rejections).toEqual([]);
});

describe('the requests that capix dev keeps', () => {
  it('lose their details, the oldest first, where these take too much', () => {
    const store = new DevStore();
    const details = { headers: [], answerHeaders: [], guards: [], logs: [], hasRun: true };
    const toRequest = (id: number) => ({
      id: `1-${id}`,
      at: 0,
      method: 'POST',
      url: '/a',
      status: 200,
      durationMs: 1,
      details: { ...details, body: 'x'.repeat(64 * 1024) },
    });
    for (let id = 0; id < 700; id++)
      store.take({ kind: 'requests', requests: [toRequest(id)] } as never);
    const kept = store.requests.filter((request) => request.details !== undefined);
    expect(store.requests).toHaveLength(700);
    expect([kept.length > 400, kept.length < 520, kept.at(-1)?.id]).toEqual([true, true, '1-699']);
  });

  it('show no more of a value than a screen of it, whatever the value is', () => {
    const long = fc.integer({ min: 0, max: 3000 }).map((length) => 'n'.repeat(length));
    const value = fc.oneof(fc.object({ key: long, maxDepth: 4 }), fc.array(long), long);
    fc.assert(
      fc.property(value, (sent) => {
        expect(JSON.stringify(toPreview(sent) ?? null).length).toBeLessThan(1_000_000);
      }),
      { numRuns: countInputs(100) / 5 },
    );
    expect(JSON.stringify(toPreview({ ['n'.repeat(100_000)]: 1 })).length).toBeLessThan(300);
  });
});
