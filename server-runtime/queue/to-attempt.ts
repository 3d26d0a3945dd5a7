import { type Job as BullJob, UnrecoverableError } from 'bullmq';
import type { JobAttempt, JobEnd } from './job.ts';
import { type BullData, toStoredJob } from './to-stored-job.ts';

/** @throws Error for an attempt that failed, UnrecoverableError for one that is not made again */
export function expectDone(end: JobEnd): void {
  if (end.ok) return;
  throw end.isFinal ? new UnrecoverableError(end.error) : new Error(end.error);
}

/** `job` as it is run. */
export function toAttempt(job: BullJob<BullData>): JobAttempt {
  const { id, key, input, headers, attempts, maxAttempts } = toStoredJob(job, { phase: 'active' });
  const toFailed: JobAttempt['toFailed'] = (error) => ({
    ...toStoredJob(job, { phase: 'failed' }),
    attempts,
    error,
    endedAt: Date.now(),
  });
  return { id, key, input, headers, isLast: attempts >= maxAttempts, toFailed };
}
