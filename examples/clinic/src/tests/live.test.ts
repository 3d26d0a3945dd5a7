import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openClinic, visit } from './open-clinic.ts';

void test('an open page has all bookings first, and then hears of each change', async () => {
  await using clinic = await openClinic();
  const { ada, clinicId } = clinic;
  const { cancelBooking, createBooking, watchBookings } = ada.client.clinic.bookings;
  const first = await createBooking({ clinicId, ...visit });
  const seen: string[] = [];
  for await (const change of await watchBookings({ clinicId })) {
    seen.push(change.kind);
    if (change.kind === 'all') await createBooking({ clinicId, ...visit, doctor: 'Dr. House' });
    else if (change.kind === 'booked') await cancelBooking({ clinicId, id: first.id });
    else break;
  }
  assert.deepEqual(seen, ['all', 'booked', 'cancelled']);
});
