import { Redis } from 'ioredis';
import * as z from 'zod';
import { capability, createServer, restTransport, sse } from '../../../server-runtime/index.ts';
import { redisStore } from '../../../server-runtime/stores/redis-store.ts';
import { Gap, SlowReader, topic } from '../../../server-runtime/topics/index.ts';
import { webSocketTransport } from '../../../server-runtime/websocket/index.ts';

const redis = process.env['REDIS_URL'] ?? 'redis://localhost:6379';
const store = redisStore(redis, { prefix: 'calendar:' });

const Booking = z.object({ id: z.string(), room: z.string(), from: z.coerce.date() });
type Booking = z.infer<typeof Booking>;

const changes = topic<readonly Booking[]>('bookings', { store });

/** In place of the database that all processes share. */
const database = new Redis(redis);
// Without a listener, ioredis writes each lost connection to the console. Calls reject while Redis is away.
database.on('error', () => {});

async function readAll(): Promise<readonly Booking[]> {
  return (await database.hvals('bookings')).map((text) => Booking.parse(JSON.parse(text)));
}

const createBooking = capability(Booking, async (booking) => {
  await database.hset('bookings', booking.id, JSON.stringify(booking));
  await changes.publish([booking]);
  return booking;
});

const listBookings = capability(
  z.object({ after: z.string().optional() }),
  async function* ({ after }, { signal }) {
    for (let from = after; ; from = undefined)
      try {
        // It hears from now on, so that nothing is lost between the list and its changes.
        const live = await changes.subscribe({ signal, after: from });
        if (from === undefined) yield sse(await readAll(), { id: live.id });
        yield* live;
        return;
      } catch (error) {
        // Something is missing: it begins with the list again.
        if (!Gap.is(error) && !SlowReader.is(error)) throw error;
      }
  },
).takes({ headers: { after: 'last-event-id' } });

export const server = createServer({
  capabilities: { bookings: { createBooking, listBookings } },
  store,
  transports: [restTransport({ port: Number(process.env['PORT'] ?? 3000) }), webSocketTransport()],
});
