import { LRUCache } from 'lru-cache';
import { MAX_TIMEOUT_MS } from '../enhancers/with-timeout.ts';
import type { FailedJob, Job, JobAttempt, JobCounts, JobQueue, JobSettings, RunJob } from '../server/jobs/job.ts';
import { answerWithin } from '../stores/answer-within.ts';
import { findNextRun } from './find-next-run.ts';
import { toJob } from './to-job.ts';

interface MemoryJob extends Pick<Job, 'id' | 'order'> {
  /** The JSON of what a handler is given, so that each attempt has its own. */
  readonly data: string;
  readonly addedAtMs: number;
  attempts: number;
}

/** The jobs of one capability. Those that wait stand in the order of their turns. */
interface Lane {
  readonly key: string;
  readonly settings: JobSettings;
  readonly waiting: MemoryJob[];
  readonly failed: Map<string, { readonly job: MemoryJob; readonly failedAtMs: number; readonly error: string }>;
  /** The ids of those that wait, run or have failed. */
  readonly ids: Set<string>;
  /** The ids of those that are done, which are not used again for a while: as in Redis. */
  readonly done: LRUCache<string, true>;
  /** When jobs began within the time of the rate, milliseconds of `performance.now()`. */
  readonly began: number[];
  delayed: number;
  active: number;
  /** Whether it waits for the next time that its rate lets a job begin. */
  isHeldBack: boolean;
}

const MAX_FAILED = 1000;
const DONE = { max: 1000, ttl: 3_600_000 };

/** Holds jobs in the memory of this process: what waits when it ends is lost. */
export class MemoryQueue implements JobQueue {
  readonly #lanes: ReadonlyMap<string, Lane>;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #underWay = new Set<Promise<void>>();
  #run: RunJob | undefined;

  constructor(settings: ReadonlyMap<string, JobSettings>) {
    this.#lanes = new Map([...settings].map(([key, each]) => [key, createLane(key, each)]));
  }

  async add({ id, key, input, headers, delayMs, order }: Job): Promise<void> {
    const lane = this.#laneOf(key);
    if (lane.ids.has(id) || lane.done.has(id)) return;
    lane.ids.add(id);
    const data = JSON.stringify({ input, headers });
    this.#wait(lane, { id, data, order, addedAtMs: Date.now(), attempts: 0 }, delayMs);
  }

  async work(run: RunJob): Promise<void> {
    this.#run = run;
    for (const lane of this.#lanes.values()) {
      await this.#repeat(lane, Date.now());
      this.#begin(lane);
    }
  }

  async counts(): Promise<readonly JobCounts[]> {
    return [...this.#lanes.values()].map(({ key, waiting, delayed, active, failed }) => ({
      key,
      waiting: waiting.length,
      delayed,
      active,
      failed: failed.size,
    }));
  }

  async failed(key: string, count: number): Promise<readonly FailedJob[]> {
    const { failed, settings } = this.#laneOf(key);
    const newest = [...failed.values()].toReversed().slice(0, count);
    return newest.map(({ job: { id, data, attempts, addedAtMs }, failedAtMs, error }) => {
      const { input, headers } = JSON.parse(data) as JobAttempt;
      return { id, key, input, headers, attempts, maxAttempts: settings.attempts, addedAtMs, failedAtMs, error };
    });
  }

  async retry(key: string, id: string): Promise<boolean> {
    const lane = this.#laneOf(key);
    const failed = lane.failed.get(id);
    if (failed === undefined) return false;
    lane.failed.delete(id);
    this.#wait(lane, { ...failed.job, attempts: 0 }, 0);
    return true;
  }

  async pause(): Promise<void> {}

  async stop(graceMs: number): Promise<void> {
    this.#run = undefined;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    await answerWithin(Promise.allSettled(this.#underWay), graceMs).catch(() => {});
  }

  #laneOf(key: string): Lane {
    return this.#lanes.get(key) as Lane;
  }

  /** Adds the jobs of its schedule, each at its time. */
  async #repeat(lane: Lane, afterMs: number): Promise<void> {
    const { repeat } = lane.settings;
    const next = repeat === undefined ? undefined : await findNextRun(repeat, afterMs);
    if (repeat === undefined || next === undefined || this.#run === undefined) return;
    this.#later(next - Date.now(), () => {
      void this.add(toJob(lane.key, repeat.input));
      void this.#repeat(lane, Math.max(next, Date.now()));
    });
  }

  #later(ms: number, begin: () => void): void {
    const end = (): void => {
      this.#timers.delete(timer);
      if (ms > MAX_TIMEOUT_MS) this.#later(ms - MAX_TIMEOUT_MS, begin);
      else begin();
    };
    const timer = setTimeout(end, Math.min(ms, MAX_TIMEOUT_MS));
    this.#timers.add(timer);
  }

  #wait(lane: Lane, job: MemoryJob, delayMs: number): void {
    if (delayMs > 0) {
      lane.delayed++;
      return this.#later(delayMs, () => {
        lane.delayed--;
        this.#wait(lane, job, 0);
      });
    }
    lane.waiting.splice(lane.waiting.findLastIndex(({ order }) => order <= job.order) + 1, 0, job);
    // Whoever adds it goes on first.
    queueMicrotask(() => this.#begin(lane));
  }

  #begin(lane: Lane): void {
    const { waiting, settings } = lane;
    while (this.#run !== undefined && !lane.isHeldBack && waiting.length > 0 && lane.active < settings.maxJobs) {
      const waitMs = takeTurn(lane);
      if (waitMs > 0) {
        lane.isHeldBack = true;
        return this.#later(waitMs, () => {
          lane.isHeldBack = false;
          this.#begin(lane);
        });
      }
      const attempt = this.#tryOnce(lane, waiting.shift() as MemoryJob, this.#run);
      this.#underWay.add(attempt);
      void attempt.finally(() => this.#underWay.delete(attempt));
    }
  }

  async #tryOnce(lane: Lane, job: MemoryJob, run: RunJob): Promise<void> {
    const { attempts, backoffMs } = lane.settings;
    const { id } = job;
    lane.active++;
    const attempt = ++job.attempts;
    const end = await run({ ...(JSON.parse(job.data) as JobAttempt), id, key: lane.key, attempt });
    lane.active--;
    if (end.ok) {
      lane.ids.delete(id);
      lane.done.set(id, true);
    } else if (end.isFinal || attempt >= attempts) keepFailed(lane, job, end.error);
    else if (this.#run !== undefined) this.#wait(lane, job, toBackoffMs(backoffMs, attempt));
    this.#begin(lane);
  }
}

function createLane(key: string, settings: JobSettings): Lane {
  const counts = { delayed: 0, active: 0, isHeldBack: false };
  return {
    key,
    settings,
    waiting: [],
    failed: new Map(),
    ids: new Set(),
    done: new LRUCache(DONE),
    began: [],
    ...counts,
  };
}

function keepFailed({ failed, ids }: Lane, job: MemoryJob, error: string): void {
  failed.set(job.id, { job, failedAtMs: Date.now(), error });
  const [oldest = ''] = failed.keys();
  if (failed.size > MAX_FAILED && failed.delete(oldest)) ids.delete(oldest);
}

/** The time until another job may begin, milliseconds; 0 where one may now, and has. */
function takeTurn({ began, settings: { rate } }: Lane): number {
  if (rate === undefined) return 0;
  const now = performance.now();
  while (began.length > 0 && now - (began[0] ?? now) >= rate.windowMs) began.shift();
  if (began.length >= rate.limit) return Math.max(1, rate.windowMs - (now - (began[0] ?? now)));
  began.push(now);
  return 0;
}

/** The wait before another attempt, milliseconds: it doubles with each, with jitter. */
function toBackoffMs(backoffMs: number, attemptsMade: number): number {
  return backoffMs * 2 ** (attemptsMade - 1) * (0.5 + Math.random() / 2);
}
