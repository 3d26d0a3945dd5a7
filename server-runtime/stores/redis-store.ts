import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { readApplicationPrefix } from './read-application-prefix.ts';
import { openRedisLink } from './redis-link.ts';
import type { Store } from './store.ts';

/** The options of a store in Redis. */
export interface RedisStoreOptions {
  /** Stands before every key. @default the name of the application's package, and a colon: `shop:` */
  readonly prefix?: string | undefined;
}

/**
 * Keeps limits, caches and idempotency in Redis or Valkey, so that all processes of an application share them. It
 * connects when it is first asked, and again by itself; without a connection it rejects at once. Needs `ioredis`.
 *
 * @param connection an address such as `redis://localhost:6379/0`, or a client of ioredis, which is not closed
 */
export function redisStore(connection: string | Redis, options: RedisStoreOptions = {}): Store {
  const link = typeof connection === 'string' ? openRedisLink(connection) : undefined;
  let prefix = options.prefix;
  let limiter: RateLimiterRedis | undefined;

  async function ask<T>(key: string, command: (redis: Redis, key: string) => Promise<T>): Promise<T> {
    prefix ??= readApplicationPrefix();
    return command((await link?.connect()) ?? (connection as Redis), prefix + key);
  }

  return {
    name: 'redis',
    get: (short) => ask(short, async (redis, key) => (await redis.get(key)) ?? undefined),
    set: (short, value, ttlMs) => ask(short, async (redis, key) => void (await redis.set(key, value, 'PX', ttlMs))),
    add: (short, value, ttlMs) =>
      ask(short, async (redis, key) => ((await redis.eval(ADD, 1, key, value, ttlMs)) as string | null) ?? undefined),
    swap: (short, { from, to, ttlMs = 0 }) => {
      const change = to === undefined ? [from] : [from, to, ttlMs];
      return ask(short, async (redis, key) => (await redis.eval(SWAP, 1, key, ...change)) === 1);
    },
    consume: (short, windowMs) =>
      ask(short, async (redis, key) => {
        const points = Number.MAX_SAFE_INTEGER;
        limiter ??= new RateLimiterRedis({ storeClient: redis, points, duration: 1, keyPrefix: '' });
        const counted = await limiter.consume(key, 1, { customDuration: Math.ceil(windowMs / 1000) });
        return { calls: counted.consumedPoints, resetMs: counted.msBeforeNext };
      }),
    stop: () => {
      link?.close();
      limiter = undefined;
    },
  };
}

/** Keeps a value unless there is one; gives the one that there was. ARGV: value, milliseconds. */
const ADD = `
local kept = redis.call('GET', KEYS[1])
if not kept then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return kept`;

/** Changes a value that is as said. ARGV: value, new value, milliseconds; without the last, it is deleted. */
const SWAP = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) else redis.call('DEL', KEYS[1]) end
return 1`;
