import { Redis } from 'ioredis';
import { readApplicationPrefix } from '../stores/read-application-prefix.ts';
import type { Store } from '../stores/store.ts';
import { toTaken } from '../stores/take-token.ts';
import { storeScripts } from './store-scripts.ts';

/** The options of a store in Redis. */
export interface RedisStoreOptions {
  /**
   * Stands before every key, so that applications can share one Redis.
   * @default the name of the application's package, and a colon: `shop:`
   */
  readonly prefix?: string | undefined;
}

/** The scripts as commands of the client. */
interface Scripts {
  readonly capixAdd: (key: string, value: string, ttlMs: number) => Promise<string | null>;
  readonly capixSwap: (key: string, ...change: (string | number)[]) => Promise<number>;
  readonly capixTake: (key: string, limit: number, windowMs: number) => Promise<[number, string]>;
}
type Client = Redis & Scripts;

/**
 * Keeps limits, caches and idempotency in Redis or Valkey, so that all processes of an application share them. It connects when it is first
 * asked, and again by itself when the connection was lost; while there is none it rejects at once, and nothing is sent later. Needs the
 * package `ioredis`.
 *
 * @param connection an address such as `redis://localhost:6379/0` or `rediss://…`, or a client of ioredis, which stays yours: it is not closed
 *
 * @example
 * ```ts
 * import { redisStore } from 'capix/redis';
 *
 * const signIn = capability(z.object({ email: z.string() }), ({ email }) => ({ sentTo: email }))
 *   .enhance(withRateLimit({ limit: 5, windowMs: 60_000, by: ({ email }) => email }));
 *
 * const server = createServer({ capabilities: { users: { signIn } }, store: redisStore('redis://localhost:6379') });
 * ```
 */
export function redisStore(connection: string | Redis, { prefix }: RedisStoreOptions = {}): Store {
  let before = prefix;
  const given = typeof connection === 'string' ? undefined : withScripts(connection);
  let own: Client | undefined;
  let connecting: Promise<unknown> | undefined;
  let lastError: Error | undefined;

  const toKey = (key: string): string => {
    before ??= readApplicationPrefix();
    return before + key;
  };

  /** Rejects while there is no connection. */
  async function ready(): Promise<Client> {
    if (given !== undefined) return given;
    own ??= withScripts(createClient(connection as string, (error) => (lastError = error)));
    if (own.status === 'wait') connecting = own.connect();
    if (own.status !== 'ready') await connecting?.catch(() => {});
    if (own.status === 'ready') return own;
    throw lastError ?? new Error('There is no connection to Redis.');
  }

  async function ask<T>(command: (redis: Client) => Promise<T>): Promise<T> {
    return command(await ready());
  }

  return {
    name: 'redis',
    get: (key) => ask(async (redis) => (await redis.get(toKey(key))) ?? undefined),
    set: (key, value, ttlMs) => ask(async (redis) => void (await redis.set(toKey(key), value, 'PX', ttlMs))),
    add: (key, value, ttlMs) => ask(async (redis) => (await redis.capixAdd(toKey(key), value, ttlMs)) ?? undefined),
    swap: (key, { from, to, ttlMs = 0 }) =>
      ask(async (redis) => {
        const change = to === undefined ? [from] : [from, to, ttlMs];
        return (await redis.capixSwap(toKey(key), ...change)) === 1;
      }),
    take: (key, bucket) =>
      ask(async (redis) => {
        const [ok, tokens] = await redis.capixTake(toKey(key), bucket.limit, bucket.windowMs);
        return toTaken(ok === 1, Number(tokens), bucket);
      }),
    stop: () => {
      own?.disconnect();
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
    retryStrategy: (attempt) => Math.min(attempt * 50, 1000),
  });
  return client.on('error', onError);
}

function withScripts(client: Redis): Client {
  client.defineCommand('capixAdd', { numberOfKeys: 1, lua: storeScripts.add });
  client.defineCommand('capixSwap', { numberOfKeys: 1, lua: storeScripts.swap });
  client.defineCommand('capixTake', { numberOfKeys: 1, lua: storeScripts.take });
  return client as Client;
}
