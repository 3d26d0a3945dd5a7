import cluster from 'node:cluster';
import { compiledFile } from '../package-root.ts';
import type { ChildChannel } from '../system/child/child-channel.ts';
import { waitWithin } from '../system/wait-within.ts';
import type { Worker } from './worker.ts';
import { type WorkerLimits, WorkerProcess } from './worker-process.ts';
import type { WorkerProtocol } from './worker-protocol.ts';

export interface WorkerStarterOptions extends WorkerLimits {
  /** The file that starts the server, absolute. */
  readonly entry: string;
  /** The environment of a worker, asked at each start. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** Whether stdout is for the documents of the command: what the server prints there goes to stderr. */
  readonly ownsStdout: boolean;
}

/** The file descriptors. */
const STDOUT = 1;
const STDERR = 2;

/** Gives a function that starts a process of the server, which shares its ports with the others. */
export function createWorkerStarter({ entry, environment, ownsStdout, ...limits }: WorkerStarterOptions): () => Worker {
  // Connections are accepted here and given out in turn. Where each process had a socket of its own (SO_REUSEPORT),
  // those that wait in the socket of one that is replaced would be reset.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({
    exec: compiledFile('start/serve-child.js'),
    args: [entry],
    execArgv: [],
    stdio: ['ignore', ownsStdout ? STDERR : STDOUT, STDERR, 'ipc'],
  });
  /** The channels of all workers that listen. */
  const channels = new Set<ChildChannel<WorkerProtocol>>();
  return () => {
    const variables = environment();
    const worker = new WorkerProcess(cluster.fork(variables), {
      ...limits,
      isDebugged: /--inspect/.test(variables['NODE_OPTIONS'] ?? ''),
      onConnected: (channel) => channels.add(channel),
      gather: (name) => gatherMetrics(channels, name),
    });
    void worker.ended.then(() => channels.delete(worker.channel));
    return worker;
  };
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
