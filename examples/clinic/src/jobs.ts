import { defineJobs } from 'capix/queue';
import * as z from 'zod';

/** The inputs of jobs. Handlers are in `jobs/`, and `queue.ts` puts both together. */
export const jobs = defineJobs({
  reminders: { send: z.object({ bookingId: z.uuid() }) },
  hooks: { deliver: z.object({ clinicId: z.uuid(), id: z.uuid(), change: z.unknown() }) },
});
