import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { MAX_TIMEOUT_MS } from '../enhancers/with-timeout.ts';
import type { FailedJob, Job, JobCounts, JobSettings, RunJob } from '../server/job.ts';
import { answerWithin } from '../stores/answer-within.ts';
import type { JobQueue } from './job-runner.ts';
import { findNextRun, toJob } from './to-job.ts';

interface MemoryJob extends FailedJob {
  readonly order: number;
}

/** Holds the jobs of one capability in the memory of this process: what waits when it ends is lost. */
export class MemoryQueue implements JobQueue {
  readonly #key: string;
  readonly #settings: JobSettings;
  readonly #run: RunJob;
  readonly #queue: PQueue;
  /** The ids of those that wait or run, of the last that have failed, and for a while of those that are done. */
  readonly #ids = new Set<string>();
  readonly #failed = new LRUCache<string, MemoryJob>({ max: 1000 });
  readonly #done = new LRUCache<string, true>({ max: 1000, ttl: 3_600_000 });
  readonly #timers = new Set<NodeJS.Timeout>();
  #delayed = 0;

  constructor(key: string, settings: JobSettings, run: RunJob) {
    this.#key = key;
    this.#settings = settings;
    this.#run = run;
    const { maxJobs, rate } = settings;
    const limits = rate && { intervalCap: rate.limit, interval: Math.min(rate.windowMs, MAX_TIMEOUT_MS) };
    this.#queue = new PQueue({ concurrency: maxJobs, autoStart: false, ...limits });
  }

  async add({ delayMs, ...job }: Job): Promise<void> {
    if (this.#ids.has(job.id) || this.#failed.has(job.id) || this.#done.has(job.id)) return;
    const times = { addedAtMs: Date.now(), failedAtMs: 0 };
    this.#wait({ ...job, ...times, attempts: 0, maxAttempts: this.#settings.attempts, error: '' }, delayMs);
  }

  async work(): Promise<void> {
    this.#queue.start();
    await this.#repeat(Date.now());
  }

  async counts(): Promise<JobCounts> {
    const { size: waiting, pending: active } = this.#queue;
    return { key: this.#key, waiting, delayed: this.#delayed, active, failed: this.#failed.size };
  }

  async failed(count: number): Promise<readonly FailedJob[]> {
    return structuredClone([...this.#failed.values()].slice(0, count));
  }

  async retry(id: string): Promise<boolean> {
    const job = this.#failed.peek(id);
    if (job !== undefined) this.#wait({ ...job, attempts: 0 }, 0);
    return this.#failed.delete(id);
  }

  async stop(graceMs: number): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#queue.pause();
    // Stops its clock, too, which would keep the process from ending.
    this.#queue.clear();
    await answerWithin(this.#queue.onPendingZero(), graceMs).catch(() => {});
  }

  async #repeat(afterMs: number): Promise<void> {
    const { repeat } = this.#settings;
    const next = repeat && (await findNextRun(repeat, afterMs));
    if (next === undefined || this.#queue.isPaused) return;
    this.#later(next - Date.now(), () => {
      void this.add(toJob(this.#key, repeat?.input));
      void this.#repeat(Math.max(next, Date.now()));
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

  #wait(job: MemoryJob, delayMs: number): void {
    this.#ids.add(job.id);
    if (delayMs > 0) {
      this.#delayed++;
      return this.#later(delayMs, () => {
        this.#delayed--;
        this.#wait(job, 0);
      });
    }
    // Whoever adds it goes on first.
    queueMicrotask(() => void this.#queue.add(() => this.#tryOnce(job), { priority: -job.order }));
  }

  async #tryOnce(before: MemoryJob): Promise<void> {
    const job = { ...before, attempts: before.attempts + 1 };
    const { id, attempts, maxAttempts } = job;
    const fault = await this.#run(structuredClone(job));
    if (fault?.isFinal === false && attempts < maxAttempts) {
      // The wait doubles with each attempt, with jitter.
      const waitMs = this.#settings.backoffMs * 2 ** (attempts - 1) * (0.5 + Math.random() / 2);
      return this.#queue.isPaused ? undefined : this.#wait(job, waitMs);
    }
    this.#ids.delete(id);
    if (fault === undefined) this.#done.set(id, true);
    else this.#failed.set(id, { ...job, failedAtMs: Date.now(), error: fault.error });
  }
}
