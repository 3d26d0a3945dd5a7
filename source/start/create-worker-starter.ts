import cluster, { type Worker as ClusterWorker } from 'node:cluster';
import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import { compiledFile } from '../package-root.ts';
import { createChildChannel } from '../system/child/child-channel.ts';
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
  return () => toWorker(cluster.fork(variables()), graceMs);
}

function toWorker(forked: ClusterWorker, graceMs: number): Worker {
  const { process: child } = forked;
  endsWithProcess(child);
  let isOwnServer = true;
  let tellReady: (running: readonly TransportStarted[]) => void;
  const ready = new Promise<readonly TransportStarted[]>((resolve) => (tellReady = resolve));
  const channel = createChildChannel<WorkerProtocol>(child, (note) => {
    if (note.kind === 'created') isOwnServer = false;
    else tellReady(note.running);
  });
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
