import { createHmac, createSign, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createServer, silentLogger, toFetchHandler } from '../../server-runtime/index.ts';
import { testServer } from '../../server-runtime/testing/test-server.ts';
import { packageRoot } from '../helpers/run-capix.ts';
import { receiveEvents } from './webhook-recipes/cloud-events.ts';
import { createSendGridHook } from './webhook-recipes/sendgrid.ts';
import { context, isHmac } from './webhook-recipes/signed.ts';
import { createSnsHook } from './webhook-recipes/sns.ts';

const folder = join(packageRoot, 'test/docs/webhook-recipes');

it.each(readdirSync(folder))('docs/webhooks.md shows %s as it is tested here', (name) => {
  const code = readFileSync(join(folder, name), 'utf8').replaceAll(
    /(?:\.\.\/){3}server-runtime(\/\w+)?\/index\.ts/g,
    'capix$1',
  );
  expect(readFileSync(join(packageRoot, 'docs/webhooks.md'), 'utf8')).toContain(
    `\`\`\`ts\n${code}\`\`\``,
  );
});

type Headers = Readonly<Record<string, string>>;

/** Sends a text to a capability as a provider does. */
function open(capabilities: object) {
  const options = { context, capabilities: { hooks: capabilities }, logger: silentLogger };
  const answer = toFetchHandler(createServer(options as object));
  return async (path: string, body: string, headers: Headers) => {
    const init = { method: 'POST', headers, body };
    const response = await answer(new Request(`http://x.test/hooks/${path}`, init));
    return [response.status, await response.json()];
  };
}

const refused = [401, { error: 'Unauthorized', message: 'The signature does not fit.' }];

it('takes an event of Stripe that is signed and recent', async () => {
  vi.stubEnv('STRIPE_WEBHOOK_SECRET', 'whsec_of_a_test');
  const { receiveStripe } = await import('./webhook-recipes/stripe.ts');
  const send = open({ receiveStripe });
  const event = {
    id: 'evt_1',
    object: 'event',
    api_version: '2026-01-01',
    created: 1_790_000_000,
    data: { object: { id: 'pi_1', object: 'payment_intent', amount: 1999, currency: 'chf' } },
    livemode: false,
    pending_webhooks: 1,
    type: 'payment_intent.succeeded',
  };
  const body = JSON.stringify(event, null, 2);
  const toHeaders = (time: number, text = body): Headers => {
    const hex = createHmac('sha256', 'whsec_of_a_test').update(`${time}.${text}`).digest('hex');
    const signature = `t=${time},v1=${'0'.repeat(64)},v1=${hex},v0=abc`;
    return { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature };
  };
  const now = Math.floor(Date.now() / 1000);
  const data = { id: 'evt_1', type: 'payment_intent.succeeded', object: 'pi_1' };
  expect(await send('receive-stripe', body, toHeaders(now))).toEqual([200, { data }]);
  expect(await send('receive-stripe', body, toHeaders(now - 400))).toEqual(refused);
  expect(await send('receive-stripe', body, toHeaders(now, 'x'))).toEqual(refused);
  expect(await send('receive-stripe', body, { 'content-type': 'application/json' })).toEqual(
    refused,
  );
});

it('takes an event of GitHub that is signed, with its name from a header', async () => {
  vi.stubEnv('GITHUB_WEBHOOK_SECRET', 'a secret of a test');
  const { receiveGitHub } = await import('./webhook-recipes/github.ts');
  const send = open({ receiveGitHub });
  const payload = {
    action: 'opened',
    issue: { number: 12, title: 'It rains' },
    repository: { id: 3, full_name: 'ada/umbrella', private: false },
    sender: { login: 'ada', id: 1 },
    event: 'not that of the header',
  };
  const body = JSON.stringify(payload);
  const hex = createHmac('sha256', 'a secret of a test').update(body).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/044aadd',
    'x-github-event': 'issues',
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': `sha256=${hex}`,
  };
  const data = {
    event: 'issues',
    delivery: headers['x-github-delivery'],
    action: 'opened',
    repository: 'ada/umbrella',
  };
  expect(await send('receive-git-hub', body, headers)).toEqual([200, { data }]);
  expect(await send('receive-git-hub', `${body} `, headers)).toEqual(refused);
});

it('takes a notification of SNS, which calls itself text, and confirms a subscription', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const topic = 'arn:aws:sns:eu-central-1:123456789012:orders';
  const loaded: string[] = [];
  const receiveSns = createSnsHook(topic, (url) => {
    loaded.push(url);
    return Promise.resolve(pem);
  });
  const send = open({ receiveSns });
  const common = {
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: topic,
    Message: 'Order 55 has left.\nIt is on its way.',
    Timestamp: '2026-11-28T22:00:00.000Z',
    SignatureVersion: '2',
    SigningCertURL: 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0.pem',
  };
  const toBody = (own: Headers): string => {
    const message: Record<string, string> = { ...common, ...own };
    const names = [
      'Message',
      'MessageId',
      'Subject',
      'SubscribeURL',
      'Timestamp',
      'Token',
      'TopicArn',
      'Type',
    ];
    const signer = createSign('RSA-SHA256');
    for (const name of names) if (name in message) signer.update(`${name}\n${message[name]}\n`);
    return JSON.stringify(
      {
        ...message,
        Signature: signer.sign(privateKey, 'base64'),
        UnsubscribeURL: 'https://x.test',
      },
      null,
      2,
    );
  };
  const headers = {
    'content-type': 'text/plain; charset=UTF-8',
    'x-amz-sns-message-type': 'Notification',
  };
  const note = toBody({ Type: 'Notification', Subject: 'Orders' });
  const data = { id: common.MessageId, text: common.Message };
  expect(await send('receive-sns', note, headers)).toEqual([200, { data }]);
  const SubscribeURL = 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription';
  const subscribed = toBody({ Type: 'SubscriptionConfirmation', Token: '233', SubscribeURL });
  expect(await send('receive-sns', subscribed, headers)).toEqual([200, { data: null }]);
  expect(loaded).toEqual([common.SigningCertURL, common.SigningCertURL, SubscribeURL]);
  expect((await send('receive-sns', note.replace('Order 55', 'Order 56'), headers))[0]).toBe(403);
  const foreign = note.replace(
    'https://sns.eu-central-1.amazonaws.com',
    'https://sns.evil.example',
  );
  expect((await send('receive-sns', foreign, headers))[0]).toBe(400);
});

it('takes a list of events of SendGrid that is signed', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const send = open({ receiveSendGrid: createSendGridHook(key) });
  const events = [
    {
      email: 'ada@x.test',
      timestamp: 1_790_000_000,
      event: 'processed',
      sg_event_id: 'a==',
      sg_message_id: 'm.0',
      category: ['orders'],
    },
    {
      email: 'bob@x.test',
      timestamp: 1_790_000_001,
      event: 'bounce',
      sg_event_id: 'b==',
      sg_message_id: 'm.1',
      reason: '550',
      status: '5.1.1',
    },
  ];
  const body = `${JSON.stringify(events)}\r\n`;
  const time = '1790000002';
  const signature = sign('sha256', Buffer.from(time + body), privateKey).toString('base64');
  const headers = {
    'content-type': 'application/json;charset=utf-8',
    'x-twilio-email-event-webhook-timestamp': time,
    'x-twilio-email-event-webhook-signature': signature,
  };
  const data = events.map(({ event, email }) => ({ event, email }));
  expect(await send('receive-send-grid', body, headers)).toEqual([200, { data }]);
  expect(await send('receive-send-grid', body.trim(), headers)).toEqual(refused);
});

it('takes one CloudEvent, and a batch of them', async () => {
  const send = open({ receiveEvents });
  const event = {
    specversion: '1.0',
    type: 'ch.example.order.sent',
    source: '/orders',
    subject: '55',
    id: 'A234-1234-1234',
    time: '2026-11-28T22:00:00+01:00',
    datacontenttype: 'application/json',
    data: { weight: 2 },
  };
  const taken = { id: event.id, type: event.type, data: event.data };
  const one = { 'content-type': 'application/cloudevents+json; charset=UTF-8' };
  const many = { 'content-type': 'application/cloudevents-batch+json' };
  expect(await send('receive-events', JSON.stringify(event), one)).toEqual([
    200,
    { data: [taken] },
  ]);
  expect(await send('receive-events', JSON.stringify([event, event]), many)).toEqual([
    200,
    { data: [taken, taken] },
  ]);
  expect(await send('receive-events', '[]', many)).toEqual([200, { data: [] }]);
  expect((await send('receive-events', JSON.stringify([{ ...event, id: '' }]), many))[0]).toBe(400);
});

it('sends an event of its own with a signature, and fails where the receiver refuses it', async () => {
  const heard: { body: string; signature: unknown }[] = [];
  const receiver = createHttpServer((request, response) => {
    void text(request).then((body) => {
      heard.push({ body, signature: request.headers['x-signature'] });
      response.writeHead(heard.length === 1 ? 200 : 503).end();
    });
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void receiver.close());
  vi.stubEnv('HOOK_SECRET', 'a secret of a test');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { hooks } = await import('./webhook-recipes/sent.ts');
  await using api = await testServer({ capabilities: {}, listen: false });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const event = { id: '7', type: 'ticket.paid', data: { seat: 12 } };
  await api.jobs.run(hooks, 'hooks.deliver', { url, ...event });
  const [{ body, signature } = { body: '', signature: '' }] = heard;
  expect(JSON.parse(body)).toEqual(event);
  const [, time = '', hex = ''] = /^t=(\d+),v1=(\w+)$/.exec(String(signature)) ?? [];
  expect(isHmac('a secret of a test', [`${time}.`, body], hex)).toBe(true);
  await expect(api.jobs.run(hooks, 'hooks.deliver', { url, ...event })).rejects.toThrow(
    `${url} answered 503`,
  );
});
