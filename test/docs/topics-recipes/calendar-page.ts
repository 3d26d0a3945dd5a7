import { createClient, type SocketTransport } from '../../../server-runtime/client/index.ts';
import type { server } from './calendar.ts';

/** Shows all bookings, and each one that is made, until the signal fires. */
export async function showBookings(
  transport: SocketTransport,
  show: (room: string, from: Date) => void,
  signal: AbortSignal,
): Promise<void> {
  const api = createClient<typeof server>({ transport });
  for await (const bookings of await api.bookings.listBookings({}, { signal }))
    for (const { room, from } of bookings) show(room, from);
}
