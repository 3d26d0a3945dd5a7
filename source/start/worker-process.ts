import cluster from 'node:cluster';
import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import { compiledFile } from '../package-root.ts';
import { type ChildChannel, createChildChannel } from '../system/child-channel.ts';
import { waitWithin } from '../system/timing.ts';
import { endsWithProcess } from '../terminal/end-process.ts';
import { MAX_DRAIN_MS, type Worker, type WorkerEnd, type WorkerProtocol } from './worker-protocol.ts';

export interface WorkerOptions {
  /** The file that starts the server, absolute. */
  readonly entry: string;
  /** The environment of a worker, asked at each start. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** Whether stdout is for the documents of the command: what the server prints there goes to stderr. */
  readonly ownsStdout: boolean;
  /** The time that a worker has to serve, milliseconds; 0 for no limit. */
  readonly startMs: number;
  /** The time that its event loop has for a turn, milliseconds; 0 for no limit. */
  readonly hangMs: number;
  /** The time that it has to end, milliseconds. */
  readonly graceMs: number;
}

const STDOUT = 1;
const STDERR = 2;
/** The beats after which a worker counts as hung. Counted, since this process may have stood still, too. */
const BEATS = 10;

type Channel = ChildChannel<WorkerProtocol>;

/** Gives a function that starts a process of the server, which shares its ports with the others. */
export function createWorkerStarter({ entry, environment, ownsStdout, ...limits }: WorkerOptions): () => Worker {
  // Connections are accepted here and given out in turn. Where each process had a socket of its own (SO_REUSEPORT),
  // those that wait in the socket of one that is replaced would be reset.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({
    exec: compiledFile('start/serve-child.js'),
    args: [entry],
    execArgv: [],
    stdio: ['ignore', ownsStdout ? STDERR : STDOUT, STDERR, 'ipc'],
  });
  /** Those that listen to orders: in node:cluster, a message that comes before that is lost. */
  const connected = new Set<Channel>();
  return () => startWorker(environment(), limits, connected);
}

function startWorker(
  variables: ReturnType<WorkerOptions['environment']>,
  { startMs, hangMs, graceMs }: Pick<WorkerOptions, 'startMs' | 'hangMs' | 'graceMs'>,
  connected: Set<Channel>,
): Worker {
  const timers: NodeJS.Timeout[] = [];
  let state: 'starting' | 'ready' | 'ending' = 'starting';
  let isOwnServer = true;
  let isDebugged = /--inspect/.test(variables['NODE_OPTIONS'] ?? '');
  let missedBeats = 0;
  let reason: WorkerEnd['reason'];
  let tellReady: (running: readonly TransportStarted[]) => void = () => {};
  let tellClosed = (): void => {};

  const forked = cluster.fork(variables);
  endsWithProcess(forked.process);
  const channel: Channel = createChildChannel<WorkerProtocol>(forked.process, hear);
  // A message of node:cluster to a process that is just ending; its end is seen anyway.
  forked.on('error', () => {});
  // A server that capix did not make serves when it listens.
  forked.once('listening', ({ port, address }) => {
    if (isOwnServer) serve([{ url: `http://${address ?? 'localhost'}:${port}`, routes: [] }]);
  });
  const kill = (why: WorkerEnd['reason']): void => {
    reason ??= why;
    channel.kill();
  };
  const limitStart = (): void => {
    if (state === 'starting' && !isDebugged) kill('start-timeout');
  };
  if (startMs > 0) timers.push(setTimeout(limitStart, startMs));

  function hear(note: WorkerProtocol['note']): void {
    switch (note.kind) {
      case 'connected':
        connected.add(channel);
        if (hangMs > 0) timers.push(setInterval(beat, hangMs / BEATS));
        return;
      case 'created':
        isOwnServer = false;
        return;
      case 'started':
        return serve(note.running);
      case 'closed':
        // Messages arrive in order: node:cluster has heard of the closed ports by now.
        channel.send({ kind: 'released' });
        return tellClosed();
      case 'gather':
        void gatherMetrics(connected, note.name).then((metrics) =>
          channel.send({ kind: 'gathered', id: note.id, metrics }),
        );
    }
  }

  function serve(running: readonly TransportStarted[]): void {
    if (state !== 'starting') return;
    state = 'ready';
    missedBeats = 0;
    tellReady(running);
  }

  /** Asks the worker, which answers when its event loop turns; not again before that. */
  function beat(): void {
    missedBeats += 1;
    if (missedBeats > BEATS && state === 'ready' && !isDebugged) kill('hang-timeout');
    if (missedBeats !== 1) return;
    const answer = (isInspected: boolean): void => {
      isDebugged = isInspected;
      missedBeats = 0;
    };
    channel.ask('heartbeat', undefined).then(answer, () => {});
  }

  const end = (kind: 'drain' | 'stop', limitMs: number): void => {
    if (connected.has(channel)) channel.send({ kind });
    else forked.process.kill('SIGTERM');
    state = 'ending';
    timers.push(setTimeout(kill, limitMs, 'stop-grace'));
  };
  const ended = channel.exited.then((exit) => {
    connected.delete(channel);
    for (const timer of timers) clearTimeout(timer);
    return reason === undefined ? exit : { ...exit, reason };
  });
  const closed = new Promise<void>((resolve) => (tellClosed = resolve));
  return {
    pid: forked.process.pid ?? 0,
    ready: new Promise((resolve) => (tellReady = resolve)),
    ended,
    drain: () => {
      end('drain', MAX_DRAIN_MS + graceMs);
      return Promise.race([closed, ended]);
    },
    stop: () => end('stop', graceMs),
  };
}

/** The time that a process has to tell its metrics, milliseconds. One that is busy is left out. */
const METRICS_LIMIT_MS = 2000;

/** The metrics of every process that has some of that name. */
async function gatherMetrics(channels: Iterable<Channel>, name: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const asked = Array.from(channels, async (channel) => {
    const metrics = await channel.ask('metrics', name).catch(() => undefined);
    if (metrics !== undefined) found.push(metrics);
  });
  await waitWithin(METRICS_LIMIT_MS, Promise.all(asked));
  return found;
}
