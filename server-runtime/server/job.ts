import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallRequest } from '../capability/context.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import type { CallTracker, RunningCall } from '../execution/execute.ts';
import type { AnyTransport, Transport } from './transport.ts';

/** The options of one job. */
export interface JobOptions {
  /** The time before it may run, milliseconds. @default 0 */
  readonly delayMs?: number | undefined;
  /** A second job of the same capability with this id is not added while the first is known. @default a new one */
  readonly jobId?: string | undefined;
  /** Jobs of a lower number run first, from 0 to 2097151. @default 0 */
  readonly order?: number | undefined;
  /** For the context builder, with names in lower case: the user for whom the job runs, for example. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether it is added at once inside a call, and not when the call has succeeded. @default false */
  readonly now?: boolean | undefined;
}

export interface JobsOfOptions {
  /** Jobs that run at once in this process; one counts until its handler has ended. @default 10 */
  readonly maxJobs?: number | undefined;
  /** Attempts in all, where one fails with 5xx, 429, or something unforeseen. @default 5 */
  readonly attempts?: number | undefined;
  /** The wait before the second attempt, milliseconds; it doubles with each, with jitter. @default 1000 */
  readonly backoffMs?: number | undefined;
  /** Jobs that may begin within a time, in all processes together. @default any number */
  readonly rate?: { readonly limit: number; readonly windowMs: number } | undefined;
  /** Adds a job by itself: `{cron: '0 3 * * *'}`. Without a timezone, the time is that of the process. */
  readonly repeat?:
    | { readonly cron: string; readonly timezone?: string | undefined; readonly input?: unknown }
    | undefined;
}

export type JobSettings = JobsOfOptions &
  Readonly<Record<'maxJobs' | 'attempts' | 'backoffMs', number>>;

/** A job that is not tried again. Times are milliseconds since 1970. */
export interface FailedJob {
  /** As `enqueue` gave it. */
  readonly id: string;
  /** Key of the capability. */
  readonly key: string;
  /** As JSON carries it. */
  readonly input: unknown;
  /** The headers of `enqueue`, and `traceparent` where the call that enqueued it is part of a trace. */
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

export interface Job extends Pick<FailedJob, 'id' | 'key' | 'input' | 'headers'> {
  readonly delayMs: number;
  readonly order: number;
}

/** Runs one attempt to its end, and gives why it failed; `isFinal`: another one would meet it again. Never rejects. */
export type RunJob = (
  attempt: Omit<FailedJob, 'addedAtMs' | 'failedAtMs' | 'error'>,
) => Promise<{ readonly error: string; readonly isFinal: boolean } | undefined>;

/** The jobs of a capability by phase: `waiting`, `delayed` until a time, `active`, `failed` for good. */
export type JobCounts = Readonly<
  Record<'waiting' | 'delayed' | 'active' | 'failed', number> & Pick<Job, 'key'>
>;

/** The jobs of a transport, for the screen of `capix dev`. The functions reject where the queue is away. */
export interface JobBoard {
  readonly counts: () => Promise<readonly JobCounts[]>;
  /** At most `count` of those of a capability, the newest first. */
  readonly failed: (key: string, count: number) => Promise<readonly FailedJob[]>;
  readonly retry: (key: string, id: string) => Promise<boolean>;
  /** The names that a capability declares to hold secrets. */
  readonly secretNames: (key: string) => readonly string[];
  /** Takes no more jobs, of those that would be lost only once `drained` resolves. Resolves when none is under way. */
  readonly settle: (drained: Promise<unknown>) => Promise<void>;
}

export const QUEUE: unique symbol = Symbol.for('capix.queue');

export interface QueueInternals {
  readonly capabilities: GroupTree;
  readonly settings: ReadonlyMap<string, JobSettings>;
  readonly prefix?: string | undefined;
  /**
   * The servers of this queue run their calls in it, so that `enqueue` finds the call whose success a job waits for.
   */
  readonly calls: CallTracker;
  /** None where its server has not started. Rejects where the queue is away. */
  readonly counts: () => Promise<readonly JobCounts[]>;
  /** Called while the other transports of its server end. The queue then takes no jobs but those that would be lost. */
  readonly pause: () => Promise<void>;
}

/** Undefined for a transport that no `queueTransport` made, in this copy of the package or another. */
export function findQueueInternals(value: unknown): QueueInternals | undefined {
  return Object(value)[QUEUE] as QueueInternals | undefined;
}

/**
 * Follows the calls of a server, for each queue among its transports: every queue has a storage of its own. Undefined
 * for a server without a queue.
 */
export function toCallTracker(transports: readonly AnyTransport[]): CallTracker | undefined {
  const trackers = transports.flatMap((each) => findQueueInternals(each)?.calls ?? []);
  return trackers.reduce<CallTracker | undefined>(
    (outer, inner) =>
      outer === undefined
        ? inner
        : { run: (call, ...step) => outer.run(call, () => inner.run(call, ...step), 0, 0) },
    undefined,
  );
}

/** Takes a job in place of its queue. */
export type JobSink = (job: Job, queue: QueueInternals) => void;

/**
 * The call of a test or of a command to which the code that runs belongs. Their servers do not know which queues the
 * application has, and a queue does not know them, so this one is of the process. Other servers run nothing in it.
 */
export const callsWithoutQueue = new AsyncLocalStorage<{
  readonly call: CallRequest | undefined;
  readonly sink: JobSink | undefined;
}>();

/**
 * Replaces the application's queues among the transports of a test server, or of a command: jobs of any queue wait for
 * the success of the calls of this server. Then they go to `sink`, where there is one. `begin` is called with each
 * call.
 */
export function createQueueDouble(
  sink?: JobSink,
  begin: (call: RunningCall) => void = () => {},
): Transport {
  const calls: CallTracker = {
    run: (call, ...step) => {
      if (call !== undefined) begin(call);
      callsWithoutQueue.run({ call, sink }, ...step);
    },
  };
  const pause = async (): Promise<void> => {};
  const counts = async () => [];
  const internals: QueueInternals = { capabilities: {}, settings: new Map(), calls, counts, pause };
  const start = async () => ({ routes: [] });
  return Object.assign({ name: 'queue', start, stop: pause }, { [QUEUE]: internals });
}
