import { withIdempotency } from 'capix';
import { staffTxCap } from '../../context.js';
import { SlotTaken } from '../../errors.js';
import { bookSlot } from './book-slot.js';
import { Booking, NewBooking } from './booking.js';

export const createBooking = staffTxCap
  .input(NewBooking)
  .describe('Book a visit')
  .errors(SlotTaken)
  .enhance(withIdempotency({ by: (_input, { user }) => user.id }))
  .output(Booking, { status: 201 })(({ clinicId, ...wanted }, ctx) =>
  bookSlot(ctx, clinicId, wanted),
);
