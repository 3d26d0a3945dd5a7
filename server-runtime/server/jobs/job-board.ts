/** The phases of a job: `waiting` for its turn, `delayed` until a time, `active` while it runs, `failed` for good. */
export const jobPhases = ['waiting', 'delayed', 'active', 'failed'] as const;
export type JobPhase = (typeof jobPhases)[number];

/** The jobs of one capability, by phase. */
export interface JobCounts extends Readonly<Record<JobPhase, number>> {
  /** Key of the capability. */
  readonly key: string;
}

/** Some of the jobs of one capability in one phase: those that run next first, failed ones from the newest on. */
export interface JobRange {
  readonly key: string;
  readonly phase: JobPhase;
  /** Index of the first one. */
  readonly from: number;
  readonly count: number;
}

/** A job with all that its queue knows of it. Times are milliseconds since 1970. */
export interface StoredJob {
  readonly id: string;
  readonly key: string;
  readonly input: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly phase: JobPhase;
  /** Attempts that were made, with one that is under way. */
  readonly attempts: number;
  /** Attempts that it has in all. */
  readonly maxAttempts: number;
  readonly addedAt: number;
  /** When it may run, where it is delayed. */
  readonly dueAt?: number | undefined;
  /** When its last attempt began. */
  readonly startedAt?: number | undefined;
  /** When it failed. */
  readonly endedAt?: number | undefined;
  /** The error of its last attempt. */
  readonly error?: string | undefined;
}

/** A change that somebody asks for: another try of a failed job, a delayed one at once, an end to one that does not run. */
export type JobChange = 'retry' | 'promote' | 'remove';

/** The outcome of a change. `state` is where the job is now; `gone` where it has run, or was removed. */
export interface JobChanged {
  readonly isChanged: boolean;
  readonly state: JobPhase | 'gone';
}

/** The phases from which a job can be changed. */
export const changeablePhases: Readonly<Record<JobChange, readonly JobPhase[]>> = {
  retry: ['failed'],
  promote: ['delayed'],
  remove: ['waiting', 'delayed', 'failed'],
};

/** The jobs of a transport, as `capix dev` looks at them. What it asks for rejects where the queue is away. */
export interface JobBoard {
  readonly counts: () => Promise<readonly JobCounts[]>;
  readonly list: (range: JobRange) => Promise<readonly StoredJob[]>;
  readonly change: (change: JobChange, key: string, id: string) => Promise<JobChanged>;
  /** Takes no more jobs. Resolves when none is under way. */
  readonly settle: () => Promise<void>;
}

/** The end of `capix dev` that looks at a board. */
export interface JobWatcher {
  /** A job is not tried again. */
  readonly failed: (job: StoredJob) => void;
  /** The transport has stopped. */
  readonly close: () => void;
}
