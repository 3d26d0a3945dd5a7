import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { readApplicationPrefix } from './read-application-prefix.ts';
import { type Store, toConsumed, UNLIMITED } from './store.ts';

/** The options of a store in Redis. */
export interface RedisStoreOptions {
  /** Stands before every key. @default the name of the application's package, and a colon: `shop:` */
  readonly prefix?: string | undefined;
}

interface Scripts {
  readonly capixAdd: (key: string, value: string, ttlMs: number) => Promise<string | null>;
  readonly capixSwap: (key: string, ...change: (string | number)[]) => Promise<number>;
}

interface Client {
  readonly redis: Redis & Scripts;
  readonly limiter: RateLimiterRedis;
}

/**
 * Keeps limits, caches and idempotency in Redis or Valkey, so that all processes of an application share them. It
 * connects when it is first asked, and again by itself; while there is no connection it rejects at once, and nothing is
 * sent later. Needs the package `ioredis`.
 *
 * @param connection an address such as `redis://localhost:6379/0` or `rediss://…`, or a client of ioredis, which stays
 * yours: it is not closed
 *
 * @example
 * ```ts
 * import { redisStore } from 'capix/redis';
 *
 * const server = createServer({ capabilities: {}, store: redisStore('redis://localhost:6379') });
 * ```
 */
export function redisStore(connection: string | Redis, { prefix }: RedisStoreOptions = {}): Store {
  let before = prefix;
  const given = typeof connection === 'string' ? undefined : toClient(connection);
  let own: Client | undefined;
  let connecting: Promise<unknown> | undefined;
  let lastError: Error | undefined;

  const toKey = (key: string): string => {
    before ??= readApplicationPrefix();
    return before + key;
  };

  async function ready(): Promise<Client> {
    if (given !== undefined) return given;
    own ??= toClient(createClient(connection as string, (error) => (lastError = error)));
    if (own.redis.status === 'wait') connecting = own.redis.connect();
    if (own.redis.status !== 'ready') await connecting?.catch(() => {});
    if (own.redis.status === 'ready') return own;
    throw lastError ?? new Error('There is no connection to Redis.');
  }

  async function ask<T>(command: (client: Client) => Promise<T>): Promise<T> {
    return command(await ready());
  }

  return {
    name: 'redis',
    get: (key) => ask(async ({ redis }) => (await redis.get(toKey(key))) ?? undefined),
    set: (key, value, ttlMs) => ask(async ({ redis }) => void (await redis.set(toKey(key), value, 'PX', ttlMs))),
    add: (key, value, ttlMs) => ask(async ({ redis }) => (await redis.capixAdd(toKey(key), value, ttlMs)) ?? undefined),
    swap: (key, { from, to, ttlMs = 0 }) =>
      ask(async ({ redis }) => {
        const change = to === undefined ? [from] : [from, to, ttlMs];
        return (await redis.capixSwap(toKey(key), ...change)) === 1;
      }),
    consume: (key, window) =>
      ask(async ({ limiter }) => {
        const customDuration = Math.ceil(window.windowMs / 1000);
        return toConsumed(await limiter.consume(toKey(key), 1, { customDuration }), window);
      }),
    stop: () => {
      own?.redis.disconnect();
      own = undefined;
      connecting = undefined;
    },
  };
}

/** A command that nobody can be sent to is refused: one that is sent later may take what its caller has given up. */
function createClient(url: string, onError: (error: Error) => unknown): Redis {
  const client = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    // A Redis that hangs is asked no more, and what it was asked is not kept: it is reached anew.
    socketTimeout: 5000,
    retryStrategy: (attempt) => Math.min(attempt * 50, 1000),
  });
  return client.on('error', onError);
}

function toClient(client: Redis): Client {
  client.defineCommand('capixAdd', { numberOfKeys: 1, lua: storeScripts.add });
  client.defineCommand('capixSwap', { numberOfKeys: 1, lua: storeScripts.swap });
  const limiter = new RateLimiterRedis({ storeClient: client, points: UNLIMITED, duration: 1, keyPrefix: '' });
  return { redis: client as Redis & Scripts, limiter };
}

/** Keeps a value unless there is one; gives the one that there was. ARGV: value, milliseconds. */
const add = `
local kept = redis.call('GET', KEYS[1])
if not kept then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return kept`;

/** Changes a value that is as said. ARGV: value, new value, milliseconds; without the last, it is deleted. */
const swap = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) else redis.call('DEL', KEYS[1]) end
return 1`;

/** The steps of a store that Redis has no command for: scripts with one key each, as clusters take them. */
const storeScripts = { add, swap };
