import type { ChildProcess } from 'node:child_process';
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
  /** The time that it has to end, milliseconds. */
  readonly graceMs: number;
}

const STDOUT = 1;
const STDERR = 2;

type Channel = ChildChannel<WorkerProtocol>;

/** Gives a function that starts a process of the server, which shares its ports with the others. */
export function createWorkerStarter(options: WorkerOptions): () => Worker {
  // Connections are accepted here and given out in turn. Where each process had a socket of its own (SO_REUSEPORT),
  // those that wait in the socket of one that is replaced would be reset.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({
    exec: compiledFile('start/serve-child.js'),
    args: [options.entry],
    execArgv: [],
    stdio: ['ignore', options.ownsStdout ? STDERR : STDOUT, STDERR, 'ipc'],
  });
  const connected = new Set<Channel>();
  return () => new WorkerProcess(options, connected);
}

class WorkerProcess implements Worker {
  readonly pid: number;
  readonly ready: Promise<readonly TransportStarted[]>;
  readonly ended: Promise<WorkerEnd>;
  readonly #options: WorkerOptions;
  /** The workers that listen to orders: in node:cluster, a message that comes before that is lost. */
  readonly #connected: Set<Channel>;
  readonly #process: ChildProcess;
  readonly #channel: Channel;
  readonly #closed: Promise<void>;
  readonly #timers: NodeJS.Timeout[] = [];
  #state: 'starting' | 'ready' | 'ending' = 'starting';
  #isOwnServer = true;
  #reason: WorkerEnd['reason'];
  #tellReady: (running: readonly TransportStarted[]) => void = () => {};
  #tellClosed: () => void = () => {};

  constructor(options: WorkerOptions, connected: Set<Channel>) {
    this.#options = options;
    this.#connected = connected;
    const variables = options.environment();
    const forked = cluster.fork(variables);
    this.#process = forked.process;
    endsWithProcess(forked.process);
    this.pid = forked.process.pid ?? 0;
    this.ready = new Promise((resolve) => (this.#tellReady = resolve));
    this.#closed = new Promise((resolve) => (this.#tellClosed = resolve));
    this.#channel = createChildChannel<WorkerProtocol>(forked.process, (note) => this.#hear(note));
    this.ended = this.#channel.exited.then((exit) => {
      connected.delete(this.#channel);
      for (const timer of this.#timers) clearTimeout(timer);
      return this.#reason === undefined ? exit : { ...exit, reason: this.#reason };
    });
    // A message of node:cluster to a process that is just ending; its end is seen anyway.
    forked.on('error', () => {});
    // A server that capix did not make serves when it listens.
    forked.once('listening', ({ port, address }) => {
      if (this.#isOwnServer) this.#serve([{ url: `http://${address ?? 'localhost'}:${port}`, routes: [] }]);
    });
    // A debugger may stand at a breakpoint.
    const isDebugged = /--inspect/.test(variables['NODE_OPTIONS'] ?? '');
    const limitStart = (): void => {
      if (this.#state === 'starting') this.#kill('start-timeout');
    };
    if (options.startMs > 0 && !isDebugged) this.#timers.push(setTimeout(limitStart, options.startMs));
  }

  drain(): Promise<unknown> {
    this.#end('drain', MAX_DRAIN_MS + this.#options.graceMs);
    return Promise.race([this.#closed, this.ended]);
  }

  stop(): void {
    this.#end('stop', this.#options.graceMs);
  }

  #hear(note: WorkerProtocol['note']): void {
    switch (note.kind) {
      case 'connected':
        this.#connected.add(this.#channel);
        return;
      case 'created':
        this.#isOwnServer = false;
        return;
      case 'started':
        return this.#serve(note.running);
      case 'closed':
        // Messages arrive in order: node:cluster has heard of the closed ports by now.
        this.#channel.send({ kind: 'released' });
        return this.#tellClosed();
      case 'gather':
        void gatherMetrics(this.#connected, note.name).then((metrics) =>
          this.#channel.send({ kind: 'gathered', id: note.id, metrics }),
        );
    }
  }

  #serve(running: readonly TransportStarted[]): void {
    if (this.#state !== 'starting') return;
    this.#state = 'ready';
    this.#tellReady(running);
  }

  #end(kind: 'drain' | 'stop', limitMs: number): void {
    if (this.#connected.has(this.#channel)) this.#channel.send({ kind });
    else this.#process.kill('SIGTERM');
    this.#state = 'ending';
    this.#timers.push(setTimeout(() => this.#kill('stop-grace'), limitMs));
  }

  #kill(reason: WorkerEnd['reason']): void {
    this.#reason ??= reason;
    this.#channel.kill();
  }
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
