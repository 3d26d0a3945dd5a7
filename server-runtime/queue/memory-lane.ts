import type { JobCounts, JobPhase, StoredJob } from '../server/jobs/job-board.ts';
import type { Job, JobSettings } from './job.ts';
import { WaitingJobs } from './waiting-jobs.ts';

/** A job in memory. Times are milliseconds since 1970. */
export interface MemoryJob extends Job {
  readonly order: number;
  readonly addedAt: number;
  /** Attempts that were made. */
  attempts: number;
  dueAt?: number | undefined;
  startedAt?: number | undefined;
  endedAt?: number | undefined;
  error?: string | undefined;
}

/** Failed jobs that are known. */
const MAX_FAILED = 1000;
/** Jobs that are done, and known for a while, so that their ids are not used again: as in Redis. */
const MAX_DONE = 1000;
const DONE_MS = 3_600_000;

/** The jobs of one capability in memory. */
export class MemoryLane {
  readonly settings: JobSettings;
  readonly waiting = new WaitingJobs<MemoryJob>();
  /** Each with what ends its wait. */
  readonly delayed = new Map<string, { readonly job: MemoryJob; readonly cancel: () => void }>();
  readonly active = new Map<string, MemoryJob>();
  readonly failed = new Map<string, MemoryJob>();
  /** The times of their ends, milliseconds of `performance.now()`. */
  readonly #done = new Map<string, number>();
  /** When jobs began within the time of the rate, milliseconds of `performance.now()`. */
  readonly #began: number[] = [];
  /** Whether it waits for the next time that its rate lets a job begin. */
  isHeldBack = false;

  constructor(settings: JobSettings) {
    this.settings = settings;
  }

  /** Undefined where no such job is known, or it is done. */
  findPhase(id: string): JobPhase | undefined {
    if (this.waiting.has(id)) return 'waiting';
    if (this.delayed.has(id)) return 'delayed';
    if (this.active.has(id)) return 'active';
    return this.failed.has(id) ? 'failed' : undefined;
  }

  /** Whether the id is taken. */
  isKnown(id: string): boolean {
    if (this.findPhase(id) !== undefined) return true;
    const endedAt = this.#done.get(id);
    return endedAt !== undefined && performance.now() - endedAt < DONE_MS;
  }

  counts(key: string): JobCounts {
    const { waiting, delayed, active, failed } = this;
    return { key, waiting: waiting.size, delayed: delayed.size, active: active.size, failed: failed.size };
  }

  list(phase: JobPhase, from: number, count: number): readonly StoredJob[] {
    return this.#listJobs(phase, from, count).map((job) => this.toStoredJob(job, phase));
  }

  toStoredJob(job: MemoryJob, phase: JobPhase): StoredJob {
    const { id, key, input, headers, attempts, addedAt, dueAt, startedAt, endedAt, error } = job;
    const { attempts: maxAttempts } = this.settings;
    return { id, key, input, headers, phase, attempts, maxAttempts, addedAt, dueAt, startedAt, endedAt, error };
  }

  keepFailed(job: MemoryJob, error: string): void {
    this.failed.set(job.id, Object.assign(job, { error, endedAt: Date.now() }));
    const [oldest] = this.failed.keys();
    if (this.failed.size > MAX_FAILED && oldest !== undefined) this.failed.delete(oldest);
  }

  keepDone({ id }: MemoryJob): void {
    this.#done.delete(id);
    this.#done.set(id, performance.now());
    const [oldest] = this.#done.keys();
    if (this.#done.size > MAX_DONE && oldest !== undefined) this.#done.delete(oldest);
  }

  /** The time until another job may begin, milliseconds; 0 where one may now, and has. */
  takeTurn(): number {
    const { rate } = this.settings;
    if (rate === undefined) return 0;
    const now = performance.now();
    const began = this.#began;
    while (began.length > 0 && now - (began[0] ?? now) >= rate.windowMs) began.shift();
    if (began.length >= rate.limit) return Math.max(1, rate.windowMs - (now - (began[0] ?? now)));
    began.push(now);
    return 0;
  }

  #listJobs(phase: JobPhase, from: number, count: number): readonly MemoryJob[] {
    switch (phase) {
      case 'waiting':
        return this.waiting.list(from, count);
      case 'delayed':
        return [...this.delayed.values()]
          .map(({ job }) => job)
          .sort((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0))
          .slice(from, from + count);
      case 'active':
        return [...this.active.values()].slice(from, from + count);
      case 'failed':
        return [...this.failed.values()].toReversed().slice(from, from + count);
    }
  }
}
