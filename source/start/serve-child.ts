import cluster from 'node:cluster';
import { url as inspectorUrl } from 'node:inspector';
import { pathToFileURL } from 'node:url';
import { setGlobal } from '../../server-runtime/patches/set-global.ts';
import type { DevLink, MetricsReader } from '../../server-runtime/server/dev-link.ts';
import type { JobBoard } from '../../server-runtime/server/job.ts';
import { hideOwnFile } from '../patches/hide-own-file.ts';
import { connectToParent } from '../system/parent-channel.ts';
import { createServedPorts } from './served-ports.ts';
import type { WorkerProtocol } from './worker-process.ts';

// One of the processes of `capix start`. Its argument is the file that starts the server, which sees itself started as
// that.

process.setSourceMapsEnabled(true);
hideOwnFile();

/** The time that the server may take to end after the command was killed, milliseconds. */
const ORPHAN_GRACE_MS = 10_000;

// Without this, Node ends a worker at once when the process that started it has ended, with requests under way.
if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;

/** The metrics of this process by their name. */
const readers = new Map<string, MetricsReader>();
/** The readers of the metrics of all processes, by the number of their question. */
const waiting = new Map<number, (metrics: readonly unknown[]) => void>();
let lastId = 0;
const replaced = new AbortController();
const ports = createServedPorts();
const boards = new Set<JobBoard>();
let isEnding = false;
let letGo = (): void => {};
let tellReleased = (): void => {};
const released = new Promise<void>((resolve) => {
  tellReleased = resolve;
});

const channel = connectToParent<WorkerProtocol>({
  answers: {
    drain: async (_, tell) => {
      // A connection may be on its way to this process, which has to live until it has handed it back, and until the
      // code has heard the signal by which it closes what its plugins have open.
      letGo = channel.hold();
      replaced.abort();
      const drained = ports.drain();
      void tell('diverted');
      await endAll(Promise.all([drained, released]));
    },
    metrics: async (name) => readers.get(name)?.(),
    heartbeat: async () => inspectorUrl() !== undefined,
  },
  onOrder: (order) => {
    if (order.kind === 'released') return tellReleased();
    if (order.kind === 'gathered') {
      waiting.get(order.id)?.(order.metrics);
      waiting.delete(order.id);
    } else if (!isEnding) process.emit('SIGTERM', 'SIGTERM');
  },
  orphanGraceMs: ORPHAN_GRACE_MS,
});

// Ctrl-C in a terminal sends a signal to every process, beside the order to end.
for (const signalName of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signalName, () => {
    if (isEnding) return;
    isEnding = true;
    letGo();
    // Code that listens for the signal ends by itself.
    if (process.listenerCount(signalName) === 1)
      void endAll(ports.close()).then(() => process.exit());
  });
}

const link: DevLink = {
  observe: (app) => {
    void channel.send({ kind: 'created' });
    return app;
  },
  follow: ports.follow,
  shareMetrics: (name, read) => {
    readers.set(name, read);
    return () =>
      new Promise((resolve) => {
        const id = ++lastId;
        waiting.set(id, resolve);
        void channel.send({ kind: 'gather', id, name });
      });
  },
  started: (running) => void ports.opened().then(() => channel.send({ kind: 'started', running })),
  replaced: replaced.signal,
  watchJobs: (board) => {
    boards.add(board);
    return () => void boards.delete(board);
  },
};
setGlobal('capix.devLink', link);

/** Runs jobs that the last requests enqueue, too. Resolves when none is under way. */
async function endAll(drained: Promise<unknown>): Promise<void> {
  await Promise.all([drained, ...[...boards].map((board) => board.settle(drained))]);
}

await import(pathToFileURL(process.argv[1] ?? '').href);
// The process lives as long as the user's code has something open, as it would by itself.
process.channel?.unref();
