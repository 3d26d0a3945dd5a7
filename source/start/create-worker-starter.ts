import cluster, { type Worker as ClusterWorker } from 'node:cluster';
import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import { compiledFile } from '../package-root.ts';
import { type ChildChannel, createChildChannel } from '../system/child/child-channel.ts';
import { waitWithin } from '../system/wait-within.ts';
import { endsWithProcess } from '../terminal/end-children.ts';
import type { Worker } from './worker-pool.ts';
import { MAX_DRAIN_MS, type WorkerProtocol } from './worker-protocol.ts';

export interface WorkerStarterOptions {
  /** The file that starts the server, absolute. */
  readonly entry: string;
  /** The variables that a worker gets beside those of this process, asked at each start. */
  readonly variables: () => Readonly<Record<string, string>>;
  /** The time that a worker has to end, milliseconds. */
  readonly graceMs: number;
  /** Whether stdout is for the documents of the command: what the server prints there goes to stderr. */
  readonly ownsStdout: boolean;
}

/** The file descriptors. */
const STDOUT = 1;
const STDERR = 2;

/** Gives a function that starts a process of the server, which shares its ports with the others. */
export function createWorkerStarter({ entry, variables, graceMs, ownsStdout }: WorkerStarterOptions): () => Worker {
  // Connections are accepted here and given out in turn. Where each process had a socket of its own (SO_REUSEPORT), those that wait in the
  // socket of one that is replaced would be reset.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({
    exec: compiledFile('start/serve-child.js'),
    args: [entry],
    execArgv: [],
    stdio: ['ignore', ownsStdout ? STDERR : STDOUT, STDERR, 'ipc'],
  });
  const channels = new Set<ChildChannel<WorkerProtocol>>();
  return () => toWorker(cluster.fork(variables()), { graceMs, channels });
}

/** The time that a process has to tell its metrics, milliseconds. One that is busy is left out. */
const METRICS_LIMIT_MS = 2000;

/** The metrics of every process that has some of that name. */
async function gatherMetrics(channels: Iterable<ChildChannel<WorkerProtocol>>, name: string): Promise<unknown[]> {
  const found: unknown[] = [];
  const asked = Array.from(channels, async (channel) => {
    const metrics = await channel.ask('metrics', name).catch(() => undefined);
    if (metrics !== undefined) found.push(metrics);
  });
  await waitWithin(METRICS_LIMIT_MS, Promise.all(asked));
  return found;
}

interface Siblings {
  readonly graceMs: number;
  /** The channels of all workers that run. */
  readonly channels: Set<ChildChannel<WorkerProtocol>>;
}

function toWorker(forked: ClusterWorker, { graceMs, channels }: Siblings): Worker {
  const { process: child } = forked;
  endsWithProcess(child);
  let isOwnServer = true;
  let tellReady: (running: readonly TransportStarted[]) => void;
  const ready = new Promise<readonly TransportStarted[]>((resolve) => (tellReady = resolve));
  const channel = createChildChannel<WorkerProtocol>(child, (note) => {
    switch (note.kind) {
      case 'created':
        isOwnServer = false;
        return;
      case 'started':
        return tellReady(note.running);
      case 'gather':
        void gatherMetrics(channels, note.name).then((metrics) =>
          channel.send({ kind: 'gathered', id: note.id, metrics }),
        );
    }
  });
  channels.add(channel);
  void channel.exited.then(() => channels.delete(channel));
  // A server that capix did not make serves when it listens.
  forked.once('listening', ({ port, address }) => {
    if (isOwnServer) tellReady([{ url: `http://${address ?? 'localhost'}:${port}`, routes: [] }]);
  });
  const killAfter = (delayMs: number): void => {
    const timer = setTimeout(channel.kill, delayMs);
    void channel.exited.then(() => clearTimeout(timer));
  };
  return {
    pid: child.pid ?? 0,
    ready,
    exited: channel.exited,
    drain: () => {
      channel.send({ kind: 'drain' });
      killAfter(MAX_DRAIN_MS + graceMs);
    },
    stop: () => {
      channel.send({ kind: 'stop' });
      killAfter(graceMs);
    },
  };
}
