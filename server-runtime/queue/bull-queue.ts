import { randomUUID } from 'node:crypto';
import { type Job as BullJob, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import {
  changeablePhases,
  type JobChange,
  type JobChanged,
  type JobCounts,
  type JobRange,
  type StoredJob,
} from '../server/jobs/job-board.ts';
import type { Job, JobAttempt, JobEnd, JobOptions, JobQueue, JobSettings } from './job.ts';
import { expectDone, toAttempt } from './to-attempt.ts';
import { type BullData, bullTypes, changeBullJob, findJobState, toBullId, toStoredJob } from './to-stored-job.ts';

export interface BullQueueOptions {
  readonly url: string;
  readonly prefix: string;
  readonly settings: ReadonlyMap<string, JobSettings>;
  readonly lockMs: number;
  readonly onError: (error: Error) => void;
  /** A schedule was refused. */
  readonly onScheduleError: (key: string, error: Error) => void;
}

type Data = BullData;

/** Jobs that are done, and known for a while, so that their ids are not used again. */
const KEPT = { removeOnComplete: { age: 3600, count: 1000 }, removeOnFail: { count: 10_000 } };

/** The time that a connection may take, milliseconds. */
const CONNECT_MS = 1000;
/** The time that Redis may take to answer, milliseconds: one that hangs keeps nobody waiting. */
const ANSWER_MS = 5000;

/** Holds jobs in Redis by BullMQ: a queue for each capability, so that each has a bound and a rate of its own. */
export class BullQueue implements JobQueue {
  readonly #options: BullQueueOptions;
  readonly #queues = new Map<string, Queue<Data>>();
  readonly #underWay = new Set<Promise<JobEnd>>();
  #sender: Redis | undefined;
  /** One for all who wait for the connection, until it is there. */
  #connecting: Promise<void> | undefined;
  #receiver: Redis | undefined;
  #workers: readonly Worker<Data>[] = [];

  constructor(options: BullQueueOptions) {
    this.#options = options;
  }

  async add({ key, input, headers }: Omit<Job, 'id'>, options: JobOptions): Promise<string> {
    const { delayMs = 0, jobId = randomUUID(), order = 0 } = options;
    const queue = await this.#readyQueue(key);
    const jobOptions = { ...this.#toJobOptions(key), delay: delayMs, priority: order, jobId: toBullId(jobId) };
    await queue.add(key, { input, headers }, jobOptions);
    return jobId;
  }

  async work(run: (job: JobAttempt) => Promise<JobEnd>): Promise<void> {
    const { settings, onError, onScheduleError } = this.#options;
    this.#workers = [...settings].map(([key, each]) => this.#startWorker(key, each, run));
    // Redis may be away, and come back without what it held.
    const schedule = async (): Promise<void> => {
      for (const [key, each] of settings) {
        await this.#schedule(key, each).catch((error: Error) => {
          if (this.#sender !== undefined && isReady(this.#sender)) onScheduleError(key, error);
          else onError(error);
        });
      }
    };
    this.#receiver?.on('ready', () => void schedule());
  }

  async counts(): Promise<readonly JobCounts[]> {
    return Promise.all(
      [...this.#options.settings.keys()].map(async (key) => {
        const counts = await (await this.#readyQueue(key)).getJobCounts(...Object.values(bullTypes).flat());
        const { waiting = 0, prioritized = 0, delayed = 0, active = 0, failed = 0 } = counts;
        return { key, waiting: waiting + prioritized, delayed, active, failed };
      }),
    );
  }

  async list({ key, phase, from, count }: JobRange): Promise<readonly StoredJob[]> {
    const queue = await this.#readyQueue(key);
    const totals = await queue.getJobCounts(...bullTypes[phase]);
    const jobs: BullJob<Data>[] = [];
    let skipped = from;
    for (const type of bullTypes[phase]) {
      const total = totals[type] ?? 0;
      const last = Math.min(skipped + count - jobs.length, total) - 1;
      if (last >= skipped) jobs.push(...(await queue.getJobs([type], skipped, last, phase !== 'failed')));
      skipped = Math.max(0, skipped - total);
    }
    const dueAts = phase === 'delayed' ? await this.#findDueTimes(queue, jobs) : [];
    return jobs.map((job, index) => toStoredJob(job, { phase, dueAt: dueAts[index] }));
  }

  async change(change: JobChange, key: string, id: string): Promise<JobChanged> {
    const job = await (await this.#readyQueue(key)).getJob(toBullId(id));
    const state = await findJobState(job);
    if (job === undefined || state === 'gone' || !changeablePhases[change].includes(state))
      return { isChanged: false, state };
    if (change === 'remove' && job.repeatJobKey !== undefined)
      throw new Error('It is the next one of a schedule, which ends where `repeat` is no longer declared.');
    try {
      await changeBullJob(change, job);
    } catch (error) {
      const now = await findJobState(job);
      if (now === state) throw error;
      return { isChanged: false, state: now };
    }
    return { isChanged: true, state: change === 'remove' ? 'gone' : 'waiting' };
  }

  async stop(graceMs: number): Promise<void> {
    const workers = this.#workers;
    const queues = [...this.#queues.values()];
    this.#workers = [];
    this.#queues.clear();
    await withinMs(CONNECT_MS, Promise.all(workers.map((worker) => worker.pause(true))));
    await withinMs(graceMs, Promise.all(this.#underWay));
    await withinMs(CONNECT_MS, Promise.all(workers.map((worker) => worker.close(true))));
    await withinMs(CONNECT_MS, Promise.all(queues.map((queue) => queue.close())));
    await withinMs(CONNECT_MS, Promise.all([this.#receiver, this.#sender].map(endClient)));
    this.#receiver = undefined;
    this.#sender = undefined;
    this.#connecting = undefined;
  }

  #createSender(): Redis {
    const { url, onError } = this.#options;
    const limits = { maxRetriesPerRequest: 1, connectTimeout: CONNECT_MS, commandTimeout: ANSWER_MS };
    return new Redis(url, limits).on('error', onError);
  }

  #queueOf(key: string): Queue<Data> {
    const { prefix, onError } = this.#options;
    this.#sender ??= this.#createSender();
    const known = this.#queues.get(key);
    if (known !== undefined) return known;
    const queue = new Queue<Data>(key, { connection: this.#sender, prefix, skipMetasUpdate: true }).on(
      'error',
      onError,
    );
    this.#queues.set(key, queue);
    return queue;
  }

  /** Rejects where there is no connection within a second: what waits for one would be sent when its caller has given up. */
  async #readyQueue(key: string): Promise<Queue<Data>> {
    const queue = this.#queueOf(key);
    const sender = this.#sender;
    if (sender !== undefined && !isReady(sender)) {
      this.#connecting ??= new Promise<void>((resolve) => sender.once('ready', () => resolve()));
      await withinMs(CONNECT_MS, this.#connecting);
    }
    if (sender === undefined || !isReady(sender)) throw new Error('There is no connection to Redis.');
    this.#connecting = undefined;
    return queue;
  }

  /** When each may run, milliseconds since 1970: BullMQ tells it in the scores alone. */
  async #findDueTimes(queue: Queue<Data>, jobs: readonly BullJob[]): Promise<readonly (number | undefined)[]> {
    if (jobs.length === 0) return [];
    const ids = jobs.map(({ id = '' }) => id);
    const scores = await this.#sender?.zmscore(queue.toKey('delayed'), ...ids);
    return ids.map((_, index) => {
      const score = scores?.[index] ?? undefined;
      return score === undefined ? undefined : Math.floor(Number(score) / SCORES_PER_MS);
    });
  }

  /** The options of a job, and of what a schedule adds. */
  #toJobOptions(key: string) {
    const { attempts = 1, backoffMs = 0 } = this.#options.settings.get(key) ?? {};
    return { ...KEPT, attempts, backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 } };
  }

  #startWorker(key: string, { maxJobs, rate }: JobSettings, run: (job: JobAttempt) => Promise<JobEnd>): Worker<Data> {
    const { url, prefix, lockMs, onError } = this.#options;
    this.#receiver ??= new Redis(url, { maxRetriesPerRequest: null }).on('error', onError);
    const process = async (job: BullJob<Data>): Promise<void> => {
      const running = run(toAttempt(job));
      this.#underWay.add(running);
      const end = await running;
      this.#underWay.delete(running);
      expectDone(end);
    };
    return new Worker<Data>(key, process, {
      connection: this.#receiver,
      prefix,
      concurrency: maxJobs,
      lockDuration: lockMs,
      stalledInterval: lockMs,
      // A job that takes its process along, again and again, fails.
      maxStalledCount: 3,
      ...(rate === undefined ? {} : { limiter: { max: rate.limit, duration: rate.windowMs } }),
    }).on('error', onError);
  }

  /** A schedule that is no longer declared ends. */
  async #schedule(key: string, { repeat }: JobSettings): Promise<void> {
    const queue = await this.#readyQueue(key);
    if (repeat === undefined) return void (await queue.removeJobScheduler(SCHEDULE));
    const { cron, timezone, input = {} } = repeat;
    const every = { pattern: cron, ...(timezone === undefined ? {} : { tz: timezone }) };
    const template = { name: key, data: { input, headers: {} }, opts: this.#toJobOptions(key) };
    await queue.upsertJobScheduler(SCHEDULE, every, template);
  }
}

const SCHEDULE = 'repeat';
/** In the scores of delayed jobs. */
const SCORES_PER_MS = 0x1000;

function isReady(client: Redis): boolean {
  return client.status === 'ready';
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

/** Waits for what ends, and no longer than so many milliseconds. */
async function withinMs(ms: number, ending: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([ending, patience]);
  clearTimeout(timer);
}
