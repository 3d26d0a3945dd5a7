import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openClinic, visit } from './open-clinic.ts';

void test('a file comes back as it was sent, to members alone', async () => {
  await using clinic = await openClinic();
  const { ada, api, clinicId } = clinic;
  const { id } = await ada.client.clinic.bookings.createBooking({ clinicId, ...visit });
  const body = new FormData();
  body.append('file', new Blob(['All well'], { type: 'text/plain' }), 'letter.txt');
  const path = `/clinics/${clinicId}/bookings/${id}/files`;
  const sent = await api.fetch(path, { method: 'POST', body, headers: ada.headers });
  assert.equal(sent.status, 201);

  const { files } = await ada.client.clinic.bookings.getBooking({ clinicId, id });
  assert.deepEqual(
    files.map(({ name, bytes }) => ({ name, bytes })),
    [{ name: 'letter.txt', bytes: 8 }],
  );
  const file = `/clinics/${clinicId}/files/${files[0]?.id ?? ''}`;
  assert.equal(await (await api.fetch(file, { headers: ada.headers })).text(), 'All well');
  const eve = await clinic.signUp('Eve');
  assert.equal((await api.fetch(file, { headers: eve.headers })).status, 404);
});
