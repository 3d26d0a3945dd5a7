/** The jobs of one capability: `waiting` for their turn, `delayed` until a time, `active` while they run, `failed` for good. */
export interface JobCounts {
  /** Key of the capability. */
  readonly key: string;
  readonly waiting: number;
  readonly delayed: number;
  readonly active: number;
  readonly failed: number;
}

/** A job that is not tried again. Times are milliseconds since 1970. */
export interface FailedJob {
  /** As `enqueue` gave it. */
  readonly id: string;
  /** Key of the capability. */
  readonly key: string;
  /** As JSON carries it. */
  readonly input: unknown;
  /** As they were given to `enqueue`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Attempts that were made. */
  readonly attempts: number;
  /** Attempts that it had in all. */
  readonly maxAttempts: number;
  /** When it was enqueued. */
  readonly addedAtMs: number;
  /** When its last attempt failed. */
  readonly failedAtMs: number;
  /** The last error: `NotFound (404): No user 7`. */
  readonly error: string;
}

/** The jobs of a transport, as `capix dev` looks at them. What it asks for rejects where the queue is away. */
export interface JobBoard {
  readonly counts: () => Promise<readonly JobCounts[]>;
  /** At most `count` of those of a capability, the newest first. */
  readonly failed: (key: string, count: number) => Promise<readonly FailedJob[]>;
  /** False where there is none of this id that has failed. */
  readonly retry: (key: string, id: string) => Promise<boolean>;
  /** Takes no more jobs. Resolves when none is under way. */
  readonly settle: () => Promise<void>;
}
