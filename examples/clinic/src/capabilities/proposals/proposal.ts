import * as z from 'zod';
import { Booking, NewBooking } from '../bookings/booking.ts';

const Reason = z.object({
  reason: z.string().max(500).describe('Why this visit, in one sentence'),
});

export const Proposal = Booking.extend(Reason.shape).meta({ id: 'Proposal' });
export const NewProposal = NewBooking.extend(Reason.shape);
