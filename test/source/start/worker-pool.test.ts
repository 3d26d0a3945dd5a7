import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { WorkerEnd } from '../../../source/serve/worker.ts';
import type { StartEvent } from '../../../source/start/start-text.ts';
import { type PoolWorker, WorkerPool } from '../../../source/start/worker-pool.ts';

const crashed: WorkerEnd = { exitCode: 1, signalName: undefined };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
});

/** A pool of workers that the test moves by hand. */
function openPool(count: number) {
  const workers: (PoolWorker & {
    readonly serve: () => void;
    readonly end: () => void;
    readonly told: string[];
  })[] = [];
  const events: StartEvent[] = [];
  const pool = new WorkerPool({
    count,
    startWorker: () => {
      let serve = (): void => {};
      let end = (): void => {};
      const told: string[] = [];
      const worker = {
        pid: workers.length + 1,
        started: new Promise<readonly []>((resolve) => (serve = () => resolve([]))),
        ended: new Promise<WorkerEnd>((resolve) => (end = () => resolve(crashed))),
        drain: async () => void told.push('drain'),
        stop: async () => {
          told.push('stop');
          end();
          return crashed;
        },
        serve: () => serve(),
        end: () => end(),
        told,
      };
      workers.push(worker);
      return worker;
    },
    report: (event) => void events.push(event),
  });
  return { pool, workers, events };
}

const settle = () => new Promise(setImmediate);

async function openServing(count: number) {
  const opened = openPool(count);
  void opened.pool.start();
  for (const worker of opened.workers) worker.serve();
  await settle();
  return opened;
}

it('tells that it is ready once the first worker serves, and then of each other one', async () => {
  const { pool, workers, events } = openPool(2);
  void pool.start();
  workers[1]?.serve();
  await settle();
  workers[0]?.serve();
  await settle();
  const names = [
    { worker: 1, pid: 1 },
    { worker: 2, pid: 2 },
  ];
  expect(events).toEqual([
    { kind: 'ready', running: [], workers: names },
    { kind: 'worker-started', worker: 1, pid: 1 },
  ]);
});

it('gives the end of a worker where none came to serve', async () => {
  const { pool, workers, events } = openPool(2);
  const failed = pool.start();
  workers[0]?.end();
  await settle();
  workers[1]?.end();
  expect(await failed).toEqual(crashed);
  expect(events).toEqual([{ kind: 'worker-ended', worker: 1, pid: 1, ...crashed, restartMs: 100 }]);
});

it('replaces a worker that ends, after a wait that doubles until one has served for half a minute', async () => {
  const { workers, events } = await openServing(1);
  const waits: unknown[] = [];
  const endLast = async (): Promise<number> => {
    workers.at(-1)?.end();
    await settle();
    const told = events.at(-1);
    return told?.kind === 'worker-ended' ? told.restartMs : Number.NaN;
  };
  for (let end = 0; end < 10; end++) {
    const restartMs = await endLast();
    waits.push(restartMs);
    vi.advanceTimersByTime(restartMs - 1);
    expect(workers).toHaveLength(end + 1);
    vi.advanceTimersByTime(1);
    // Every other one ends before it serves.
    if (end % 2 === 0) workers.at(-1)?.serve();
    await settle();
  }
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000]);
  workers.at(-1)?.serve();
  await settle();
  vi.advanceTimersByTime(30_000);
  expect(await endLast()).toBe(100);
  expect(events.slice(1, 3)).toEqual([
    { kind: 'worker-ended', worker: 1, pid: 1, ...crashed, restartMs: 100 },
    { kind: 'worker-started', worker: 1, pid: 2 },
  ]);
});

it('drains a worker only once the one that takes over serves, one after the other', async () => {
  const { pool, workers, events } = await openServing(2);
  const restarted = pool.restart();
  await settle();
  expect(workers.map(({ told }) => told.join())).toEqual(['', '', '']);
  workers[2]?.serve();
  await settle();
  expect(workers.map(({ told }) => told.join())).toEqual(['drain', '', '', '']);
  // The end of a worker that was replaced is no reason to start another one.
  workers[0]?.end();
  workers[3]?.serve();
  await restarted;
  expect(workers.map(({ told }) => told.join())).toEqual(['drain', 'drain', '', '']);
  expect(events.slice(2)).toEqual([
    { kind: 'restarting' },
    {
      kind: 'restarted',
      workers: [
        { worker: 1, pid: 3 },
        { worker: 2, pid: 4 },
      ],
    },
  ]);
});

it('keeps the workers that serve where the new code does not start, and tries again when it is asked again', async () => {
  const { pool, workers, events } = await openServing(2);
  const failed = pool.restart();
  workers[2]?.end();
  await failed;
  expect(workers.map(({ told }) => told.join())).toEqual(['', '', '']);
  expect(events.at(-1)).toEqual({ kind: 'restart-failed', worker: 1, pid: 3, ...crashed });
  const mended = pool.restart();
  for (const next of [3, 4]) {
    await settle();
    workers[next]?.serve();
  }
  await mended;
  expect(events.slice(-2).map(({ kind }) => kind)).toEqual(['restarting', 'restarted']);
});

it('gives a replacement up for a later one', async () => {
  const { pool, workers, events } = await openServing(2);
  void pool.restart();
  await settle();
  workers[2]?.serve();
  await settle();
  const later = pool.restart();
  expect(workers.map(({ told }) => told.join())).toEqual(['drain', '', '', 'stop', '']);
  for (const next of [4, 5]) {
    workers[next]?.serve();
    await settle();
  }
  await later;
  expect(workers.map(({ told }) => told.join())).toEqual([
    'drain',
    'drain',
    'drain',
    'stop',
    '',
    '',
  ]);
  expect(events.slice(2).map(({ kind }) => kind)).toEqual([
    'restarting',
    'restarting',
    'restarted',
  ]);
});

it('starts no second process where one ends while the one that replaces it starts', async () => {
  const { pool, workers, events } = await openServing(1);
  const restarted = pool.restart();
  workers[0]?.end();
  await settle();
  expect(events.at(-1)).toEqual({
    kind: 'worker-ended',
    worker: 1,
    pid: 1,
    ...crashed,
    restartMs: 0,
  });
  workers[1]?.serve();
  await restarted;
  // No count of timers: others of this process, which test files share, count too.
  vi.advanceTimersByTime(60_000);
  expect(workers).toHaveLength(2);
  expect(events.slice(-2).map(({ kind }) => kind)).toEqual(['worker-started', 'restarted']);
});

it('stops every worker, also one that only starts, and starts no other', async () => {
  const { pool, workers } = await openServing(3);
  workers[0]?.end();
  await settle();
  void pool.restart();
  await settle();
  await pool.stop();
  await settle();
  vi.advanceTimersByTime(60_000);
  expect(workers.map(({ told }) => told.join())).toEqual(['', 'stop', 'stop', 'stop']);
});

it('starts no other where it is stopped in the turn in which a worker ends', async () => {
  for (let ticks = 0; ticks < 12; ticks++) {
    const { pool, workers } = openPool(2);
    void pool.start();
    workers[0]?.end();
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
    await pool.stop();
    await settle();
    vi.advanceTimersByTime(60_000);
    expect(workers, `stopped after ${ticks} ticks`).toHaveLength(2);
  }
});
