// The public surface of `capix/redis`.

export { type RedisStoreOptions, redisStore } from './redis-store.ts';
