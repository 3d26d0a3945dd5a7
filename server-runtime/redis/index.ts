// The public surface of `capix/redis`.

export { redisStore } from './redis-store.ts';
