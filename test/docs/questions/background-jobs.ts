import * as z from 'zod';
import { capability, createServer, restTransport } from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';

const send = capability(z.object({ to: z.email() }), ({ to }, ctx) => {
  ctx.log.info('Sent', { to }); // your mailer; an error with 5xx is tried again
});
const jobs = queueTransport({
  url: process.env['REDIS_URL'], // without one, jobs are in the memory of this process
  capabilities: { emails: { send } },
  jobs: {
    'emails.send': {
      attempts: 3,
      repeat: { cron: '0 8 * * *', input: { to: 'team@example.org' } },
    },
  },
});

const createUser = capability(z.object({ email: z.email() }), async ({ email }) => {
  await jobs.enqueue('emails.send', { to: email }); // sent once this call has succeeded
  return { id: '7', email };
});

export const server = createServer({
  capabilities: { users: { createUser } },
  transports: [restTransport({ port: 3000 }), jobs],
});
