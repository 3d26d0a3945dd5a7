import type { JobBoard, StoredJob } from '../server/jobs/job-board.ts';

/** The options of one job. */
export interface JobOptions {
  /** The time before it may run, milliseconds. @default 0 */
  readonly delayMs?: number | undefined;
  /** A second job of the same capability with this id is not added while the first is known. @default a new one */
  readonly jobId?: string | undefined;
  /** Jobs of a lower number run first, from 0 to 2097152. @default 0 */
  readonly order?: number | undefined;
  /** Given to the context builder, with names in lower case: on whose behalf it runs. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A job as a queue keeps it. */
export interface Job {
  /** As it was given to `enqueue`, or else one that `enqueue` gave. */
  readonly id: string;
  /** Key of the capability. */
  readonly key: string;
  /** As it was given to `enqueue`. */
  readonly input: unknown;
  /** As they were given to `enqueue`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A job that is not tried again. */
export interface FailedJob extends Job {
  /** Attempts that were made. */
  readonly attempts: number;
  /** The last error: `NotFound (404): No user 7`. */
  readonly error: string;
}

/** The end of one attempt. `isFinal` is an error that another attempt would meet again. */
export type JobEnd = { readonly ok: true } | { readonly ok: false; readonly error: string; readonly isFinal: boolean };

/** The settings of the jobs of one capability, with every default applied. */
export interface JobSettings {
  readonly maxJobs: number;
  readonly attempts: number;
  readonly backoffMs: number;
  /** Jobs that begin within a time. */
  readonly rate: { readonly limit: number; readonly windowMs: number } | undefined;
  /** Adds a job by itself. */
  readonly repeat:
    | { readonly cron: string; readonly timezone?: string | undefined; readonly input?: unknown }
    | undefined;
}

/** One attempt at a job. */
export interface JobAttempt extends Job {
  /** Whether the job is not tried again where it fails. */
  readonly isLast: boolean;
  /** The job as its queue tells of it, where this attempt has failed for good. */
  readonly toFailed: (error: string) => StoredJob;
}

/** The place where jobs wait, and from which they are taken. */
export interface JobQueue extends Omit<JobBoard, 'settle'> {
  /** Gives the id. */
  readonly add: (job: Omit<Job, 'id'>, options: JobOptions) => Promise<string>;
  /** Begins to run jobs. */
  readonly work: (run: (job: JobAttempt) => Promise<JobEnd>) => Promise<void>;
  /** Takes no more jobs, and waits for those under way. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** The wait before another attempt, milliseconds; it doubles with each. */
export function toBackoffMs(backoffMs: number, attemptsMade: number): number {
  return backoffMs * 2 ** (attemptsMade - 1) * (0.5 + Math.random() / 2);
}
