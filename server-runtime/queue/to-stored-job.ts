import type { Job as BullJob, JobType } from 'bullmq';
import type { JobChange, JobChanged, JobPhase, StoredJob } from '../server/jobs/job-board.ts';

/** The data that BullMQ keeps of a job for its handler. */
export interface BullData {
  readonly input: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** The places of BullMQ in which jobs of a phase are, in the order of their turns. */
export const bullTypes: Readonly<Record<JobPhase, readonly JobType[]>> = {
  waiting: ['waiting', 'prioritized'],
  delayed: ['delayed'],
  active: ['active'],
  failed: ['failed'],
};

/** BullMQ takes no colons and no bare numbers, which are ids of its own. Jobs of a schedule have such ids. */
export function toBullId(id: string): string {
  return id.startsWith(SCHEDULED) ? id : `${OWN}${id.replaceAll('%', '%25').replaceAll(':', '%3A')}`;
}

/** As `toBullId` was given it. */
export function toOwnId(bullId: string | undefined = ''): string {
  return bullId.startsWith(OWN) ? bullId.slice(OWN.length).replaceAll('%3A', ':').replaceAll('%25', '%') : bullId;
}

const OWN = 'id ';
const SCHEDULED = 'repeat:';

/** `dueAt`: milliseconds since 1970. */
export function toStoredJob(
  job: BullJob<BullData>,
  { phase, dueAt }: { readonly phase: JobPhase; readonly dueAt?: number | undefined },
): StoredJob {
  const { name, data, timestamp, attemptsMade, processedOn, finishedOn, failedReason } = job;
  return {
    id: toOwnId(job.id),
    key: name,
    input: data.input,
    headers: data.headers,
    phase,
    attempts: attemptsMade + (phase === 'active' ? 1 : 0),
    maxAttempts: job.opts.attempts ?? 1,
    addedAt: timestamp,
    dueAt,
    startedAt: processedOn,
    endedAt: finishedOn,
    error: failedReason,
  };
}

/** The place of a job now. */
export async function findJobState(job: BullJob | undefined): Promise<JobChanged['state']> {
  const state = await job?.getState();
  return state === 'delayed' || state === 'active' || state === 'failed'
    ? state
    : state === 'waiting' || state === 'prioritized'
      ? 'waiting'
      : 'gone';
}

/** @throws Error where it is not where it can be changed */
export function changeBullJob(change: JobChange, job: BullJob): Promise<void> {
  switch (change) {
    case 'retry':
      return job.retry('failed', { resetAttemptsMade: true });
    case 'promote':
      return job.promote();
    case 'remove':
      return job.remove();
  }
}
