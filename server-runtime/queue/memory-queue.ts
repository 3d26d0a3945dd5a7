import { randomUUID } from 'node:crypto';
import { MAX_TIMEOUT_MS } from '../enhancers/with-timeout.ts';
import {
  changeablePhases,
  type JobChange,
  type JobChanged,
  type JobCounts,
  type JobPhase,
  type JobRange,
  type StoredJob,
} from '../server/jobs/job-board.ts';
import {
  type Job,
  type JobAttempt,
  type JobEnd,
  type JobOptions,
  type JobQueue,
  type JobSettings,
  toBackoffMs,
} from './job.ts';
import { type MemoryJob, MemoryLane } from './memory-lane.ts';

type Run = (job: JobAttempt) => Promise<JobEnd>;

/** Holds jobs in the memory of this process: what waits when it ends is lost. */
export class MemoryQueue implements JobQueue {
  readonly #settings: ReadonlyMap<string, JobSettings>;
  readonly #lanes: ReadonlyMap<string, MemoryLane>;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #underWay = new Set<Promise<void>>();
  #crons: readonly { readonly stop: () => void }[] = [];
  #run: Run | undefined;

  constructor(settings: ReadonlyMap<string, JobSettings>) {
    this.#settings = settings;
    this.#lanes = new Map([...settings].map(([key, each]) => [key, new MemoryLane(each)]));
  }

  async add(job: Omit<Job, 'id'>, { delayMs = 0, jobId = randomUUID(), order = 0 }: JobOptions): Promise<string> {
    const lane = this.#lanes.get(job.key);
    if (lane === undefined || lane.isKnown(jobId)) return jobId;
    // As in a real queue, a job is a copy of what was given.
    const added: MemoryJob = { ...structuredClone(job), id: jobId, order, attempts: 0, addedAt: Date.now() };
    if (delayMs > 0) this.#delay(lane, added, delayMs);
    else this.#wait(lane, added);
    return jobId;
  }

  async work(run: Run): Promise<void> {
    this.#run = run;
    this.#crons = await startCrons(this.#settings, (key, input) => void this.add({ key, input, headers: {} }, {}));
    for (const lane of this.#lanes.values()) this.#begin(lane);
  }

  async counts(): Promise<readonly JobCounts[]> {
    return [...this.#lanes].map(([key, lane]) => lane.counts(key));
  }

  async list({ key, phase, from, count }: JobRange): Promise<readonly StoredJob[]> {
    return this.#lanes.get(key)?.list(phase, from, count) ?? [];
  }

  async change(change: JobChange, key: string, id: string): Promise<JobChanged> {
    const lane = this.#lanes.get(key);
    const phase = lane?.findPhase(id);
    if (lane === undefined || phase === undefined) return { isChanged: false, state: 'gone' };
    if (!changeablePhases[change].includes(phase)) return { isChanged: false, state: phase };
    const job = takeFrom(lane, phase, id);
    if (job === undefined || change === 'remove') return { isChanged: true, state: 'gone' };
    if (change === 'retry') Object.assign(job, { attempts: 0, error: undefined, endedAt: undefined });
    this.#wait(lane, job);
    return { isChanged: true, state: 'waiting' };
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

  /** Calls back once, unless what it gives is called before. */
  #later(ms: number, begin: () => void): () => void {
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number): void => {
      timer = setTimeout(
        () => {
          this.#timers.delete(timer);
          if (leftMs > MAX_TIMEOUT_MS) wait(leftMs - MAX_TIMEOUT_MS);
          else begin();
        },
        Math.min(leftMs, MAX_TIMEOUT_MS),
      );
      this.#timers.add(timer);
    };
    wait(ms);
    return () => {
      clearTimeout(timer);
      this.#timers.delete(timer);
    };
  }

  #delay(lane: MemoryLane, job: MemoryJob, ms: number): void {
    job.dueAt = Date.now() + ms;
    const cancel = this.#later(ms, () => {
      lane.delayed.delete(job.id);
      this.#wait(lane, job);
    });
    lane.delayed.set(job.id, { job, cancel });
  }

  #wait(lane: MemoryLane, job: MemoryJob): void {
    job.dueAt = undefined;
    lane.waiting.add(job);
    // Whoever adds it goes on first.
    queueMicrotask(() => this.#begin(lane));
  }

  #begin(lane: MemoryLane): void {
    while (
      this.#run !== undefined &&
      !lane.isHeldBack &&
      lane.waiting.size > 0 &&
      lane.active.size < lane.settings.maxJobs
    ) {
      const waitMs = lane.takeTurn();
      if (waitMs > 0) return this.#holdBack(lane, waitMs);
      const job = lane.waiting.take();
      if (job === undefined) return;
      const attempt = this.#tryOnce(lane, job, this.#run);
      this.#underWay.add(attempt);
      void attempt.then(() => this.#underWay.delete(attempt));
    }
  }

  #holdBack(lane: MemoryLane, ms: number): void {
    lane.isHeldBack = true;
    this.#later(ms, () => {
      lane.isHeldBack = false;
      this.#begin(lane);
    });
  }

  async #tryOnce(lane: MemoryLane, job: MemoryJob, run: Run): Promise<void> {
    const { id, key, input, headers } = job;
    const { attempts, backoffMs } = lane.settings;
    job.attempts++;
    job.startedAt = Date.now();
    lane.active.set(id, job);
    const isLast = job.attempts >= attempts;
    const toFailed = (error: string): StoredJob => lane.toStoredJob({ ...job, error, endedAt: Date.now() }, 'failed');
    const end = await run({ id, key, input, headers, isLast, toFailed });
    lane.active.delete(id);
    if (end.ok) lane.keepDone(job);
    else if (end.isFinal || isLast || this.#run === undefined) lane.keepFailed(job, end.error);
    else {
      const failed = Object.assign(job, { error: end.error });
      this.#delay(lane, failed, toBackoffMs(backoffMs, job.attempts));
    }
    this.#begin(lane);
  }
}

/** Takes a job that does not run out of its place. */
function takeFrom(lane: MemoryLane, phase: JobPhase, id: string): MemoryJob | undefined {
  switch (phase) {
    case 'waiting':
      return lane.waiting.remove(id);
    case 'delayed': {
      const found = lane.delayed.get(id);
      found?.cancel();
      lane.delayed.delete(id);
      return found?.job;
    }
    case 'failed': {
      const job = lane.failed.get(id);
      lane.failed.delete(id);
      return job;
    }
    case 'active':
      return undefined;
  }
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
