import { type Job as BullJob, Queue, UnrecoverableError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { FailedJob, Job, JobEnd, JobOptions, JobQueue, JobSettings } from './job.ts';

export interface BullQueueOptions {
  readonly url: string;
  readonly prefix: string;
  readonly settings: ReadonlyMap<string, JobSettings>;
  readonly lockMs: number;
  readonly onError: (error: Error) => void;
}

interface Data {
  readonly input: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Jobs that are done, and known for a while, so that their ids are not used again. */
const KEPT = { removeOnComplete: { age: 3600, count: 1000 }, removeOnFail: { count: 10_000 } };

/** The time that a connection may take, milliseconds. */
const CONNECT_MS = 1000;

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

  async add({ key, input, headers }: Omit<Job, 'id'>, { delayMs = 0, jobId, order = 0 }: JobOptions): Promise<string> {
    const { attempts = 1, backoffMs = 0 } = this.#options.settings.get(key) ?? {};
    const queue = await this.#readyQueue(key);
    const job = await queue.add(
      key,
      { input, headers },
      {
        ...KEPT,
        attempts,
        backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
        delay: delayMs,
        priority: order,
        ...(jobId === undefined ? {} : { jobId: toBullId(jobId) }),
      },
    );
    return String(job.id);
  }

  async work(run: (job: Job) => Promise<JobEnd>): Promise<void> {
    const { settings, onError } = this.#options;
    this.#workers = [...settings].map(([key, each]) => this.#startWorker(key, each, run));
    // Redis may be away; BullMQ waits for it.
    for (const [key, each] of settings) void this.#schedule(key, each).catch(onError);
  }

  async failed(key: string): Promise<readonly FailedJob[]> {
    const queue = await this.#readyQueue(key);
    return (await queue.getFailed()).map((job) => toFailedJob(key, job));
  }

  async retry(key: string, id: string): Promise<boolean> {
    const job = await (await this.#readyQueue(key)).getJob(id);
    if (job === undefined || !(await job.isFailed())) return false;
    await job.retry('failed', { resetAttemptsMade: true });
    return true;
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

  #queueOf(key: string): Queue<Data> {
    const { url, prefix, onError } = this.#options;
    this.#sender ??= new Redis(url, { maxRetriesPerRequest: 1, connectTimeout: CONNECT_MS }).on('error', onError);
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

  #startWorker(key: string, { maxJobs, rate }: JobSettings, run: (job: Job) => Promise<JobEnd>): Worker<Data> {
    const { url, prefix, lockMs, onError } = this.#options;
    this.#receiver ??= new Redis(url, { maxRetriesPerRequest: null }).on('error', onError);
    const process = async ({ id, data: { input, headers } }: BullJob<Data>): Promise<void> => {
      const running = run({ id: String(id), key, input, headers });
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
  async #schedule(key: string, { repeat, attempts }: JobSettings): Promise<void> {
    const queue = this.#queueOf(key);
    if (repeat === undefined) return void (await queue.removeJobScheduler(SCHEDULE));
    const { cron, timezone, input = {} } = repeat;
    const every = { pattern: cron, ...(timezone === undefined ? {} : { tz: timezone }) };
    const template = { name: key, data: { input, headers: {} }, opts: { ...KEPT, attempts } };
    await queue.upsertJobScheduler(SCHEDULE, every, template);
  }
}

const SCHEDULE = 'repeat';

function isReady(client: Redis): boolean {
  return client.status === 'ready';
}

/** Resolves when its connection is closed. */
async function endClient(client: Redis | undefined): Promise<void> {
  if (client === undefined || client.status === 'end') return;
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  client.disconnect();
  await ended;
}

/** Waits for what ends, and no longer than so many milliseconds. */
async function withinMs(ms: number, ending: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([ending, patience]);
  clearTimeout(timer);
}

/** BullMQ takes no colons and no bare numbers, which are ids of its own. */
function toBullId(jobId: string): string {
  return `id ${jobId.replaceAll(':', '%3A')}`;
}

/** @throws Error for an attempt that failed, UnrecoverableError for one that is not made again */
function expectDone(end: JobEnd): void {
  if (end.ok) return;
  throw end.isFinal ? new UnrecoverableError(end.error) : new Error(end.error);
}

function toFailedJob(key: string, { id, data, attemptsMade, failedReason }: BullJob<Data>): FailedJob {
  return { id: String(id), key, ...data, attempts: attemptsMade, error: failedReason };
}
