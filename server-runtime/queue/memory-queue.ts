import { LRUCache } from 'lru-cache';
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
  readonly #waiting: MemoryJob[] = [];
  /** The ids of those that wait or run, of the last that have failed, and for a while of those that are done. */
  readonly #ids = new Set<string>();
  readonly #failed = new LRUCache<string, MemoryJob>({ max: 1000 });
  readonly #done = new LRUCache<string, true>({ max: 1000, ttl: 3_600_000 });
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #underWay = new Set<Promise<void>>();
  #delayed = 0;
  /** Jobs that began in the time of the rate. */
  #began = 0;
  #isWorking = false;

  constructor(key: string, settings: JobSettings, run: RunJob) {
    this.#key = key;
    this.#settings = settings;
    this.#run = run;
  }

  async add({ delayMs, ...job }: Job): Promise<void> {
    if (this.#ids.has(job.id) || this.#failed.has(job.id) || this.#done.has(job.id)) return;
    const times = { addedAtMs: Date.now(), failedAtMs: 0 };
    this.#wait({ ...job, ...times, attempts: 0, maxAttempts: this.#settings.attempts, error: '' }, delayMs);
  }

  async work(): Promise<void> {
    this.#isWorking = true;
    await this.#repeat(Date.now());
    this.#begin();
  }

  async counts(): Promise<JobCounts> {
    const [waiting, active, failed] = [this.#waiting.length, this.#underWay.size, this.#failed.size];
    return { key: this.#key, waiting, delayed: this.#delayed, active, failed };
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
    this.#isWorking = false;
    for (const timer of this.#timers) clearTimeout(timer);
    await answerWithin(Promise.allSettled(this.#underWay), graceMs).catch(() => {});
  }

  async #repeat(afterMs: number): Promise<void> {
    const { repeat } = this.#settings;
    const next = repeat && (await findNextRun(repeat, afterMs));
    if (next === undefined || !this.#isWorking) return;
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
    this.#waiting.splice(this.#waiting.findLastIndex(({ order }) => order <= job.order) + 1, 0, job);
    // Whoever adds it goes on first.
    queueMicrotask(() => this.#begin());
  }

  #begin(): void {
    const { maxJobs, rate } = this.#settings;
    while (this.#isWorking && this.#underWay.size < maxJobs && (rate === undefined || this.#began < rate.limit)) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      if (rate !== undefined && this.#began++ === 0)
        this.#later(rate.windowMs, () => {
          this.#began = 0;
          this.#begin();
        });
      const attempt = this.#tryOnce({ ...job, attempts: job.attempts + 1 }).finally(() => {
        this.#underWay.delete(attempt);
        this.#begin();
      });
      this.#underWay.add(attempt);
    }
  }

  async #tryOnce(job: MemoryJob): Promise<void> {
    const { id, attempts, maxAttempts } = job;
    const fault = await this.#run(structuredClone(job));
    if (fault?.isFinal === false && attempts < maxAttempts) {
      // The wait doubles with each attempt, with jitter.
      const waitMs = this.#settings.backoffMs * 2 ** (attempts - 1) * (0.5 + Math.random() / 2);
      return this.#isWorking ? this.#wait(job, waitMs) : undefined;
    }
    this.#ids.delete(id);
    if (fault === undefined) this.#done.set(id, true);
    else this.#failed.set(id, { ...job, failedAtMs: Date.now(), error: fault.error });
  }
}
