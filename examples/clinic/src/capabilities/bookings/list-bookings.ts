import { pageOf } from 'capix';
import { and, asc, eq, gt } from 'drizzle-orm';
import { memberCap } from '../../context.ts';
import { bookings } from '../../db/schema.ts';
import { Booking } from './booking.ts';

export const listBookings = memberCap
  .describe('All bookings of the clinic, page by page')
  .output(pageOf(Booking))(async ({ clinicId, cursor, limit = 50 }, { db }) => {
  const items = await db.query.bookings.findMany({
    where: and(eq(bookings.clinicId, clinicId), cursor ? gt(bookings.id, cursor) : undefined),
    orderBy: asc(bookings.id),
    limit,
  });
  return { items, nextCursor: items.length < limit ? null : items.at(-1)?.id };
}, 'query');
