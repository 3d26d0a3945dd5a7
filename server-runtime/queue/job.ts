import type { FailedJob, JobCounts } from '../server/jobs/job-board.ts';

/** The options of one job. */
export interface JobOptions {
  /** The time before it may run, milliseconds. @default 0 */
  readonly delayMs?: number | undefined;
  /** A second job of the same capability with this id is not added while the first is known. @default a new one */
  readonly jobId?: string | undefined;
  /** Jobs of a lower number run first, from 0 to 2097151. @default 0 */
  readonly order?: number | undefined;
  /** Given to the context builder, with names in lower case: on whose behalf it runs. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Inside a call: whether it is added at once, also where the call fails, and not when the call has succeeded. @default false */
  readonly now?: boolean | undefined;
}

/** A job on its way into a queue, with every default applied. `input` is what JSON makes of what was given. */
export interface Job {
  readonly id: string;
  /** Key of the capability. */
  readonly key: string;
  readonly input: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly delayMs: number;
  readonly order: number;
}

/** One attempt at a job: the third of five has `attempt: 3`. */
export interface JobAttempt extends Pick<Job, 'id' | 'key' | 'input' | 'headers'> {
  readonly attempt: number;
}

/** The end of one attempt. `isFinal` is an error that another attempt would meet again. */
export type JobEnd = { readonly ok: true } | { readonly ok: false; readonly error: string; readonly isFinal: boolean };

/** Runs one attempt to its end. Never rejects. */
export type RunJob = (job: JobAttempt) => Promise<JobEnd>;

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

/** The place where jobs wait, and from which they are taken. */
export interface JobQueue {
  /** A job whose id is known is not added. */
  readonly add: (job: Job) => Promise<void>;
  /** Begins to run jobs. */
  readonly work: (run: RunJob) => Promise<void>;
  readonly counts: () => Promise<readonly JobCounts[]>;
  readonly failed: (key: string, count: number) => Promise<readonly FailedJob[]>;
  readonly retry: (key: string, id: string) => Promise<boolean>;
  /** Takes no more jobs, and waits for those under way, so many milliseconds. Never rejects. */
  readonly stop: (graceMs: number) => Promise<void>;
}
