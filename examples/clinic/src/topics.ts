import { redisStore } from 'capix/redis';
import { topic } from 'capix/topics';
import type { Change } from './capabilities/bookings/booking.ts';

const url = process.env.REDIS_URL;
/** What processes share: topics and idempotency keys. Without Redis, each process has its own. */
export const store = url === undefined ? undefined : redisStore(url, { prefix: 'clinic:' });

export const changesOf = (clinicId: string) =>
  topic<Change>(`clinic/${clinicId}`, store === undefined ? {} : { store });
