import { LRUCache } from 'lru-cache';
import { MAX_TIMEOUT_MS } from '../enhancers/with-timeout.ts';
import type { FailedJob, Job, JobSettings, RunJob } from '../server/job.ts';
import { answerWithin } from '../stores/answer-within.ts';
import type { JobQueue } from './job-runner.ts';
import { findNextRun, toJob } from './to-job.ts';

interface MemoryJob extends Pick<FailedJob, 'id' | 'addedAtMs' | 'maxAttempts'> {
  readonly order: number;
  /** The JSON of what a handler is given, so that each attempt has its own. */
  readonly data: string;
  attempts: number;
  failedAtMs: number;
  error: string;
}

/** Holds the jobs of one capability in the memory of this process: what waits when it ends is lost. */
export function createMemoryQueue(key: string, settings: JobSettings, run: RunJob): JobQueue {
  const { maxJobs, attempts: maxAttempts, backoffMs, rate, repeat } = settings;
  const waiting: MemoryJob[] = [];
  /** The ids of those that wait or run, of the last that have failed, and for a while of those that are done. */
  const ids = new Set<string>();
  const failed = new LRUCache<string, MemoryJob>({ max: 1000 });
  const done = new LRUCache<string, true>({ max: 1000, ttl: 3_600_000 });
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();
  let delayed = 0;
  /** Jobs that may begin until the time of the rate is over. */
  let places = rate?.limit ?? Number.POSITIVE_INFINITY;
  let isWorking = false;

  function later(ms: number, go: () => void): void {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        if (ms > MAX_TIMEOUT_MS) later(ms - MAX_TIMEOUT_MS, go);
        else go();
      },
      Math.min(ms, MAX_TIMEOUT_MS),
    );
    timers.add(timer);
  }

  function wait(job: MemoryJob, delayMs: number): void {
    ids.add(job.id);
    if (delayMs > 0) {
      delayed++;
      return later(delayMs, () => {
        delayed--;
        wait(job, 0);
      });
    }
    waiting.splice(waiting.findLastIndex(({ order }) => order <= job.order) + 1, 0, job);
    // Whoever adds it goes on first.
    queueMicrotask(begin);
  }

  function begin(): void {
    while (isWorking && places > 0 && underWay.size < maxJobs) {
      const job = waiting.shift();
      if (job === undefined) return;
      if (rate !== undefined && places-- === rate.limit)
        later(rate.windowMs, () => {
          places = rate.limit;
          begin();
        });
      const attempt = tryOnce(job).finally(() => {
        underWay.delete(attempt);
        begin();
      });
      underWay.add(attempt);
    }
  }

  async function tryOnce(job: MemoryJob): Promise<void> {
    const fault = await run({ ...(JSON.parse(job.data) as Job), attempts: ++job.attempts, maxAttempts });
    if (fault?.isFinal === false && job.attempts < maxAttempts) {
      // The wait doubles with each attempt, with jitter.
      if (isWorking) wait(job, backoffMs * 2 ** (job.attempts - 1) * (0.5 + Math.random() / 2));
      return;
    }
    ids.delete(job.id);
    if (fault === undefined) done.set(job.id, true);
    else failed.set(job.id, Object.assign(job, { failedAtMs: Date.now(), error: fault.error }));
  }

  async function repeatAfter(afterMs: number): Promise<void> {
    const next = repeat && (await findNextRun(repeat, afterMs));
    if (next === undefined || !isWorking) return;
    later(next - Date.now(), () => {
      void queue.add(toJob(key, repeat?.input));
      void repeatAfter(Math.max(next, Date.now()));
    });
  }

  const queue: JobQueue = {
    add: async ({ delayMs, order, ...job }) => {
      const { id } = job;
      if (ids.has(id) || failed.has(id) || done.has(id)) return;
      const data = JSON.stringify(job);
      wait({ id, data, order, addedAtMs: Date.now(), attempts: 0, maxAttempts, failedAtMs: 0, error: '' }, delayMs);
    },
    work: async () => {
      isWorking = true;
      await repeatAfter(Date.now());
      begin();
    },
    counts: async () => ({ key, waiting: waiting.length, delayed, active: underWay.size, failed: failed.size }),
    failed: async (count) => {
      const newest = [...failed.values()].slice(0, count);
      return newest.map(({ data, order: _, ...facts }) => ({ ...(JSON.parse(data) as Job), ...facts }));
    },
    retry: async (id) => {
      const job = failed.peek(id);
      if (job !== undefined) wait({ ...job, attempts: 0 }, 0);
      return failed.delete(id);
    },
    stop: async (graceMs) => {
      isWorking = false;
      for (const timer of timers) clearTimeout(timer);
      await answerWithin(Promise.allSettled(underWay), graceMs).catch(() => {});
    },
  };
  return queue;
}
