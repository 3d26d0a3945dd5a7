import { deliverHook } from './jobs/deliver-hook.ts';
import { sendReminder } from './jobs/send-reminder.ts';
import { jobs } from './jobs.ts';

/** In the memory of this process, or in Redis, where jobs outlive it. */
export const queue = jobs.toTransport({
  url: process.env.REDIS_URL,
  capabilities: { reminders: { send: sendReminder }, hooks: { deliver: deliverHook } },
  jobs: { 'hooks.deliver': { attempts: 8, backoffMs: 5000 } },
});
