import type { Context, Transaction, User } from '../../context.ts';
import { bookings, history } from '../../db/schema.ts';
import { SlotTaken } from '../../errors.ts';
import { jobs } from '../../jobs.ts';
import { announce } from './announce.ts';
import type { Booking } from './booking.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Books in the transaction of the call. The constraint of the table decides who is first. */
export async function bookSlot(
  ctx: Context & { readonly user: User; readonly tx: Transaction },
  clinicId: string,
  wanted: Omit<Booking, 'id'>,
): Promise<Booking> {
  const booking = { id: crypto.randomUUID(), ...wanted };
  const { doctor, startsAt } = booking;
  const saved = await ctx.tx
    .insert(bookings)
    .values({ clinicId, ...booking })
    .onConflictDoNothing()
    .returning({ id: bookings.id });
  if (saved.length === 0)
    throw SlotTaken(`${doctor} has a patient then.`, { doctor, startsAt: startsAt.toISOString() });
  const what = `booked ${booking.id}`;
  await ctx.tx.insert(history).values({ clinicId, userId: ctx.user.id, what });
  const delayMs = Math.max(0, startsAt.getTime() - DAY_MS - Date.now());
  await jobs.enqueue('reminders.send', { bookingId: booking.id }, { delayMs });
  await announce(ctx, clinicId, { kind: 'booked', bookings: [booking] });
  return booking;
}
