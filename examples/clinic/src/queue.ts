import { deliverHook } from './jobs/deliver-hook.js';
import { sendReminder } from './jobs/send-reminder.js';
import { jobs } from './jobs.js';

/** In the memory of this process, or in Redis, where jobs outlive it. */
export const queue = jobs.toTransport({
  url: process.env.REDIS_URL,
  capabilities: { reminders: { send: sendReminder }, hooks: { deliver: deliverHook } },
  jobs: { 'hooks.deliver': { attempts: 8, backoffMs: 5000 } },
});
