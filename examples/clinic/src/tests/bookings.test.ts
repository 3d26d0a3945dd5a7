import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queue } from '../queue.ts';
import { openClinic, visit } from './open-clinic.ts';

void test('of twenty who want one slot, one gets it', async () => {
  await using clinic = await openClinic();
  const { createBooking, listBookings } = clinic.ada.client.clinic.bookings;
  const { clinicId } = clinic;
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => createBooking.safe({ clinicId, ...visit })),
  );
  const refused = answers.filter((answer) => !answer.ok && answer.error.name === 'SlotTaken');
  assert.equal(refused.length, 19);
  assert.equal((await listBookings({ clinicId })).items.length, 1);
});

void test('a call that is repeated with its key books once', async () => {
  await using clinic = await openClinic();
  const { createBooking } = clinic.ada.client.clinic.bookings;
  const input = { clinicId: clinic.clinicId, ...visit };
  const first = await createBooking(input, { idempotencyKey: 'tom' });
  assert.deepEqual(await createBooking(input, { idempotencyKey: 'tom' }), first);
});

void test('a slot that was cancelled is free again', async () => {
  await using clinic = await openClinic();
  const { cancelBooking, createBooking } = clinic.ada.client.clinic.bookings;
  const { clinicId } = clinic;
  const { id } = await createBooking({ clinicId, ...visit });
  await cancelBooking({ clinicId, id });
  assert.notEqual((await createBooking({ clinicId, ...visit })).id, id);
});

void test('the patient is reminded a day before, unless the visit was cancelled', async () => {
  await using clinic = await openClinic();
  const { api, clinicId, mails } = clinic;
  const { cancelBooking, createBooking } = clinic.ada.client.clinic.bookings;
  const { id } = await createBooking({ clinicId, ...visit });
  const [reminder] = api.jobs.enqueued;
  assert.deepEqual(reminder?.input, { bookingId: id });

  await api.jobs.run(queue, 'reminders.send', { bookingId: id });
  const text = 'Tom, Dr. Grey expects you on 2031-03-04 09:00 UTC.';
  assert.deepEqual(mails, [{ to: visit.email, text }]);

  await cancelBooking({ clinicId, id });
  await api.jobs.run(queue, 'reminders.send', { bookingId: id });
  assert.equal(mails.length, 1);
});
