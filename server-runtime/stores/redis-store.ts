import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { readApplicationPrefix } from './read-application-prefix.ts';
import { openRedisLink, toCommandError } from './redis-link.ts';
import { RedisTopics } from './redis-topics.ts';
import type { Store } from './store.ts';

/**
 * Stores limits, caches, idempotency and topics in Redis or Valkey, so that all processes of an application share them.
 * It connects with the first command, and again by itself; without a connection it rejects at once. Needs `ioredis`.
 * @param connection an address such as `redis://localhost:6379/0`, or a client of ioredis, which is not closed
 * @param options `prefix` stands before every key: by default the name of the application's package, as in `shop:`
 */
export function redisStore(
  connection: string | Redis,
  options: { readonly prefix?: string | undefined } = {},
): Store {
  const link = typeof connection === 'string' ? openRedisLink(connection) : undefined;
  let prefix = options.prefix;
  let limiter: RateLimiterRedis | undefined;

  async function ask<T>(
    key: string,
    command: (redis: Redis, key: string) => Promise<T>,
  ): Promise<T> {
    prefix ??= readApplicationPrefix();
    const redis = (await link?.connect()) ?? (connection as Redis);
    return command(redis, prefix + key).catch((error: unknown) => {
      throw toCommandError(error);
    });
  }

  const topics = new RedisTopics({ ask, open: (events) => openRedisLink(connection, events) });

  return {
    name: 'redis',
    topics,
    get: (short) => ask(short, async (redis, key) => (await redis.get(key)) ?? undefined),
    set: (short, value, ttlMs) =>
      ask(short, async (redis, key) => void (await redis.set(key, value, 'PX', ttlMs))),
    swap: (short, { from, to, ttlMs = 0 }) =>
      ask(short, async (redis, key) => {
        const change = [
          to === undefined ? 0 : ttlMs,
          to ?? '',
          ...(from === undefined ? [] : [from]),
        ];
        return ((await redis.eval(SWAP, 1, key, ...change)) as string | null) ?? undefined;
      }),
    consume: (short, windowMs) =>
      ask(short, async (redis, key) => {
        const points = Number.MAX_SAFE_INTEGER;
        limiter ??= new RateLimiterRedis({
          storeClient: redis,
          points,
          duration: 1,
          keyPrefix: '',
        });
        const counted = await limiter.consume(key, 1, {
          customDuration: Math.ceil(windowMs / 1000),
        });
        return { calls: counted.consumedPoints, resetMs: counted.msBeforeNext };
      }),
    stop: async () => {
      await topics.stop();
      link?.close();
      limiter = undefined;
    },
  };
}

/** ARGV: milliseconds, 0 to remove the value; the new value; the value that must be there, absent where none may be. */
const SWAP = `
local stored = redis.call('GET', KEYS[1])
if stored ~= (ARGV[3] or false) then return stored end
if ARGV[1] == '0' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1]) end
return stored`;
