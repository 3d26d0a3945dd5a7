import { and, eq } from 'drizzle-orm';
import { staffTxCap } from '../../context.ts';
import { proposals } from '../../db/schema.ts';
import { NotFound, SlotTaken } from '../../errors.ts';
import { bookSlot } from '../bookings/book-slot.ts';
import { Booking } from '../bookings/booking.ts';
import { Proposal } from './proposal.ts';

export const acceptProposal = staffTxCap
  .input(Proposal.pick({ id: true }))
  .route('POST', '/proposals/:id/accept')
  .describe('Book what was proposed')
  .errors(NotFound, SlotTaken)
  .output(Booking, { status: 201 })(async ({ clinicId, id }, ctx) => {
  const [proposal] = await ctx.tx
    .delete(proposals)
    .where(and(eq(proposals.clinicId, clinicId), eq(proposals.id, id)))
    .returning();
  if (!proposal) throw NotFound(`There is no proposal ${id}.`);
  const { doctor, startsAt, patient, email } = proposal;
  return bookSlot(ctx, clinicId, { doctor, startsAt, patient, email });
});
