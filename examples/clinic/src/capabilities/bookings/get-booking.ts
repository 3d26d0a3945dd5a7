import { and, eq } from 'drizzle-orm';
import * as z from 'zod';
import { memberCap } from '../../context.ts';
import { bookings, files, results } from '../../db/schema.ts';
import { NotFound } from '../../errors.ts';
import { Booking } from './booking.ts';

const Details = Booking.extend({
  files: z.array(z.object({ id: z.uuid(), name: z.string(), bytes: z.int() })),
  results: z.array(z.string()),
});

export const getBooking = memberCap
  .input(Booking.pick({ id: true }))
  .describe('One booking, with its files and what the laboratory says')
  .errors(NotFound)
  .output(Details)(async ({ clinicId, id }, { db }) => {
  const booking = await db.query.bookings.findFirst({
    where: and(eq(bookings.clinicId, clinicId), eq(bookings.id, id)),
  });
  if (!booking) throw NotFound(`There is no booking ${id}.`);
  const its = {
    files: await db.query.files.findMany({ where: eq(files.bookingId, id) }),
    results: await db.query.results.findMany({ where: eq(results.bookingId, id) }),
  };
  return { ...booking, files: its.files, results: its.results.map(({ text }) => text) };
});
