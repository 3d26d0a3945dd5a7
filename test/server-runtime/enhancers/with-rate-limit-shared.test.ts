import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { Redis } from 'ioredis';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  restTransport,
  type Store,
  withCache,
  withRateLimit,
} from '../../../server-runtime/index.ts';
import { createMemoryStore } from '../../../server-runtime/stores/memory-store.ts';
import { redisStore } from '../../../server-runtime/stores/redis-store.ts';
import { describeOverSockets } from '../../helpers/every-door.ts';
import { describeWithRedis, type RunningRedis, startRedis } from '../../helpers/start-redis.ts';
import { recordLog, startOverSocket } from '../../helpers/start-rest.ts';

const ByUser = z.object({ user: z.string() });
const by = ({ user }: { user: string }): string => user;
/** Five calls of each user. */
const limited = capability(ByUser, () => 'pong', 'query').enhance(
  withRateLimit({ limit: 5, windowMs: 600_000, by }),
);
/** The first key that a user's calls are counted under. */
const keyOf = (prefix: string, user: string): string =>
  `${prefix}limit:5/600000:a.getPing:u:${user}`;

/** Calls `a.getPing` in this process, as many times; gives how many were let through. */
async function ask(
  server: ReturnType<typeof serve>['server'],
  user: string,
  calls: number,
): Promise<number> {
  const asked = Array.from({ length: calls }, () =>
    server.invoke({ capability: 'a.getPing', input: { user } }).then(
      () => 1,
      (error: { readonly status?: number }) =>
        error.status === 429 ? 0 : Promise.reject(error as Error),
    ),
  );
  return (await Promise.all(asked)).reduce((sum, each) => sum + each, 0);
}

function serve(store: Store, capabilities: object = {}) {
  const log = recordLog();
  const infos: string[] = [];
  const server = createServer({
    capabilities: { a: { getPing: limited, ...capabilities } },
    store,
    logger: { ...log, info: (line) => void infos.push(line) },
  });
  onTestFinished(() => server.stop());
  return { server, log, infos };
}

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describeOverSockets('a store that is away', () => {
  it.each([
    ['that fails', () => Promise.reject(new Error('gone'))],
    [
      'that throws',
      (): never => {
        throw new Error('gone');
      },
    ],
    ['that never answers', () => new Promise<never>(() => {})],
  ])('%s is stood in for by the memory of the process, call by call', async (_name, consume) => {
    const memory = createMemoryStore();
    let isAway = true;
    const given: Store = {
      ...memory,
      name: 'mine',
      consume: (key, window) =>
        isAway && key.endsWith('u:ann') ? consume() : memory.consume(key, window),
    };
    const { server } = serve(given);
    expect(await Promise.all([ask(server, 'ann', 8), ask(server, 'bob', 8)])).toEqual([5, 5]);
    isAway = false;
    expect(await ask(server, 'ann', 1)).toBe(1);
  });
});

describeWithRedis('redis', () => {
  let redis: RunningRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });

  it('two servers share their limits', async () => {
    const [one, two] = [1, 2].map(() => serve(redisStore(redis.url, { prefix: 'two:' })).server);
    if (one === undefined || two === undefined) throw new Error('Expected two servers.');
    expect([await ask(one, 'ann', 3), await ask(two, 'ann', 3), await ask(one, 'ann', 3)]).toEqual([
      3, 2, 0,
    ]);
  });

  it('a process that stood still for longer than a second lets nobody through beyond the limit', async () => {
    const { server, log } = serve(redisStore(redis.url, { prefix: 'blocked:' }));
    expect(await ask(server, 'ann', 1)).toBe(1);
    const before = ask(server, 'ann', 20);
    // What was asked has gone out when the process stands still.
    await turn();
    block(1200);
    const after = ask(server, 'ann', 200);
    expect((await before) + (await after)).toBe(4);
    expect(await ask(server, 'ann', 200)).toBe(0);
    const other = serve(redisStore(redis.url, { prefix: 'blocked:' }));
    expect(await ask(other.server, 'ann', 20)).toBe(0);
    expect(log.warnings).toEqual([]);
  });

  it('a key that Redis refuses to count concerns its caller alone, who is counted in memory', async () => {
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    await client.lpush(keyOf('wrong:', 'ann'), 'not a number');
    const store = { prefix: 'wrong:' };
    const { server, log } = serve(redisStore(redis.url, store));
    for (let round = 0; round < 3; round++) {
      const passed = await Promise.all([ask(server, 'ann', 20), ask(server, 'bob', 20)]);
      expect(passed).toEqual(round === 0 ? [5, 5] : [0, 0]);
    }
    expect(await client.get(keyOf('wrong:', 'bob'))).toBe('60');
    expect(await ask(serve(redisStore(redis.url, store)).server, 'bob', 20)).toBe(0);
    await expect.poll(() => log.warnings).toEqual([expect.stringContaining('WRONGTYPE')]);
  });

  it('a long answer of the cache on a slow line opens no limit', async () => {
    const line = await openSlowLine(redis.port);
    const listAll = capability(z.object({}), () => 'x'.repeat(4_000_000), 'query').enhance(
      withCache({ ttlMs: 600_000 }),
    );
    const { server } = serve(redisStore(`redis://127.0.0.1:${line.port}`, { prefix: 'long:' }), {
      listAll,
    });
    const list = () =>
      server.invoke({ capability: 'a.listAll' as 'a.getPing', input: {} as never });
    await list();
    expect(await ask(server, 'ann', 1)).toBe(1);
    const listing = list();
    await line.held();
    expect(await ask(server, 'ann', 40)).toBe(4);
    line.release();
    await listing;
    expect(await ask(server, 'ann', 40)).toBe(0);
  });

  it('one that hangs costs no more than a second a call, keeps the limit, and is told once', async () => {
    const { server, log, infos } = serve(redisStore(redis.url, { prefix: 'hangs:' }));
    expect(await ask(server, 'ann', 2)).toBe(2);
    redis.freeze();
    const startedAt = performance.now();
    expect(await ask(server, 'ann', 20)).toBe(3);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    await expect
      .poll(() => log.warnings)
      .toEqual([expect.stringContaining("The store 'redis' does not answer")]);
    // Once it has hung for a while, nobody waits for it any more, and what it was asked is not kept.
    await expect
      .poll(async () => {
        const askedAt = performance.now();
        await ask(server, 'cid', 1);
        return performance.now() - askedAt;
      })
      .toBeLessThan(500);
    redis.thaw();
    await expect
      .poll(() => infos)
      .toEqual([expect.stringContaining("The store 'redis' answers again")]);
    expect(await ask(server, 'ann', 20)).toBe(0);
    expect(log.warnings).toHaveLength(1);
  });

  it('is killed and started again under load: no call fails or hangs', async () => {
    const { request } = await startOverSocket({
      capabilities: { a: { getPing: limited } },
      store: redisStore(redis.url, { prefix: 'killed:' }),
    });
    const seen = new Map<number, number>();
    let isOver = false;
    const load = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const { status } = await request('/a/ping?user=ann');
        seen.set(status, (seen.get(status) ?? 0) + 1);
      }
    });
    const go = async (): Promise<void> => {
      const before = seen.get(429) ?? 0;
      await expect.poll(() => (seen.get(429) ?? 0) - before).toBeGreaterThan(20);
    };
    await go();
    await redis.kill();
    await go();
    await redis.restart();
    await go();
    isOver = true;
    await Promise.all(load);
    expect([...seen.keys()].toSorted()).toEqual([200, 429]);
    // What the Redis that was killed had counted is gone with it.
    expect(seen.get(200)).toBeLessThanOrEqual(10);
  });

  it('starts without one, says so, and leaves nothing open when it stops', async () => {
    const before = process.getActiveResourcesInfo().length;
    const log = recordLog();
    const capabilities = { a: { getPing: limited } };
    const transports = [restTransport({ port: 0 })];
    const away = {
      capabilities,
      transports,
      store: redisStore('redis://127.0.0.1:1'),
      logger: log,
    };
    const server = createServer(away);
    await server.start();
    expect(log.warnings).toEqual([
      expect.stringContaining("The store 'redis' does not answer: connect ECONNREFUSED"),
    ]);
    await server.stop();
    const other = createServer({ ...away, store: redisStore(redis.url) });
    await other.start();
    await other.stop();
    await expect.poll(() => process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
  });
});

/** A line to Redis on which an answer of more than a megabyte stops until it is released, and what comes after it waits. */
async function openSlowLine(redisPort: number) {
  let isReleased = false;
  let sent = 0;
  const waiting: (() => void)[] = [];
  const server = createTcpServer((socket) => {
    const upstream = connect(redisPort, '127.0.0.1');
    socket.pipe(upstream);
    const held: Buffer[] = [];
    upstream.on('data', (bytes: Buffer) => {
      sent += bytes.length;
      if (isReleased || sent < 1_000_000) {
        socket.write(bytes);
        return;
      }
      held.push(bytes);
      for (const each of waiting.splice(0)) each();
    });
    release.push(() => void socket.write(Buffer.concat(held)));
    for (const end of [socket, upstream])
      end.on('error', () => {}).on('close', () => [socket, upstream].map((each) => each.destroy()));
  });
  const release: (() => void)[] = [];
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return {
    port: (server.address() as AddressInfo).port,
    held: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    release: () => {
      isReleased = true;
      for (const each of release) each();
    },
  };
}
