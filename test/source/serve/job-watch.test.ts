import { describe, expect, it } from 'vitest';
import type { FailedJob, JobBoard, JobCounts } from '../../../server-runtime/server/job.ts';
import { createJobWatch, type JobReport } from '../../../source/serve/job-watch.ts';

const toJob = (id: string, more: Partial<FailedJob> = {}): FailedJob => ({
  id,
  key: 'mails.send',
  input: { to: 'ada', password: 'hunter2' },
  headers: { authorization: 'Bearer topsecret', 'x-user': 'ada' },
  attempts: 3,
  maxAttempts: 3,
  addedAtMs: 1,
  failedAtMs: 2,
  error: 'down',
  ...more,
});

/** A watch of one queue, whose jobs are what the test says. */
function open() {
  const told: JobReport[] = [];
  const state: {
    counts: readonly JobCounts[] | Error;
    failed: readonly FailedJob[];
    hasSettled: boolean;
  } = {
    counts: [{ key: 'mails.send', waiting: 1, delayed: 0, active: 0, failed: 0 }],
    failed: [],
    hasSettled: false,
  };
  const board: JobBoard = {
    counts: async () => {
      if (state.counts instanceof Error) throw state.counts;
      return state.counts;
    },
    failed: async (_key, count) => state.failed.slice(0, count),
    retry: async () => true,
    secretNames: () => [],
    settle: async () => void (state.hasSettled = true),
  };
  const watch = createJobWatch((news) => told.push(news));
  return { told, state, watch, unwatch: watch.watch(board) };
}

describe('the jobs that capix dev is told of', () => {
  it('are counted when they change, and keep their counts where the queue is away, with the reason', async () => {
    const { told, state, unwatch } = open();
    const { counts } = state;
    await expect
      .poll(() => told)
      .toEqual([{ kind: 'jobs', overview: { queues: counts, failed: [] } }]);
    state.counts = new Error('There is no connection to Redis.');
    await expect.poll(() => told.length).toBe(2);
    expect(told[1]).toEqual({
      kind: 'jobs',
      overview: { queues: counts, failed: [], trouble: 'There is no connection to Redis.' },
    });
    state.counts = [{ key: 'mails.send', waiting: 0, delayed: 0, active: 1, failed: 0 }];
    await expect
      .poll(() => told[2])
      .toEqual({ kind: 'jobs', overview: { queues: state.counts, failed: [] } });
    unwatch();
  });

  it('carry no secrets, and no more than can be read, the newest first', async () => {
    const { told, state, unwatch } = open();
    state.failed = Array.from({ length: 1_000 }, (_, each) =>
      toJob(`${each}`, { failedAtMs: each, error: 'x'.repeat(100_000) }),
    );
    state.counts = [{ key: 'mails.send', waiting: 0, delayed: 0, active: 0, failed: 1_000 }];
    await expect.poll(() => told.at(-1)?.overview.failed.length).toBe(100);
    const [newest] = told.at(-1)?.overview.failed ?? [];
    expect(newest).toMatchObject({
      id: '99',
      input: { to: 'ada', password: '•••' },
      headers: { authorization: '•••', 'x-user': 'ada' },
    });
    expect(JSON.stringify(told)).not.toMatch(/hunter2|topsecret/);
    expect(JSON.stringify(told.at(-1)).length).toBeLessThan(300_000);
    unwatch();
  });

  it('are those of the code that answers: what it asks of others is refused', async () => {
    const { told, watch, unwatch } = open();
    await expect.poll(() => told.length).toBe(1);
    expect(await watch.retry('mails.send', 'one')).toBe(true);
    await expect(watch.retry('a.b', 'one')).rejects.toThrow('There are no jobs of a.b any more.');
    unwatch();
  });

  it('are taken no more when newer code takes over', async () => {
    const { told, state, watch } = open();
    await expect.poll(() => told.length).toBe(1);
    await watch.settle(Promise.resolve());
    expect(state.hasSettled).toBe(true);
  });
});
