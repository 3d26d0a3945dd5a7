import { createPublicKey, verify } from 'node:crypto';
import * as z from 'zod';
import { signedBy } from './signed.ts';

const Event = z.looseObject({
  email: z.string(),
  timestamp: z.int(),
  event: z.string(),
  sg_event_id: z.string(),
});

/** `publicKey`: the verification key of the settings. A list is the whole body. */
export function createSendGridHook(publicKey: string) {
  const bySendGrid = signedBy('isSendGrid', ({ headers, rawBody }) => {
    const time = String(headers['x-twilio-email-event-webhook-timestamp']);
    const signature = String(headers['x-twilio-email-event-webhook-signature']);
    const key = createPublicKey({
      key: Buffer.from(publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    return verify(
      'sha256',
      Buffer.concat([Buffer.from(time), rawBody]),
      key,
      Buffer.from(signature, 'base64'),
    );
  });
  return bySendGrid(z.object({ events: z.array(Event) }), ({ events }) =>
    events.map(({ event, email }) => ({ event, email })),
  ).takes({
    body: 'events',
  });
}
