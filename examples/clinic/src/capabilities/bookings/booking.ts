import * as z from 'zod';

export const Booking = z
  .object({
    id: z.uuid(),
    doctor: z.string().trim().min(1).max(100),
    startsAt: z.date(),
    patient: z.string().trim().min(1).max(100),
    email: z.email().describe('Of the patient'),
  })
  .meta({ id: 'Booking' });
export type Booking = z.infer<typeof Booking>;

/** A date-time for callers, and a `Date` for handlers. */
const Moment = z.codec(z.iso.datetime({ offset: true }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

export const NewBooking = Booking.omit({ id: true }).extend({ startsAt: Moment });

/** What a page hears: all bookings first, and then each change. */
export const Change = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all'), bookings: z.array(Booking) }),
  z.object({ kind: z.literal('booked'), bookings: z.array(Booking) }),
  z.object({ kind: z.literal('cancelled'), id: z.uuid() }),
]);
export type Change = z.infer<typeof Change>;
