import { type Job as BullJob, Queue, UnrecoverableError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { defaultErrors } from '../errors/default-errors.ts';
import { failure } from '../errors/failure.ts';
import type { GivenUpJob } from '../server/hooks.ts';
import type { FailedJob, Job, JobCounts, JobQueue, JobSettings, RunJob } from '../server/job.ts';
import { answerWithin } from '../stores/answer-within.ts';
import { findNextRun, toJob } from './to-job.ts';

export interface BullQueueOptions {
  readonly url: string;
  readonly prefix: string;
  readonly lockMs: number;
  readonly onError: (error: Error) => void;
  readonly onGivenUp: (job: GivenUpJob) => void;
}

type Data = Pick<Job, 'input' | 'headers'>;

/** Jobs that are done, and known for a while, so that their ids are not used again. */
const KEPT = { removeOnComplete: { age: 3600, count: 1000 }, removeOnFail: { count: 10_000 } };
/** The time that a connection, and the end of one, may take, milliseconds. */
const CONNECT_MS = 1000;
/** The time that Redis may take to answer, milliseconds: one that hangs keeps nobody waiting. */
const ANSWER_MS = 5000;
const SCHEDULE = 'repeat';
const STALLED = 'job stalled more than allowable limit';

/** Schedules are read by the parser of the queue in memory, in place of that of BullMQ. */
const settings = {
  repeatStrategy: (afterMs: number, { pattern = '', tz }: { readonly pattern?: string; readonly tz?: string }) =>
    findNextRun({ cron: pattern, timezone: tz }, afterMs),
};

/** The two connections to Redis that the queues of a process share. */
export class RedisLink {
  readonly options: BullQueueOptions;
  readonly sender: Redis;
  #receiver: Redis | undefined;
  /** One for all who wait for the connection, until it is there. */
  #connecting: Promise<void> | undefined;

  constructor(options: BullQueueOptions) {
    this.options = options;
    const limits = { maxRetriesPerRequest: 1, connectTimeout: CONNECT_MS };
    this.sender = new Redis(options.url, limits).on('error', options.onError);
  }

  get receiver(): Redis {
    const { url, onError } = this.options;
    // Each queue listens to it.
    this.#receiver ??= new Redis(url, { maxRetriesPerRequest: null }).setMaxListeners(0).on('error', onError);
    return this.#receiver;
  }

  /** Rejects without a connection within a second: what waits would be sent when its caller has given up. */
  async connect(): Promise<void> {
    if (isReady(this.sender)) return;
    this.#connecting ??= new Promise<void>((resolve) => this.sender.once('ready', () => resolve()));
    await answerWithin(this.#connecting, CONNECT_MS).catch(() => {});
    if (!isReady(this.sender)) throw new Error('There is no connection to Redis.');
    this.#connecting = undefined;
  }

  async close(): Promise<void> {
    await within(CONNECT_MS, [this.#receiver, this.sender], endClient);
  }
}

/** Holds the jobs of one capability in Redis, by BullMQ. */
export class BullQueue implements JobQueue {
  readonly #key: string;
  readonly #settings: JobSettings;
  readonly #link: RedisLink;
  readonly #underWay = new Set<Promise<unknown>>();
  #queue: Queue<Data> | undefined;
  #worker: Worker<Data> | undefined;

  constructor(key: string, jobSettings: JobSettings, link: RedisLink) {
    this.#key = key;
    this.#settings = jobSettings;
    this.#link = link;
  }

  async add({ id, input, headers, delayMs, order }: Job): Promise<void> {
    const options = { ...this.#toJobOptions(), delay: delayMs, priority: order, jobId: toBullId(id) };
    await this.#ask((queue) => queue.add(this.#key, { input, headers }, options));
  }

  async work(run: RunJob): Promise<void> {
    const { receiver: connection, options } = this.#link;
    const { prefix, lockMs, onError, onGivenUp } = options;
    const { maxJobs, rate } = this.#settings;
    const process = async (job: BullJob<Data>): Promise<void> => {
      const running = run({ ...toFailedJob(job), attempts: job.attemptsMade + 1 });
      this.#underWay.add(running);
      const fault = await running.finally(() => this.#underWay.delete(running));
      if (fault !== undefined) throw new (fault.isFinal ? UnrecoverableError : Error)(fault.error);
    };
    this.#worker = new Worker<Data>(this.#key, process, {
      connection,
      prefix,
      settings,
      concurrency: maxJobs,
      lockDuration: lockMs,
      stalledInterval: lockMs,
      // A job that takes its process along, again and again, fails.
      maxStalledCount: 3,
      ...(rate && { limiter: { max: rate.limit, duration: rate.windowMs } }),
    });
    this.#worker.on('error', onError).on('failed', (job, { message }) => {
      if (job === undefined || message !== STALLED) return;
      const { id, key, attempts, maxAttempts } = toFailedJob(job);
      const fault = failure(defaultErrors.Internal, message);
      onGivenUp({ capability: key, jobId: id, attempts, maxAttempts, failure: fault });
    });
    // Redis may be away, and come back without what it held.
    connection.on('ready', () => void this.#schedule().catch(onError));
  }

  async counts(): Promise<JobCounts> {
    const found = await this.#ask((queue) => queue.getJobCounts());
    const { waiting = 0, prioritized = 0, delayed = 0, active = 0, failed = 0 } = found;
    return { key: this.#key, waiting: waiting + prioritized, delayed, active, failed };
  }

  async failed(count: number): Promise<readonly FailedJob[]> {
    const jobs = await this.#ask((queue) => queue.getFailed(0, count - 1));
    return jobs.map((job) => toFailedJob(job));
  }

  async retry(id: string): Promise<boolean> {
    const job = await this.#ask((queue) => queue.getJob(toBullId(id)));
    if (job === undefined || !(await job.isFailed())) return false;
    await job.retry('failed', { resetAttemptsMade: true });
    return true;
  }

  async pause(): Promise<void> {
    await within(CONNECT_MS, [this.#worker], async (worker) => worker?.pause(true));
  }

  async stop(graceMs: number): Promise<void> {
    await this.pause();
    await within(graceMs, this.#underWay, async (running) => running);
    await within(CONNECT_MS, [this.#worker], async (worker) => worker?.close(true));
    await within(CONNECT_MS, [this.#queue], async (queue) => queue?.close());
  }

  async #ask<Answer>(question: (queue: Queue<Data>) => Promise<Answer>): Promise<Answer> {
    const { options, sender: connection } = this.#link;
    await this.#link.connect();
    this.#queue ??= new Queue<Data>(this.#key, {
      connection,
      prefix: options.prefix,
      settings,
      skipMetasUpdate: true,
    }).on('error', options.onError);
    return answerWithin(question(this.#queue), ANSWER_MS);
  }

  #toJobOptions() {
    const { attempts, backoffMs } = this.#settings;
    return { ...KEPT, attempts, backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 } };
  }

  /** A schedule that is no longer declared ends. */
  async #schedule(): Promise<void> {
    const { repeat } = this.#settings;
    await this.#ask(async (queue) => {
      if (repeat === undefined) return queue.removeJobScheduler(SCHEDULE);
      const { cron, timezone } = repeat;
      const { input, headers } = toJob(this.#key, repeat.input);
      const added = { name: this.#key, data: { input, headers }, opts: this.#toJobOptions() };
      return queue.upsertJobScheduler(SCHEDULE, { pattern: cron, ...(timezone && { tz: timezone }) }, added);
    });
  }
}

const OWN = 'id ';

/** BullMQ takes no colons and no bare numbers, which are ids of its own. Jobs of a schedule have such ids. */
function toBullId(id: string): string {
  return id.startsWith(`${SCHEDULE}:`) ? id : `${OWN}${id.replaceAll('%', '%25').replaceAll(':', '%3A')}`;
}

function toFailedJob({ id = '', name, data, attemptsMade, opts, ...job }: BullJob<Data>): FailedJob {
  return {
    id: id.startsWith(OWN) ? id.slice(OWN.length).replaceAll('%3A', ':').replaceAll('%25', '%') : id,
    key: name,
    ...data,
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

/** Ends each, and waits for all of them so many milliseconds. */
async function within<T>(ms: number, all: Iterable<T>, end: (each: T) => Promise<unknown>): Promise<void> {
  await answerWithin(Promise.allSettled([...all].map(end)), ms).catch(() => {});
}

async function endClient(client: Redis | undefined): Promise<void> {
  if (client === undefined || client.status === 'end') return;
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  // Between two attempts there is no connection that could close.
  const isOpen = client.status !== 'reconnecting';
  client.disconnect();
  if (isOpen) await ended;
}
