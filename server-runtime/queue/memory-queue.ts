import { randomUUID } from 'node:crypto';
import { MAX_TIMEOUT_MS } from '../enhancers/with-timeout.ts';
import {
  type FailedJob,
  type Job,
  type JobEnd,
  type JobOptions,
  type JobQueue,
  type JobSettings,
  toBackoffMs,
} from './job.ts';

/** Failed jobs that are known, of each capability. */
const MAX_FAILED = 1000;

interface Waiting extends Job {
  readonly order: number;
  /** Attempts that were made. */
  attempts: number;
}

/** The jobs of one capability. */
interface Lane {
  readonly settings: JobSettings;
  readonly waiting: Waiting[];
  readonly failed: Map<string, FailedJob>;
  /** Ids of jobs that wait or run. */
  readonly known: Set<string>;
  /** When jobs began within the time of the rate, milliseconds of `performance.now()`. */
  readonly began: number[];
  running: number;
}

type Run = (job: Job) => Promise<JobEnd>;

/** Holds jobs in the memory of this process: what waits when it ends is lost. */
export class MemoryQueue implements JobQueue {
  readonly #settings: ReadonlyMap<string, JobSettings>;
  readonly #lanes: ReadonlyMap<string, Lane>;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #underWay = new Set<Promise<void>>();
  #crons: readonly { readonly stop: () => void }[] = [];
  #run: Run | undefined;

  constructor(settings: ReadonlyMap<string, JobSettings>) {
    this.#settings = settings;
    this.#lanes = new Map([...settings].map(([key, each]) => [key, createLane(each)]));
  }

  async add(job: Omit<Job, 'id'>, { delayMs = 0, jobId = randomUUID(), order = 0 }: JobOptions): Promise<string> {
    const lane = this.#lanes.get(job.key);
    if (lane === undefined || lane.known.has(jobId)) return jobId;
    lane.known.add(jobId);
    // As in a real queue, a job is a copy of what was given.
    const waiting: Waiting = { ...structuredClone(job), id: jobId, order, attempts: 0 };
    if (delayMs > 0) this.#later(delayMs, () => this.#wait(lane, waiting));
    else queueMicrotask(() => this.#wait(lane, waiting));
    return jobId;
  }

  async work(run: Run): Promise<void> {
    this.#run = run;
    this.#crons = await startCrons(this.#settings, (key, input) => void this.add({ key, input, headers: {} }, {}));
    for (const lane of this.#lanes.values()) this.#begin(lane);
  }

  async failed(key: string): Promise<readonly FailedJob[]> {
    return [...(this.#lanes.get(key)?.failed.values() ?? [])];
  }

  async retry(key: string, id: string): Promise<boolean> {
    const lane = this.#lanes.get(key);
    const job = lane?.failed.get(id);
    if (lane === undefined || job === undefined) return false;
    lane.failed.delete(id);
    await this.add({ key, input: job.input, headers: job.headers }, { jobId: id });
    return true;
  }

  async stop(graceMs: number): Promise<void> {
    this.#run = undefined;
    for (const cron of this.#crons) cron.stop();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs)));
    await Promise.race([Promise.all(this.#underWay), patience]);
    clearTimeout(timer);
  }

  #later(ms: number, begin: () => void): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        if (ms > MAX_TIMEOUT_MS) this.#later(ms - MAX_TIMEOUT_MS, begin);
        else begin();
      },
      Math.min(ms, MAX_TIMEOUT_MS),
    );
    this.#timers.add(timer);
  }

  #wait(lane: Lane, job: Waiting): void {
    // From the end: most jobs are of one order, and a search from the front would pass all that wait.
    lane.waiting.splice(lane.waiting.findLastIndex(({ order }) => order <= job.order) + 1, 0, job);
    this.#begin(lane);
  }

  #begin(lane: Lane): void {
    while (this.#run !== undefined && lane.waiting.length > 0 && lane.running < lane.settings.maxJobs) {
      const waitMs = takeTurn(lane);
      if (waitMs > 0) return this.#later(waitMs, () => this.#begin(lane));
      const job = lane.waiting.shift();
      if (job === undefined) return;
      const attempt = this.#tryOnce(lane, job, this.#run);
      this.#underWay.add(attempt);
      void attempt.then(() => this.#underWay.delete(attempt));
    }
  }

  async #tryOnce(lane: Lane, job: Waiting, run: Run): Promise<void> {
    lane.running++;
    job.attempts++;
    const end = await run(job);
    lane.running--;
    const isStopped = this.#run === undefined;
    if (!end.ok && !end.isFinal && job.attempts < lane.settings.attempts && !isStopped)
      this.#later(toBackoffMs(lane.settings.backoffMs, job.attempts), () => this.#wait(lane, job));
    else {
      lane.known.delete(job.id);
      const { id, key, input, headers, attempts } = job;
      if (!end.ok) keepFailed(lane, { id, key, input, headers, attempts, error: end.error });
    }
    this.#begin(lane);
  }
}

function createLane(settings: JobSettings): Lane {
  return { settings, waiting: [], failed: new Map(), known: new Set(), began: [], running: 0 };
}

/** The time until another job may begin, milliseconds; 0 where one may now, and has. */
function takeTurn({ settings: { rate }, began }: Lane): number {
  if (rate === undefined) return 0;
  const now = performance.now();
  while (began.length > 0 && now - (began[0] ?? now) >= rate.windowMs) began.shift();
  if (began.length >= rate.limit) return Math.max(1, rate.windowMs - (now - (began[0] ?? now)));
  began.push(now);
  return 0;
}

function keepFailed({ failed }: Lane, job: FailedJob): void {
  failed.set(job.id, job);
  const [oldest] = failed.keys();
  if (failed.size > MAX_FAILED && oldest !== undefined) failed.delete(oldest);
}

async function startCrons(
  settings: ReadonlyMap<string, JobSettings>,
  add: (key: string, input: unknown) => void,
): Promise<readonly { readonly stop: () => void }[]> {
  const repeated = [...settings].flatMap(([key, { repeat }]) => (repeat === undefined ? [] : [{ key, repeat }]));
  if (repeated.length === 0) return [];
  const { Cron } = await import('croner');
  return repeated.map(
    ({ key, repeat: { cron, timezone, input } }) =>
      new Cron(cron, { unref: true, ...(timezone === undefined ? {} : { timezone }) }, () => add(key, input ?? {})),
  );
}
