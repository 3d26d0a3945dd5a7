import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { MAX_TIMEOUT_MS } from '../errors/expect-options.ts';
import type { FailedJob, Job, JobSettings } from '../server/job.ts';
import { answerWithin } from '../stores/answer-within.ts';
import type { JobQueue, JobRunner } from './job-runner.ts';
import { findNextRun, toJob } from './to-job.ts';

interface MemoryJob extends FailedJob {
  readonly order: number;
  /** The characters of its input and headers as JSON, and some for the rest of it. */
  readonly size: number;
}

/** The most jobs of one queue, for callers that enqueue faster than the jobs run, and the most characters of them. */
const MAX_JOBS = 100_000;
const MAX_CHARACTERS = 67_108_864;
/** The size of a job besides its input. */
const SIZE_OF_JOB = 500;

/** Holds the jobs of one capability in the memory of this process: jobs that wait when it ends are lost. */
export function createMemoryQueue(key: string, settings: JobSettings, runner: JobRunner): JobQueue {
  const { attempts: maxAttempts, backoffMs, repeat } = settings;
  const queue = createQueue(settings);
  /** The ids of those that wait or run, of the last that have failed, and for a while of those that are done. */
  const ids = new Set<string>();
  const failed = new LRUCache<string, MemoryJob>({
    max: 1000,
    maxSize: MAX_CHARACTERS / 4,
    sizeCalculation: ({ size }) => size,
  });
  const done = new LRUCache<string, true>({ max: 1000, ttl: 3_600_000 });
  const [delays, schedule] = [createTimers(), createTimers()];
  /** The characters of the jobs that wait or run. */
  let characters = 0;

  async function add({ delayMs, ...job }: Job): Promise<void> {
    if (ids.has(job.id) || failed.has(job.id) || done.has(job.id)) return;
    const size = SIZE_OF_JOB + JSON.stringify([job.input, job.headers]).length;
    if (ids.size >= MAX_JOBS || characters + size > MAX_CHARACTERS)
      throw new Error(
        `The queue '${key}' is full: it holds ${ids.size} jobs in memory. With the option url it has a Redis.`,
      );
    const fresh = { addedAtMs: Date.now(), failedAtMs: 0, attempts: 0, maxAttempts, error: '' };
    wait({ ...job, ...fresh, size }, delayMs);
  }

  async function addRepeatedly(afterMs: number): Promise<void> {
    const next = repeat && (await findNextRun(repeat, afterMs));
    if (next === undefined || queue.isPaused) return;
    schedule.start(next - Date.now(), () => {
      // The queue may be full.
      add(toJob(key, repeat?.input)).catch(runner.away);
      void addRepeatedly(Math.max(next, Date.now()));
    });
  }

  function wait(job: MemoryJob, delayMs: number): void {
    if (!ids.has(job.id)) characters += job.size;
    ids.add(job.id);
    const begin = (): void => void queue.add(() => tryOnce(job), { priority: -job.order });
    // The code that adds the job continues first.
    if (delayMs === 0) queueMicrotask(begin);
    else delays.start(delayMs, begin);
  }

  async function tryOnce(before: MemoryJob): Promise<void> {
    const job = { ...before, attempts: before.attempts + 1 };
    const fault = await runner.run(structuredClone(job));
    if (fault?.isFinal === false && job.attempts < maxAttempts) {
      // The wait doubles with each attempt, with jitter.
      const waitMs = backoffMs * 2 ** before.attempts * (0.5 + Math.random() / 2);
      return queue.isPaused ? undefined : wait(job, waitMs);
    }
    ids.delete(job.id);
    characters -= job.size;
    if (fault === undefined) done.set(job.id, true);
    else failed.set(job.id, { ...job, failedAtMs: Date.now(), error: fault.error });
  }

  return {
    add,
    work: async () => {
      queue.start();
      await addRepeatedly(Date.now());
    },
    counts: async () => {
      const { size: waiting, pending: active } = queue;
      return { key, waiting, delayed: delays.size(), active, failed: failed.size };
    },
    failed: async (count) => [...failed.values()].slice(0, count).map(toFailedJob),
    retry: async (id) => {
      const job = failed.peek(id);
      if (job !== undefined) wait({ ...job, attempts: 0 }, 0);
      return failed.delete(id);
    },
    stop: async (graceMs) => {
      for (const timers of [delays, schedule]) timers.clear();
      queue.pause();
      // Stops its clock, too, which would keep the process from ending.
      queue.clear();
      await answerWithin(queue.onPendingZero(), graceMs).catch(() => {});
    },
  };
}

/** The queue itself chooses the next job. */
function toFailedJob({ order: _order, size: _size, ...job }: MemoryJob): FailedJob {
  return structuredClone(job);
}

function createQueue({ maxJobs: concurrency, rate }: JobSettings): PQueue {
  const limits = rate && {
    intervalCap: rate.limit,
    interval: Math.min(rate.windowMs, MAX_TIMEOUT_MS),
  };
  return new PQueue({ concurrency, autoStart: false, ...limits });
}

/** Timers that may be longer than one of the runtime can be. */
function createTimers() {
  const timers = new Set<NodeJS.Timeout>();
  const start = (ms: number, begin: () => void): void => {
    const end = (): void => {
      timers.delete(timer);
      if (ms > MAX_TIMEOUT_MS) start(ms - MAX_TIMEOUT_MS, begin);
      else begin();
    };
    const timer = setTimeout(end, Math.min(ms, MAX_TIMEOUT_MS));
    timers.add(timer);
  };
  return { start, size: () => timers.size, clear: () => timers.forEach(clearTimeout) };
}
