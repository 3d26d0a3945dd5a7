import * as z from 'zod';
import { isHmac, signedBy } from './signed.ts';

const secret = process.env['GITHUB_WEBHOOK_SECRET'] ?? '';

const byGitHub = signedBy('isGitHub', ({ headers, rawBody }) => {
  const [, hex = ''] = String(headers['x-hub-signature-256']).split('sha256=');
  return secret !== '' && isHmac(secret, [rawBody], hex);
});

const Payload = z.looseObject({
  action: z.string().optional(),
  repository: z.looseObject({ full_name: z.string() }).optional(),
});

/** The payload has fields of any name, which stay apart from those of the headers. */
export const receiveGitHub = byGitHub(
  z.object({ event: z.string(), delivery: z.string(), payload: Payload }),
  ({ event, delivery, payload }) => ({
    event,
    delivery,
    action: payload.action,
    repository: payload.repository?.full_name,
  }),
).takes({ body: 'payload', headers: { event: 'x-github-event', delivery: 'x-github-delivery' } });
