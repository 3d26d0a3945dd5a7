import { eq } from 'drizzle-orm';
import { cap } from '../context.ts';
import { bookings } from '../db/schema.ts';
import { jobs } from '../jobs.ts';

export const sendReminder = cap(
  jobs.inputs.reminders.send,
  async ({ bookingId }, { db, sendMail }) => {
    const booking = await db.query.bookings.findFirst({ where: eq(bookings.id, bookingId) });
    if (!booking) return; // It was cancelled.
    const { email, patient, doctor, startsAt } = booking;
    const when = startsAt.toISOString().slice(0, 16).replace('T', ' ');
    await sendMail({ to: email, text: `${patient}, ${doctor} expects you on ${when} UTC.` });
  },
);
