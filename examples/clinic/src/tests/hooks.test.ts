import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { jobs } from '../jobs.ts';
import { queue } from '../queue.ts';
import { readSettings } from '../settings.ts';
import { openClinic, visit } from './open-clinic.ts';

const sign = (secret: string, body: string) =>
  createHmac('sha256', secret).update(body).digest('hex');

void test('a result of the laboratory needs its signature, and may come twice', async () => {
  await using clinic = await openClinic();
  const { ada, api, clinicId } = clinic;
  const { id } = await ada.client.clinic.bookings.createBooking({ clinicId, ...visit });
  const body = JSON.stringify({ id: 'r-1', bookingId: id, text: 'All well' });
  const send = async (signature: string) => {
    const headers = { 'content-type': 'application/json', 'x-lab-signature': signature };
    return (await api.fetch('/lab/results', { method: 'POST', body, headers })).status;
  };
  assert.equal(await send(sign('another secret', body)), 401);
  const signature = sign(readSettings({}).LAB_SECRET, body);
  assert.equal(await send(signature), 204);
  assert.equal(await send(signature), 204);
  assert.deepEqual((await ada.client.clinic.bookings.getBooking({ clinicId, id })).results, [
    'All well',
  ]);
});

void test('a program of the clinic hears of each booking, signed', async () => {
  await using clinic = await openClinic();
  const { ada, api, clinicId } = clinic;
  const heard: { readonly body: string; readonly signature: unknown }[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    heard.push({ body: await text(request), signature: request.headers['x-clinic-signature'] });
    response.end();
  };
  const receiver = createServer((...exchange) => void receive(...exchange)).listen(0);
  const secret = 'a secret of the clinic';
  const { port } = receiver.address() as AddressInfo;
  const url = `http://localhost:${String(port)}`;
  await ada.client.clinic.hooks.setHook({ clinicId, url, secret });
  const { id } = await ada.client.clinic.bookings.createBooking({ clinicId, ...visit });

  const delivery = api.jobs.enqueued.find(({ key }) => key === 'hooks.deliver');
  await api.jobs.run(queue, 'hooks.deliver', jobs.inputs.hooks.deliver.parse(delivery?.input));
  receiver.close();
  const [{ body, signature } = { body: '', signature: '' }] = heard;
  assert.equal(signature, sign(secret, body));
  const { bookings } = JSON.parse(body) as { bookings: { id: string }[] };
  assert.equal(bookings[0]?.id, id);
});
