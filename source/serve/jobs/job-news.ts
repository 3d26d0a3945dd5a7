import type { FailedJob, JobCounts } from '../../../server-runtime/server/jobs/job.ts';
import type { Preview } from '../../record/request-record.ts';

/** A failed job for the screen: values are cut where long, and free of secrets. Text is as others wrote it. */
export interface ShownJob extends Omit<FailedJob, 'input' | 'headers'> {
  readonly input: Preview;
  readonly headers: Preview;
}

/** The jobs of a server, as they were when the queues last answered. */
export interface JobOverview {
  readonly queues: readonly JobCounts[];
  /** Jobs that failed, the newest first; of many only some. */
  readonly failed: readonly ShownJob[];
  /** Why a queue does not answer now. */
  readonly trouble?: string | undefined;
}

/** A server tells of its jobs unasked, when something has changed. */
export interface JobNews {
  readonly kind: 'jobs';
  readonly overview: JobOverview;
}

/** The questions to a server about its jobs. */
export type JobQuestions = {
  readonly 'retry-job': {
    readonly question: { readonly key: string; readonly id: string };
    readonly progress: never;
    /** False where there is none of this id that has failed. */
    readonly answer: boolean;
  };
};

/** Asks the server that answers now. Rejects where there is none, and with what went wrong in its queue. */
export type AskJobs = <Name extends keyof JobQuestions>(
  name: Name,
  question: JobQuestions[Name]['question'],
) => Promise<JobQuestions[Name]['answer']>;
