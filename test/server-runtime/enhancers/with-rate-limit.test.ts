import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGroup,
  defineGuard,
  restTransport,
  type ServerOptions,
  type Store,
  withRateLimit,
} from '../../../server-runtime/index.ts';
import { redisStore } from '../../../server-runtime/redis/index.ts';
import { createMemoryStore } from '../../../server-runtime/stores/memory-store.ts';
import { describeWithRedis, type RunningRedis, startRedis } from '../../helpers/start-redis.ts';
import { json, recordLog, startOverSocket } from '../../helpers/start-rest.ts';

const minute = { limit: 2, windowMs: 60_000 };
const ping = capability(() => 'pong', 'query');
const context = defineContext(({ headers }) => ({ user: headers['x-user'] as string | undefined }));
const byUser = (_input: unknown, ctx: { user: string | undefined }): string | undefined => ctx.user;

describe('over HTTP', () => {
  it('every answer has the headers of the draft, and a refusal says when to come back', async () => {
    const { request } = await startOverSocket({
      capabilities: { a: { getPing: ping.enhance(withRateLimit(minute)) } },
    });
    const answers = [];
    for (let call = 0; call < 3; call++) {
      const { status, headers } = await request('/a/ping');
      answers.push([status, headers.get('ratelimit-policy'), headers.get('ratelimit'), headers.get('retry-after')]);
    }
    expect(answers).toEqual([
      [200, '"a.getPing";q=2;w=60', '"a.getPing";r=1;t=30', null],
      [200, '"a.getPing";q=2;w=60', '"a.getPing";r=0;t=60', null],
      [429, '"a.getPing";q=2;w=60', '"a.getPing";r=0;t=60', '30'],
    ]);
  });

  it('two limits of one capability count alone, and tell of both', async () => {
    const limited = ping
      .enhance(withRateLimit({ limit: 100, windowMs: 60_000 }))
      .enhance(withRateLimit(minute))
      .enhance(withRateLimit(minute));
    const { request } = await startOverSocket({ capabilities: { a: { getPing: limited } } });
    const { headers } = await request('/a/ping');
    expect(headers.get('ratelimit')).toBe('"a.getPing";r=99;t=1, "a.getPing";r=1;t=30, "a.getPing";r=1;t=30');
  });

  it('counts calls that are refused too, where it says so, before the guard and the body', async () => {
    const guard = defineGuard(() => {
      throw defaultErrors.Unauthorized();
    });
    const input = z.object({ name: z.string() });
    const createItem = capability(input, () => 'made');
    const { request } = await startOverSocket({
      capabilities: {
        valid: { createItem: createItem.enhance(withRateLimit(minute)) },
        every: { createItem: createItem.guard(guard).enhance(withRateLimit({ ...minute, countsRefused: true })) },
      },
    });
    const statuses = async (path: string): Promise<readonly number[]> => {
      const answers = [];
      for (let call = 0; call < 3; call++) answers.push((await request(path, json({ wrong: true }))).status);
      return answers;
    };
    expect(await statuses('/valid')).toEqual([400, 400, 400]);
    expect(await statuses('/every')).toEqual([401, 401, 429]);
  });

  it('counts by user, else by address, behind proxies that are trusted', async () => {
    const getPing = capability
      .withContext<{ user: string | undefined }>()(() => 'pong', 'query')
      .enhance(withRateLimit({ limit: 1, windowMs: 60_000, by: byUser }));
    const { request } = await startOverSocket({ context, capabilities: { a: { getPing } }, rest: { trustProxy: 1 } });
    const ask = async (headers: Record<string, string>): Promise<number> =>
      (await request('/a/ping', { headers })).status;
    expect(await ask({ 'x-user': 'ann' })).toBe(200);
    expect(await ask({ 'x-user': 'bob' })).toBe(200);
    expect(await ask({ 'x-user': 'ann' })).toBe(429);
    expect(await ask({ 'x-forwarded-for': '203.0.113.1' })).toBe(200);
    expect(await ask({ 'x-forwarded-for': '203.0.113.2' })).toBe(200);
    // What the caller made up comes before what the proxy wrote.
    expect(await ask({ 'x-forwarded-for': '198.51.100.9, 203.0.113.2' })).toBe(429);
    // A user who is called as an address is another caller.
    expect(await ask({ 'x-user': '203.0.113.1' })).toBe(200);
  });

  it('counts a group, or the server, together by name', async () => {
    const group = defineGroup(
      { getOne: ping, getTwo: ping },
      { use: [withRateLimit({ name: 'group', limit: 2, windowMs: 60_000 })] },
    );
    const { request } = await startOverSocket({
      capabilities: { a: group, b: { getThree: ping } },
      use: [withRateLimit({ name: 'server', limit: 3, windowMs: 60_000 })],
    });
    const status = async (path: string): Promise<number> => (await request(path)).status;
    expect([await status('/a/one'), await status('/a/two'), await status('/b/three')]).toEqual([200, 200, 200]);
    const { headers } = await request('/a/one');
    expect(headers.get('ratelimit')).toBe('"server";r=0;t=60');
  });

  it('counts without trustProxy the address of who is connected, whatever he writes', async () => {
    const { request } = await startOverSocket({
      capabilities: { a: { getPing: ping.enhance(withRateLimit({ limit: 1, windowMs: 60_000, by: 'address' })) } },
    });
    const ask = async (address: string): Promise<number> =>
      (await request('/a/ping', { headers: { 'x-forwarded-for': address } })).status;
    expect([await ask('203.0.113.1'), await ask('203.0.113.2')]).toEqual([200, 429]);
  });

  it('an object that the builder gives to all requests keeps them apart', async () => {
    for (const shared of [{ name: 'shared' }, Object.freeze({ name: 'shared' })]) {
      const { request } = await startOverSocket({
        context: defineContext(() => shared),
        rest: { trustProxy: 1 },
        capabilities: { a: { getPing: ping.enhance(withRateLimit({ limit: 1, windowMs: 60_000, by: 'address' })) } },
      });
      const ask = async (address: string): Promise<number> =>
        (await request('/a/ping', { headers: { 'x-forwarded-for': address } })).status;
      expect([await ask('1.1.1.1'), await ask('1.1.1.2'), await ask('1.1.1.1')]).toEqual([200, 200, 429]);
    }
  });
});

describe('a store that is away', () => {
  /** A server on a store that answers while `isBack`. */
  async function startOn(toStore: (memory: Store) => Partial<Store>, options: Partial<ServerOptions> = {}) {
    const memory = createMemoryStore();
    const { request, log, server } = await startOverSocket({
      capabilities: {
        a: {
          getOpen: ping.enhance(withRateLimit(minute)),
          getClosed: ping.enhance(withRateLimit({ ...minute, onStoreError: 'closed' })),
        },
      },
      store: { ...memory, name: 'mine', ...toStore(memory) },
      ...options,
    });
    const status = async (path: string): Promise<number> => (await request(path)).status;
    return { status, log, request, server };
  }

  it('open lets calls through, closed refuses them with 503, it is said, and it recovers', async () => {
    let isAway = false;
    const { status, log } = await startOn((memory) => ({
      take: (key, bucket) => {
        if (isAway) throw new Error('gone');
        return memory.take(key, bucket);
      },
    }));
    expect([await status('/a/open'), await status('/a/closed')]).toEqual([200, 200]);
    isAway = true;
    for (let call = 0; call < 5; call++)
      expect([await status('/a/open'), await status('/a/closed')]).toEqual([200, 503]);
    expect(log.warnings[0]).toContain("The store 'mine' has left a question unanswered: gone.");
    isAway = false;
    await expect.poll(async () => status('/a/closed')).toBe(200);
    expect(await status('/a/closed')).toBe(429);
  });

  it('one that never answers is given up after a second', async () => {
    const { status } = await startOn(() => ({ take: () => new Promise<never>(() => {}) }));
    expect(await status('/a/open')).toBe(200);
    const all = await Promise.all(Array.from({ length: 20 }, () => status('/a/open')));
    expect(new Set(all)).toEqual(new Set([200]));
  });
});

describeWithRedis('redis', () => {
  let redis: RunningRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  const limited = { a: { getPing: ping.enhance(withRateLimit({ ...minute, onStoreError: 'closed' })) } };

  it('two servers share their limits', async () => {
    const one = await startOverSocket({ capabilities: limited, store: redisStore(redis.url) });
    const two = await startOverSocket({ capabilities: limited, store: redisStore(redis.url) });
    const statuses = [];
    for (const { request } of [one, two, one, two]) statuses.push((await request('/a/ping')).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
  });

  it('is killed, frozen and started again under load: no call hangs, and each change is said once', async () => {
    const log = recordLog();
    const infos: string[] = [];
    const server = createServer({
      capabilities: {
        a: { getPing: ping.enhance(withRateLimit({ limit: 1_000_000, windowMs: 60_000, onStoreError: 'closed' })) },
      },
      store: redisStore(redis.url, { prefix: 'killed:' }),
      transports: [restTransport({ port: 0 })],
      logger: { ...log, info: (line) => void infos.push(line) },
    });
    const [started] = await server.start();
    onTestFinished(() => server.stop({ graceMs: 0 }));
    const seen = new Set<number>();
    let isOver = false;
    const load = Array.from({ length: 8 }, async () => {
      while (!isOver) seen.add((await fetch(`${started?.url}/a/ping`)).status);
    });
    const turn = async (status: number): Promise<void> => {
      seen.clear();
      await expect.poll(() => seen.has(status)).toBe(true);
    };
    await turn(200);
    await redis.kill();
    await turn(503);
    await redis.restart();
    await turn(200);
    redis.freeze();
    await turn(503);
    redis.thaw();
    await turn(200);
    isOver = true;
    await Promise.all(load);
    const lines = (text: string, from: readonly string[]): number => from.filter((line) => line.includes(text)).length;
    const told = lines('does not answer', log.warnings);
    expect(told).toBeGreaterThan(0);
    await expect.poll(() => lines('answers again', infos)).toBe(told);
  });

  it('starts without one, says so, and leaves nothing open when it stops', async () => {
    const before = process.getActiveResourcesInfo().length;
    const log = recordLog();
    const server = createServer({ capabilities: limited, store: redisStore('redis://127.0.0.1:1'), logger: log });
    await server.start();
    expect(log.warnings).toEqual([expect.stringContaining("The store 'redis' does not answer: connect ECONNREFUSED")]);
    await server.stop();
    const other = createServer({ capabilities: limited, store: redisStore(redis.url), logger: log });
    await other.start();
    await other.stop();
    await expect.poll(() => process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
  });
});
