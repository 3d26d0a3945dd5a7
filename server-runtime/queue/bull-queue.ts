import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises';
import { type Job as BullJob, Queue, UnrecoverableError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { defaultErrors } from '../errors/default-errors.ts';
import { failure } from '../errors/failure.ts';
import type { FailedJob, Job, JobCounts, JobSettings } from '../server/job.ts';
import { answerWithin } from '../stores/answer-within.ts';
import { openRedisLink, type RedisLink } from '../stores/redis-link.ts';
import type { JobQueue, JobRunner } from './job-runner.ts';
import { findNextRun, toJob } from './to-job.ts';

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
export interface SharedRedis extends Pick<RedisLink, 'connect'> {
  readonly receiver: () => Redis;
  readonly prefix: string;
  readonly lockMs: number;
  readonly runner: JobRunner;
  readonly close: () => void;
}

export function shareRedis(url: string, options: Pick<SharedRedis, 'prefix' | 'lockMs' | 'runner'>): SharedRedis {
  const { away } = options.runner;
  const sender = openRedisLink(url, away);
  let receiver: Redis | undefined;
  return {
    ...options,
    // A connection that was lost may be back in a moment.
    connect: () => sender.connect().catch(() => setTimeout(CONNECT_MS).then(sender.connect)),
    receiver: () => (receiver ??= new Redis(url, { maxRetriesPerRequest: null }).setMaxListeners(0).on('error', away)),
    close: () => {
      receiver?.disconnect();
      sender.close();
    },
  };
}

/** Holds the jobs of one capability in Redis, by BullMQ. */
export class BullQueue implements JobQueue {
  readonly #key: string;
  readonly #settings: JobSettings;
  readonly #redis: SharedRedis;
  readonly #underWay = new Set<Promise<unknown>>();
  #queue: Queue<Data> | undefined;
  #worker: Worker<Data> | undefined;

  constructor(key: string, jobSettings: JobSettings, redis: SharedRedis) {
    this.#key = key;
    this.#settings = jobSettings;
    this.#redis = redis;
  }

  async add({ id, input, headers, delayMs, order }: Job): Promise<void> {
    const options = { ...this.#toJobOptions(), delay: delayMs, priority: order, jobId: toBullId(id) };
    await this.#ask((queue) => queue.add(this.#key, { input, headers }, options));
  }

  async work(): Promise<void> {
    const { receiver, prefix, lockMs, runner } = this.#redis;
    const { maxJobs, rate } = this.#settings;
    const process = async (job: BullJob<Data>): Promise<void> => {
      const running = runner.run({ ...toFailedJob(job), attempts: job.attemptsMade + 1 });
      this.#underWay.add(running);
      const fault = await running.finally(() => this.#underWay.delete(running));
      if (fault !== undefined) throw new (fault.isFinal ? UnrecoverableError : Error)(fault.error);
    };
    this.#worker = new Worker<Data>(this.#key, process, {
      connection: receiver(),
      prefix,
      settings,
      concurrency: maxJobs,
      lockDuration: lockMs,
      stalledInterval: lockMs,
      // A job that takes its process along, again and again, fails.
      maxStalledCount: 3,
      ...(rate && { limiter: { max: rate.limit, duration: rate.windowMs } }),
    });
    this.#worker.on('error', runner.away).on('failed', (job, { message }) => {
      if (job === undefined || message !== STALLED) return;
      const { id: jobId, key: capability, attempts, maxAttempts } = toFailedJob(job);
      const fault = failure(defaultErrors.Internal, message);
      runner.givenUp({ capability, jobId, attempts, maxAttempts, failure: fault });
    });
    // Redis may be away, and come back without what it held.
    receiver().on('ready', () => void this.#schedule().catch(runner.away));
  }

  async counts(): Promise<JobCounts> {
    const found = await this.#ask((queue) => queue.getJobCounts());
    const { waiting = 0, prioritized = 0, delayed = 0, active = 0, failed = 0 } = found;
    return { key: this.#key, waiting: waiting + prioritized, delayed, active, failed };
  }

  async failed(count: number): Promise<readonly FailedJob[]> {
    return (await this.#ask((queue) => queue.getFailed(0, count - 1))).map(toFailedJob);
  }

  async retry(id: string): Promise<boolean> {
    const job = await this.#ask((queue) => queue.getJob(toBullId(id)));
    if (job === undefined || !(await job.isFailed())) return false;
    await job.retry('failed', { resetAttemptsMade: true });
    return true;
  }

  async pause(): Promise<void> {
    await within(CONNECT_MS, this.#worker?.pause(true));
  }

  async stop(graceMs: number): Promise<void> {
    await this.pause();
    await within(graceMs, ...this.#underWay);
    await within(CONNECT_MS, this.#worker?.close(true));
    await within(CONNECT_MS, this.#queue?.close());
  }

  async #ask<Answer>(question: (queue: Queue<Data>) => Promise<Answer>): Promise<Answer> {
    const { connect, prefix, runner } = this.#redis;
    const options = { connection: await connect(), prefix, settings, skipMetasUpdate: true };
    this.#queue ??= new Queue<Data>(this.#key, options).on('error', runner.away);
    return answerWithin(question(this.#queue), ANSWER_MS).catch(async (fault: unknown) => {
      // A lost connection is known of in the next turn: who tries again at once would never let it come.
      await nextTurn();
      throw fault;
    });
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
      const { input, headers } = toJob(this.#key, repeat.input);
      const when = { pattern: repeat.cron, ...(repeat.timezone && { tz: repeat.timezone }) };
      const opts = this.#toJobOptions();
      return queue.upsertJobScheduler(SCHEDULE, when, { name: this.#key, data: { input, headers }, opts });
    });
  }
}

const OWN = 'id ';

/** BullMQ takes no colons and no bare numbers, which are ids of its own. Jobs of a schedule have such ids. */
function toBullId(id: string): string {
  return id.startsWith(`${SCHEDULE}:`) ? id : `${OWN}${encodeURIComponent(id)}`;
}

function toFailedJob({ id = '', name, data, attemptsMade, opts, ...job }: BullJob<Data>): FailedJob {
  return {
    id: id.startsWith(OWN) ? decodeURIComponent(id.slice(OWN.length)) : id,
    key: name,
    ...data,
    attempts: attemptsMade,
    maxAttempts: opts.attempts ?? 1,
    addedAtMs: job.timestamp,
    failedAtMs: job.finishedOn ?? Date.now(),
    error: job.failedReason,
  };
}

/** Waits for all of them so many milliseconds, however they end. */
async function within(ms: number, ...all: readonly unknown[]): Promise<void> {
  await answerWithin(Promise.allSettled(all), ms).catch(() => {});
}
