import { type Job as BullJob, Queue, UnrecoverableError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { defaultErrors } from '../errors/default-errors.ts';
import { failure } from '../errors/failure.ts';
import type { GivenUpJob } from '../server/hooks.ts';
import type { FailedJob, Job, JobCounts, JobQueue, JobSettings, RunJob } from '../server/jobs/job.ts';
import { answerWithin } from '../stores/answer-within.ts';
import { findNextRun } from './find-next-run.ts';
import { toJson } from './to-job.ts';

export interface BullQueueOptions {
  readonly url: string;
  readonly prefix: string;
  readonly settings: ReadonlyMap<string, JobSettings>;
  readonly lockMs: number;
  readonly onError: (error: Error) => void;
  readonly onGivenUp: (job: GivenUpJob) => void;
}

/** The data that BullMQ keeps of a job for its handler. */
type Data = Pick<Job, 'input' | 'headers'>;

/** Jobs that are done, and known for a while, so that their ids are not used again. */
const KEPT = { removeOnComplete: { age: 3600, count: 1000 }, removeOnFail: { count: 10_000 } };
/** The time that a connection, and the end of one, may take, milliseconds. */
const CONNECT_MS = 1000;
/** The time that Redis may take to answer, milliseconds: one that hangs keeps nobody waiting. */
const ANSWER_MS = 5000;
/** The id of the schedule of a queue. */
const SCHEDULE = 'repeat';
/** The message of BullMQ for a job that has taken its process along too often. */
const STALLED = 'job stalled more than allowable limit';

/** Schedules are read by the parser of the queue in memory, in place of that of BullMQ. */
const settings = {
  repeatStrategy: (afterMs: number, { pattern = '', tz }: { readonly pattern?: string; readonly tz?: string }) =>
    findNextRun({ cron: pattern, timezone: tz }, afterMs),
};

/** Holds jobs in Redis by BullMQ: a queue for each capability, so that each has a bound and a rate of its own. */
export class BullQueue implements JobQueue {
  readonly #options: BullQueueOptions;
  readonly #queues = new Map<string, Queue<Data>>();
  readonly #sender: Redis;
  /** One for all who wait for the connection, until it is there. */
  #connecting: Promise<void> | undefined;
  #receiver: Redis | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  #workers: readonly Worker<Data>[] = [];

  constructor(options: BullQueueOptions) {
    this.#options = options;
    const limits = { maxRetriesPerRequest: 1, connectTimeout: CONNECT_MS };
    this.#sender = new Redis(options.url, limits).on('error', options.onError);
  }

  async add({ id, key, input, headers, delayMs, order }: Job): Promise<void> {
    const options = { ...this.#toJobOptions(key), delay: delayMs, priority: order, jobId: toBullId(id) };
    await this.#ask(key, (queue) => queue.add(key, { input, headers }, options));
  }

  async work(run: RunJob): Promise<void> {
    const { url, onError, settings: all } = this.#options;
    const receiver = new Redis(url, { maxRetriesPerRequest: null }).on('error', onError);
    this.#receiver = receiver;
    this.#workers = [...all].map((each) => this.#startWorker(receiver, each, run));
    // Redis may be away, and come back without what it held.
    receiver.on('ready', () => {
      for (const [key, each] of all) this.#schedule(key, each).catch(onError);
    });
  }

  async counts(): Promise<readonly JobCounts[]> {
    return Promise.all(
      [...this.#options.settings.keys()].map(async (key) => {
        const found = await this.#ask(key, (queue) => queue.getJobCounts());
        const { waiting = 0, prioritized = 0, delayed = 0, active = 0, failed = 0 } = found;
        return { key, waiting: waiting + prioritized, delayed, active, failed };
      }),
    );
  }

  async failed(key: string, count: number): Promise<readonly FailedJob[]> {
    const jobs = await this.#ask(key, (queue) => queue.getFailed(0, count - 1));
    return jobs.map((job) => toFailedJob(job));
  }

  async retry(key: string, id: string): Promise<boolean> {
    const job = await this.#ask(key, (queue) => queue.getJob(toBullId(id)));
    if (job === undefined || !(await job.isFailed())) return false;
    await job.retry('failed', { resetAttemptsMade: true });
    return true;
  }

  async pause(): Promise<void> {
    await within(
      CONNECT_MS,
      this.#workers.map((worker) => worker.pause(true)),
    );
  }

  async stop(graceMs: number): Promise<void> {
    await this.pause();
    const workers = this.#workers;
    this.#workers = [];
    await within(graceMs, [...this.#underWay]);
    await within(
      CONNECT_MS,
      workers.map((worker) => worker.close(true)),
    );
    await within(
      CONNECT_MS,
      [...this.#queues.values()].map((queue) => queue.close()),
    );
    await within(CONNECT_MS, [this.#receiver, this.#sender].map(endClient));
  }

  /** Rejects where there is no connection within a second: what waits for one would be sent when its caller has given up. */
  async #ask<Answer>(key: string, question: (queue: Queue<Data>) => Promise<Answer>): Promise<Answer> {
    const sender = this.#sender;
    if (!isReady(sender)) {
      this.#connecting ??= new Promise<void>((resolve) => sender.once('ready', () => resolve()));
      await answerWithin(this.#connecting, CONNECT_MS).catch(() => {});
      if (!isReady(sender)) throw new Error('There is no connection to Redis.');
      this.#connecting = undefined;
    }
    return answerWithin(question(this.#queueOf(key)), ANSWER_MS);
  }

  #queueOf(key: string): Queue<Data> {
    const { prefix, onError } = this.#options;
    const known = this.#queues.get(key);
    if (known !== undefined) return known;
    const options = { connection: this.#sender, prefix, settings, skipMetasUpdate: true };
    const queue = new Queue<Data>(key, options).on('error', onError);
    this.#queues.set(key, queue);
    return queue;
  }

  /** The options of a job, and of what a schedule adds. */
  #toJobOptions(key: string) {
    const { attempts = 1, backoffMs = 0 } = this.#options.settings.get(key) ?? {};
    return { ...KEPT, attempts, backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 } };
  }

  #startWorker(connection: Redis, [key, { maxJobs, rate }]: readonly [string, JobSettings], run: RunJob): Worker<Data> {
    const { prefix, lockMs, onError, onGivenUp } = this.#options;
    const process = async (job: BullJob<Data>): Promise<void> => {
      const { id, input, headers, attempts } = toFailedJob(job);
      const running = run({ id, key, input, headers, attempt: attempts + 1 });
      this.#underWay.add(running);
      const end = await running.finally(() => this.#underWay.delete(running));
      if (end.ok) return;
      throw end.isFinal ? new UnrecoverableError(end.error) : new Error(end.error);
    };
    const worker = new Worker<Data>(key, process, {
      connection,
      prefix,
      settings,
      concurrency: maxJobs,
      lockDuration: lockMs,
      stalledInterval: lockMs,
      // A job that takes its process along, again and again, fails.
      maxStalledCount: 3,
      ...(rate === undefined ? {} : { limiter: { max: rate.limit, duration: rate.windowMs } }),
    });
    return worker.on('error', onError).on('failed', (job, { message }) => {
      if (job === undefined || message !== STALLED) return;
      const { id, attempts, maxAttempts } = toFailedJob(job);
      onGivenUp({
        capability: key,
        jobId: id,
        attempts,
        maxAttempts,
        failure: failure(defaultErrors.Internal, message),
      });
    });
  }

  /** A schedule that is no longer declared ends. */
  async #schedule(key: string, { repeat }: JobSettings): Promise<void> {
    await this.#ask(key, async (queue) => {
      if (repeat === undefined) return queue.removeJobScheduler(SCHEDULE);
      const { cron, timezone, input } = repeat;
      const every = { pattern: cron, ...(timezone === undefined ? {} : { tz: timezone }) };
      const data = { input: toJson(key, input), headers: {} };
      return queue.upsertJobScheduler(SCHEDULE, every, { name: key, data, opts: this.#toJobOptions(key) });
    });
  }
}

const OWN = 'id ';

/** BullMQ takes no colons and no bare numbers, which are ids of its own. Jobs of a schedule have such ids. */
function toBullId(id: string): string {
  return id.startsWith(`${SCHEDULE}:`) ? id : `${OWN}${id.replaceAll('%', '%25').replaceAll(':', '%3A')}`;
}

/** As `toBullId` was given it. */
function toOwnId(id = ''): string {
  return id.startsWith(OWN) ? id.slice(OWN.length).replaceAll('%3A', ':').replaceAll('%25', '%') : id;
}

function toFailedJob({ id, name, data, attemptsMade, opts, ...job }: BullJob<Data>): FailedJob {
  return {
    id: toOwnId(id),
    key: name,
    input: data.input,
    headers: data.headers,
    attempts: attemptsMade,
    maxAttempts: opts.attempts ?? 1,
    addedAtMs: job.timestamp,
    failedAtMs: job.finishedOn ?? Date.now(),
    error: job.failedReason,
  };
}

function isReady(client: Redis): boolean {
  return client.status === 'ready';
}

async function within(ms: number, all: readonly Promise<unknown>[]): Promise<void> {
  await answerWithin(Promise.allSettled(all), ms).catch(() => {});
}

/** Resolves when its connection is closed. */
async function endClient(client: Redis | undefined): Promise<void> {
  if (client === undefined || client.status === 'end') return;
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  // Between two attempts there is no connection that could close.
  const isOpen = client.status !== 'reconnecting';
  client.disconnect();
  if (isOpen) await ended;
}
