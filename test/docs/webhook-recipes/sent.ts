import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { capability } from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';

const Event = z.object({ url: z.url(), id: z.string(), type: z.string(), data: z.unknown() });

/** Signs time and bytes, so that a receiver can refuse an old event. A job that throws is tried again, later and later. */
const deliver = capability(Event, async ({ url, ...event }, { signal }) => {
  const body = JSON.stringify(event);
  const time = Math.floor(Date.now() / 1000);
  const hmac = createHmac('sha256', process.env['HOOK_SECRET'] ?? '');
  const hex = hmac.update(`${time}.${body}`).digest('hex');
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-signature': `t=${time},v1=${hex}` },
    body,
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
});

export const hooks = queueTransport({
  url: process.env['REDIS_URL'],
  capabilities: { hooks: { deliver } },
  jobs: { 'hooks.deliver': { attempts: 8, backoffMs: 5000 } },
});
