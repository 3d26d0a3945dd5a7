import { sse, stream } from 'capix';
import { Gap, SlowReader } from 'capix/topics';
import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { memberCap } from '../../context.ts';
import { bookings } from '../../db/schema.ts';
import { changesOf } from '../../topics.ts';
import { Change } from './booking.ts';

export const watchBookings = memberCap
  .input(z.object({ after: z.string().optional() }))
  .takes({ headers: { after: 'last-event-id' } })
  .route('GET', '/live')
  .describe('All bookings, and then each change')
  .tool(false)
  .output(stream(Change))(async function* ({ clinicId, after }, { db, signal }) {
  for (let from = after; ; from = undefined)
    try {
      // It hears from now on, so that nothing is lost between the list and its changes.
      const changes = await changesOf(clinicId).subscribe({ signal, after: from });
      if (from === undefined) {
        const all = await db.query.bookings.findMany({ where: eq(bookings.clinicId, clinicId) });
        yield sse<Change>({ kind: 'all', bookings: all }, { id: changes.id });
      }
      yield* changes;
      return;
    } catch (error) {
      // Something is missing: the list comes again.
      if (!Gap.is(error) && !SlowReader.is(error)) throw error;
    }
}, 'query');
