import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises';
import { Job as BullJob, type JobsOptions, Queue, UnrecoverableError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { defaultErrors } from '../errors/define-error.ts';
import { failure } from '../errors/failure.ts';
import type { FailedJob, Job, JobSettings } from '../server/job.ts';
import { answerWithin } from '../stores/answer-within.ts';
import { openRedisLink, type RedisLink, toCommandError } from '../stores/redis-link.ts';
import type { JobQueue, JobRunner } from './job-runner.ts';
import { readJob } from './read-job.ts';
import { findNextRun } from './to-job.ts';

type Data = Pick<Job, 'input' | 'headers'>;

/** The time that a connection, and the end of one, may take, milliseconds. */
const CONNECT_MS = 1000;
const SCHEDULE = 'repeat';

/** Schedules are read by the parser of the queue in memory, in place of that of BullMQ. */
const settings = {
  repeatStrategy: (
    afterMs: number,
    { pattern = '', tz }: { readonly pattern?: string; readonly tz?: string },
  ) => findNextRun({ cron: pattern, timezone: tz }, afterMs),
};

/** The two connections to Redis that the queues of a process share. */
interface SharedRedis extends RedisLink {
  readonly receiver: Redis;
  readonly prefix: string;
  readonly lockMs: number;
  readonly runner: JobRunner;
}

export function shareRedis(
  url: string,
  options: Pick<SharedRedis, 'prefix' | 'lockMs' | 'runner'>,
): SharedRedis {
  const { away } = options.runner;
  const sender = openRedisLink(url, { onError: away });
  const receiver = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
  }).setMaxListeners(0);
  return {
    ...options,
    receiver: receiver.on('error', away),
    // A connection that was lost may be back in a moment.
    connect: () => sender.connect().catch(() => setTimeout(CONNECT_MS).then(sender.connect)),
    close: () => {
      receiver.disconnect();
      sender.close();
    },
  };
}

/** Holds the jobs of one capability in Redis, by BullMQ. */
export function createBullQueue(key: string, own: JobSettings, redis: SharedRedis): JobQueue {
  const { connect, receiver, prefix, runner } = redis;
  const { attempts, backoffMs, repeat } = own;
  const jobOptions = {
    attempts,
    backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
  };
  const underWay = new Set<Promise<unknown>>();
  let sender: Redis | undefined;
  let queue: Queue<Data> | undefined;
  let worker: Worker<Data> | undefined;

  async function ask<Answer>(question: (of: Queue<Data>) => Promise<Answer>): Promise<Answer> {
    if (sender?.status !== 'ready') sender = await connect();
    const options = { connection: sender, prefix, settings, skipMetasUpdate: true };
    queue ??= new Queue<Data>(key, options).on('error', runner.away);
    // The link ends a connection that gives no answer for 5 s.
    return question(queue).catch(async (fault: unknown) => {
      // The client notices a lost connection in the next turn. A retry in the same turn would be too early.
      await nextTurn();
      throw toCommandError(fault);
    });
  }
  /** Writes the declared schedule to Redis, and ends one that is no longer declared. */
  const schedule = () =>
    ask<unknown>(async (of) => {
      if (repeat === undefined) return of.removeJobScheduler(SCHEDULE);
      const when = { pattern: repeat.cron, ...(repeat.timezone && { tz: repeat.timezone }) };
      const data = { input: repeat.input ?? {}, headers: {} };
      return of.upsertJobScheduler(SCHEDULE, when, { name: key, data, opts: jobOptions });
    });
  const pause = () => within(CONNECT_MS, worker?.pause(true));

  return {
    add: ({ id, input, headers, delayMs, order }) => {
      // Redis holds each option of each job, and its worker reads them.
      const options: JobsOptions = { ...jobOptions, jobId: toBullId(id) };
      if (delayMs > 0) options.delay = delayMs;
      if (order > 0) options.priority = order;
      // What `Queue.add` does besides is for its tracing and its listeners, of which there are none.
      return ask<unknown>((of) => BullJob.create(of, key, { input, headers }, options));
    },
    work: async () => {
      worker = startWorker(key, own, { ...redis, underWay });
      // Redis may be away, and return without its data.
      receiver.on('ready', () => void schedule().catch(runner.away));
    },
    counts: async () => {
      const found = await ask((of) => of.getJobCounts());
      const { waiting = 0, prioritized = 0, delayed = 0, active = 0, failed = 0 } = found;
      return { key, waiting: waiting + prioritized, delayed, active, failed };
    },
    failed: async (count) =>
      (await ask((of) => of.getFailed(0, count - 1))).map((job) => toFailedJob(key, job)),
    retry: async (id) => {
      for (const bullId of toBullIds(id)) {
        const job = await ask((of) => of.getJob(bullId));
        if (job === undefined || !(await job.isFailed())) continue;
        await job.retry('failed', { resetAttemptsMade: true });
        return true;
      }
      return false;
    },
    pause,
    stop: async (graceMs) => {
      await pause();
      await within(graceMs, ...underWay);
      await within(CONNECT_MS, worker?.close(true));
      await within(CONNECT_MS, queue?.close());
    },
  };
}

function startWorker(
  key: string,
  { maxJobs, rate }: JobSettings,
  {
    receiver,
    prefix,
    lockMs,
    runner,
    underWay,
  }: SharedRedis & { readonly underWay: Set<Promise<unknown>> },
): Worker<Data> {
  const process = async (job: BullJob<Data>): Promise<void> => {
    const attempt = { ...toFailedJob(key, job), attempts: job.attemptsMade + 1 };
    const { problem } = readJob(key, job.name, job.data);
    if (problem !== undefined) throw new UnrecoverableError(runner.refuseForeign(attempt, problem));
    const running = runner.run(attempt);
    underWay.add(running);
    const fault = await running.finally(() => underWay.delete(running));
    if (fault !== undefined) throw new (fault.isFinal ? UnrecoverableError : Error)(fault.error);
  };
  const worker = new Worker<Data>(key, process, {
    connection: receiver,
    prefix,
    settings,
    concurrency: maxJobs,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    // A job that takes its process along, again and again, fails.
    maxStalledCount: 3,
    // Jobs that are done are known for a while, so that their ids are not used again.
    removeOnComplete: { age: 3600, count: 1000 },
    removeOnFail: { count: 10_000 },
    ...(rate && { limiter: { max: rate.limit, duration: rate.windowMs } }),
  });
  return worker.on('error', runner.away).on('failed', (job, { message }) => {
    if (job === undefined || message !== 'job stalled more than allowable limit') return;
    const { id: jobId, attempts, maxAttempts } = toFailedJob(key, job);
    const fault = failure(defaultErrors.Internal, message);
    runner.givenUp({ capability: key, jobId, attempts, maxAttempts, failure: fault });
  });
}

const OWN = 'id ';

/** The id in Redis of a job that `enqueue` adds. BullMQ refuses colons, and numbers, which are its own ids. */
function toBullId(id: string): string {
  return `${OWN}${encodeURIComponent(id)}`;
}

/** The ids that a listed job may have in Redis: BullMQ itself makes those of the jobs of a schedule. */
function toBullIds(id: string): readonly string[] {
  const isOfSchedule = new RegExp(`^repeat:${SCHEDULE}:\\d+$`).test(id);
  return isOfSchedule ? [toBullId(id), id] : [toBullId(id)];
}

/**
 * The queue itself determines the capability of a job, never the data of the job, which other programs may have
 * written.
 */
function toFailedJob(key: string, job: BullJob<Data>): FailedJob {
  const { input, headers } = readJob(key, job.name, job.data);
  return {
    id: toOwnId(job.id ?? ''),
    key,
    input,
    headers,
    attempts: job.attemptsMade,
    maxAttempts: job.opts.attempts ?? 1,
    addedAtMs: job.timestamp,
    failedAtMs: job.finishedOn ?? Date.now(),
    error: job.failedReason,
  };
}

/** The id as `enqueue` gave it. One that others have made may not be decoded. */
function toOwnId(id: string): string {
  if (!id.startsWith(OWN)) return id;
  const own = id.slice(OWN.length);
  try {
    return own.includes('%') ? decodeURIComponent(own) : own;
  } catch {
    return id;
  }
}

/** Waits for all of them so many milliseconds, however they end. */
async function within(ms: number, ...all: readonly unknown[]): Promise<void> {
  await answerWithin(Promise.allSettled(all), ms).catch(() => {});
}
