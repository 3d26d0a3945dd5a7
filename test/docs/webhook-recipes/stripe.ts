import * as z from 'zod';
import { isHmac, signedBy } from './signed.ts';

const secret = process.env['STRIPE_WEBHOOK_SECRET'] ?? '';

/** `t=1700000000,v1=5257a8…`; several `v1` while a secret is being replaced. Five minutes old is too old. */
const byStripe = signedBy('isStripe', ({ headers, rawBody }) => {
  const pairs = String(headers['stripe-signature'])
    .split(',')
    .map((pair) => pair.split('='));
  const time = pairs.find(([name]) => name === 't')?.[1] ?? '';
  const isRecent = Math.abs(Date.now() / 1000 - Number(time)) < 300;
  const signatures = pairs.filter(([name]) => name === 'v1').map(([, hex = '']) => hex);
  return (
    secret !== '' &&
    isRecent &&
    signatures.some((hex) => isHmac(secret, [`${time}.`, rawBody], hex))
  );
});

const StripeEvent = z.looseObject({
  id: z.string(),
  type: z.string(),
  data: z.looseObject({ object: z.looseObject({}) }),
});

/** `POST /hooks/receive-stripe`. The body is an object, so that its fields are those of the input. */
export const receiveStripe = byStripe(StripeEvent, ({ id, type, data }) => ({
  id,
  type,
  object: data.object['id'],
}));
