import { expect, it } from 'vitest';
import type { StartEvent } from '../../../source/start/start-event.ts';
import { type Worker, WorkerPool } from '../../../source/start/worker-pool.ts';
import type { ProcessExit } from '../../../source/system/child/child-channel.ts';

const crashed: ProcessExit = { exitCode: 1, signalName: undefined };

/** A pool of workers that the test moves by hand; its clock goes on with what is scheduled. */
function openPool(count: number) {
  const workers: (Worker & { readonly serve: () => void; readonly end: () => void; readonly told: string[] })[] = [];
  const events: StartEvent[] = [];
  const scheduled: { readonly task: () => void; readonly delayMs: number }[] = [];
  let nowMs = 0;
  const pool = new WorkerPool({
    count,
    startWorker: () => {
      let serve = (): void => {};
      let end = (): void => {};
      const told: string[] = [];
      const worker = {
        pid: workers.length + 1,
        ready: new Promise<readonly []>((resolve) => (serve = () => resolve([]))),
        exited: new Promise<ProcessExit>((resolve) => (end = () => resolve(crashed))),
        drain: () => void told.push('drain'),
        stop: () => {
          told.push('stop');
          end();
        },
        serve: () => serve(),
        end: () => end(),
        told,
      };
      workers.push(worker);
      return worker;
    },
    report: (event) => void events.push(event),
    schedule: (task, delayMs) => {
      const entry = { task, delayMs };
      scheduled.push(entry);
      return () => void scheduled.splice(scheduled.indexOf(entry), 1);
    },
    now: () => nowMs,
  });
  return {
    pool,
    workers,
    events,
    scheduled,
    pass: (ms: number) => (nowMs += ms),
    /** Runs what is scheduled, and gives the time that it waited for. */
    runNext: () => {
      const next = scheduled.shift();
      next?.task();
      return next?.delayMs;
    },
  };
}

const settle = () => new Promise(setImmediate);

async function openServing(count: number) {
  const opened = openPool(count);
  const started = opened.pool.start();
  for (const worker of opened.workers) worker.serve();
  expect(await started).toBeUndefined();
  return opened;
}

it('tells that it is ready once every worker serves', async () => {
  const { pool, workers, events } = openPool(2);
  const started = pool.start();
  workers[0]?.serve();
  await settle();
  expect(events).toEqual([]);
  workers[1]?.serve();
  await started;
  expect(events).toEqual([
    {
      kind: 'ready',
      running: [],
      workers: [
        { worker: 1, pid: 1 },
        { worker: 2, pid: 2 },
      ],
    },
  ]);
});

it('gives the end of the first worker where none came to serve', async () => {
  const { pool, workers, events } = openPool(2);
  const started = pool.start();
  for (const worker of workers) worker.end();
  expect(await started).toEqual(crashed);
  expect(events).toEqual([]);
});

it('replaces a worker that ends, after a wait that doubles until one has served for half a minute', async () => {
  const { workers, events, scheduled, runNext, pass } = await openServing(1);
  const waits: (number | undefined)[] = [];
  for (let end = 0; end < 10; end++) {
    workers.at(-1)?.end();
    await settle();
    waits.push(runNext());
    // Every other one ends before it serves.
    if (end % 2 === 0) workers.at(-1)?.serve();
    await settle();
  }
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000]);
  workers.at(-1)?.serve();
  await settle();
  pass(30_000);
  workers.at(-1)?.end();
  await settle();
  expect(scheduled.map(({ delayMs }) => delayMs)).toEqual([100]);
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
  expect(events.slice(1)).toEqual([
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
  void pool.restart();
  // Asked while it is under way: it follows.
  const both = pool.restart();
  for (let next = 3; next < 7; next++) {
    await settle();
    workers[next]?.serve();
  }
  await both;
  expect(events.slice(-4).map(({ kind }) => kind)).toEqual(['restarting', 'restarted', 'restarting', 'restarted']);
});

it('stops every worker, also one that only starts, and starts no other', async () => {
  const { pool, workers, scheduled } = await openServing(3);
  workers[0]?.end();
  await settle();
  void pool.restart();
  await settle();
  await pool.stop();
  await settle();
  expect(workers.map(({ told }) => told.join())).toEqual(['', 'stop', 'stop', 'stop']);
  expect(scheduled).toEqual([]);
});
