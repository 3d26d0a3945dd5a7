import { noContent } from 'capix';
import { and, eq } from 'drizzle-orm';
import { staffTxCap } from '../../context.ts';
import { bookings, history } from '../../db/schema.ts';
import { NotFound } from '../../errors.ts';
import { announce } from './announce.ts';
import { Booking } from './booking.ts';

export const cancelBooking = staffTxCap
  .input(Booking.pick({ id: true }))
  .describe('Cancel a visit; its time is free again')
  .errors(NotFound)
  .output(noContent)(async ({ clinicId, id }, ctx) => {
  const cancelled = await ctx.tx
    .delete(bookings)
    .where(and(eq(bookings.clinicId, clinicId), eq(bookings.id, id)))
    .returning({ id: bookings.id });
  if (cancelled.length === 0) throw NotFound(`There is no booking ${id}.`);
  await ctx.tx.insert(history).values({ clinicId, userId: ctx.user.id, what: `cancelled ${id}` });
  await announce(ctx, clinicId, { kind: 'cancelled', id });
});
