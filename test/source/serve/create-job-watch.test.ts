import { describe, expect, it } from 'vitest';
import type { JobBoard, JobCounts, StoredJob } from '../../../server-runtime/server/jobs/job-board.ts';
import { createJobWatch } from '../../../source/serve/jobs/create-job-watch.ts';
import type { JobNews } from '../../../source/serve/jobs/job-news.ts';

const toJob = (id: string, more: Partial<StoredJob> = {}): StoredJob => ({
  id,
  key: 'mails.send',
  input: { to: 'ada', password: 'hunter2' },
  headers: { authorization: 'Bearer topsecret', 'x-user': 'ada' },
  phase: 'failed',
  attempts: 3,
  maxAttempts: 3,
  addedAt: 1,
  ...more,
});

/** A watch of one queue, whose counts are what the test says. */
function open() {
  const told: JobNews[] = [];
  const state: { counts: readonly JobCounts[] | Error; hasSettled: boolean } = {
    counts: [{ key: 'mails.send', waiting: 1, delayed: 0, active: 0, failed: 0 }],
    hasSettled: false,
  };
  const board: JobBoard = {
    counts: async () => {
      if (state.counts instanceof Error) throw state.counts;
      return state.counts;
    },
    list: async () => [toJob('one')],
    change: async () => ({ isChanged: true, state: 'waiting' }),
    settle: async () => void (state.hasSettled = true),
  };
  const watch = createJobWatch((news) => told.push(news));
  return { told, state, watch, watcher: watch.watch(board) };
}

describe('the jobs that capix dev is told of', () => {
  it('are counted when they change, and keep their counts where the queue is away, with the reason', async () => {
    const { told, state, watcher } = open();
    const { counts } = state;
    await expect.poll(() => told).toEqual([{ kind: 'jobs', overview: { queues: counts } }]);
    state.counts = new Error('There is no connection to Redis.');
    await expect.poll(() => told.length).toBe(2);
    expect(told[1]).toEqual({
      kind: 'jobs',
      overview: { queues: counts, trouble: 'There is no connection to Redis.' },
    });
    state.counts = [{ key: 'mails.send', waiting: 0, delayed: 0, active: 1, failed: 0 }];
    await expect.poll(() => told[2]).toEqual({ kind: 'jobs', overview: { queues: state.counts } });
    watcher.close();
  });

  it('carry no secrets, and no more than can be read', async () => {
    const { told, watch, watcher } = open();
    await expect.poll(() => told.length).toBe(1);
    const range = { key: 'mails.send', phase: 'failed', from: 0, count: 1 } as const;
    const [listed] = await watch.answers['list-jobs']([range]);
    expect(listed).toMatchObject([
      { id: 'one', input: { to: 'ada', password: '•••' }, headers: { authorization: '•••', 'x-user': 'ada' } },
    ]);
    for (let each = 0; each < 1_000; each++) watcher.failed(toJob(`${each}`, { error: 'x'.repeat(100_000) }));
    await expect.poll(() => told.length).toBe(2);
    expect(told[1]).toMatchObject({ kind: 'jobs-failed', omitted: 980 });
    expect(JSON.stringify(told[1])).not.toMatch(/hunter2|topsecret/);
    expect(JSON.stringify(told[1]).length).toBeLessThan(60_000);
    watcher.close();
  });

  it('are those of the code that answers: what it asks of others is refused', async () => {
    const { told, watch, watcher } = open();
    await expect.poll(() => told.length).toBe(1);
    expect(await watch.answers['change-job']({ change: 'retry', key: 'mails.send', id: 'one' })).toEqual({
      isChanged: true,
      state: 'waiting',
    });
    await expect(watch.answers['change-job']({ change: 'retry', key: 'a.b', id: 'one' })).rejects.toThrow(
      'There are no jobs of a.b any more.',
    );
    watcher.close();
  });

  it('are taken no more when newer code takes over, and failed ones are told before', async () => {
    const { told, state, watch, watcher } = open();
    await expect.poll(() => told.length).toBe(1);
    watcher.failed(toJob('last'));
    await watch.settle();
    expect(state.hasSettled).toBe(true);
    expect(told[1]).toMatchObject({ kind: 'jobs-failed', jobs: [{ id: 'last' }], omitted: 0 });
  });
});
