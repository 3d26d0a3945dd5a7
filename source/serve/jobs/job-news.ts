import type {
  JobChange,
  JobChanged,
  JobCounts,
  JobRange,
  StoredJob,
} from '../../../server-runtime/server/jobs/job-board.ts';
import type { Preview } from '../../record/request-record.ts';

/** A job as it travels to the screen: its values are cut where they are long, and free of secrets. Text is as others wrote it. */
export interface ShownJob extends Omit<StoredJob, 'input' | 'headers'> {
  readonly input: Preview;
  readonly headers: Preview;
}

/** The jobs of a server by capability, as they were when the queues last answered. */
export interface JobOverview {
  readonly queues: readonly JobCounts[];
  /** Why a queue does not answer now. */
  readonly trouble?: string | undefined;
}

/** A server tells of its jobs unasked. */
export type JobNews =
  /** The counts have changed. */
  | { readonly kind: 'jobs'; readonly overview: JobOverview }
  /** Jobs that this server has run are not tried again; `omitted` more in so short a time that nobody can read them. */
  | { readonly kind: 'jobs-failed'; readonly jobs: readonly ShownJob[]; readonly omitted: number };

/** The questions to a server about its jobs. */
export type JobQuestions = {
  readonly 'list-jobs': {
    readonly question: readonly JobRange[];
    readonly progress: never;
    /** The jobs of each range, which may be fewer than were asked for. */
    readonly answer: readonly (readonly ShownJob[])[];
  };
  readonly 'change-job': {
    readonly question: { readonly change: JobChange; readonly key: string; readonly id: string };
    readonly progress: never;
    readonly answer: JobChanged;
  };
};

/** Asks the server that answers now. Rejects where there is none, and with what went wrong in its queue. */
export type AskJobs = <Name extends keyof JobQuestions>(
  name: Name,
  question: JobQuestions[Name]['question'],
) => Promise<JobQuestions[Name]['answer']>;
