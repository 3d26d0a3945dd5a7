import { withIdempotency } from 'capix';
import { staffTxCap } from '../../context.ts';
import { SlotTaken } from '../../errors.ts';
import { bookSlot } from './book-slot.ts';
import { Booking, NewBooking } from './booking.ts';

export const createBooking = staffTxCap
  .input(NewBooking)
  .describe('Book a visit')
  .errors(SlotTaken)
  .enhance(withIdempotency({ by: (_input, { user }) => user.id }))
  .output(Booking, { status: 201 })(({ clinicId, ...wanted }, ctx) =>
  bookSlot(ctx, clinicId, wanted),
);
