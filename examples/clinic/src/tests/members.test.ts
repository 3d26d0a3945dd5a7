import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openClinic, visit } from './open-clinic.ts';

void test('a stranger does not learn that a clinic exists', async () => {
  await using clinic = await openClinic();
  const eve = await clinic.signUp('Eve');
  const { clinicId } = clinic;
  assert.deepEqual(await eve.client.clinics.listClinics(), []);
  for (const call of [
    eve.client.clinic.bookings.listBookings({ clinicId }),
    eve.client.clinic.bookings.createBooking({ clinicId, ...visit }),
  ])
    await assert.rejects(call, { name: 'NotFound' });
});

void test('staff book, and an owner makes members', async () => {
  await using clinic = await openClinic();
  const { ada, clinicId } = clinic;
  const bob = await clinic.signUp('Bob');
  await ada.client.clinic.members.addMember({ clinicId, email: bob.email, role: 'staff' });
  await bob.client.clinic.bookings.createBooking({ clinicId, ...visit });
  await assert.rejects(
    bob.client.clinic.members.addMember({ clinicId, email: bob.email, role: 'owner' }),
    {
      name: 'Forbidden',
    },
  );
});

void test('an assistant reads and proposes, and people book what it proposes', async () => {
  await using clinic = await openClinic();
  const { ada, clinicId } = clinic;
  const robot = await clinic.signUp('Robot');
  await ada.client.clinic.members.addMember({ clinicId, email: robot.email, role: 'assistant' });
  const booking = { clinicId, ...visit };
  await assert.rejects(robot.client.clinic.bookings.createBooking(booking), { name: 'Forbidden' });

  const proposed = { ...booking, reason: 'Tom has a cough' };
  const { id } = await robot.client.clinic.proposals.createProposal(proposed);
  await assert.rejects(robot.client.clinic.proposals.acceptProposal({ clinicId, id }), {
    name: 'Forbidden',
  });
  await ada.client.clinic.proposals.acceptProposal({ clinicId, id });
  const { items } = await robot.client.clinic.bookings.listBookings({ clinicId });
  assert.equal(items[0]?.patient, 'Tom');
});

void test('a proposal that comes too late stays, and the slot is the first one’s', async () => {
  await using clinic = await openClinic();
  const { ada, clinicId } = clinic;
  const proposed = { clinicId, ...visit, reason: 'Tom has a cough' };
  const { id } = await ada.client.clinic.proposals.createProposal(proposed);
  await ada.client.clinic.bookings.createBooking({ clinicId, ...visit, patient: 'Ann' });
  await assert.rejects(ada.client.clinic.proposals.acceptProposal({ clinicId, id }), {
    name: 'SlotTaken',
  });
  assert.equal((await ada.client.clinic.proposals.listProposals({ clinicId })).length, 1);
});
