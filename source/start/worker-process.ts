import type { Worker as ClusterWorker } from 'node:cluster';
import cluster from 'node:cluster';
import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import { compiledFile } from '../package-root.ts';
import { type ChildChannel, createChildChannel } from '../system/child-channel.ts';
import { waitWithin } from '../system/timing.ts';
import { endsWithProcess } from '../terminal/end-process.ts';
import { MAX_DRAIN_MS, type Worker, type WorkerEnd, type WorkerNote, type WorkerProtocol } from './worker-protocol.ts';

export interface WorkerLimits {
  /** The time that a worker has to serve, milliseconds; 0 for no limit. */
  readonly startMs: number;
  /** The time that its event loop has for a turn, milliseconds; 0 for no limit. */
  readonly hangMs: number;
  /** The time that it has to end, milliseconds. */
  readonly graceMs: number;
}

interface WorkerProcessOptions extends WorkerLimits {
  /** Whether it starts with its inspector open. */
  readonly isDebugged: boolean;
  readonly onConnected: (channel: ChildChannel<WorkerProtocol>) => void;
  /** Gives the metrics of that name of all workers. */
  readonly gather: (name: string) => Promise<readonly unknown[]>;
}

/** The beats after which a worker counts as hung. Counted, since this process may have stood still, too. */
const BEATS = 10;

/** A worker of node:cluster. */
export class WorkerProcess implements Worker {
  readonly pid: number;
  readonly ready: Promise<readonly TransportStarted[]>;
  readonly ended: Promise<WorkerEnd>;
  readonly channel: ChildChannel<WorkerProtocol>;
  readonly #forked: ClusterWorker;
  readonly #options: WorkerProcessOptions;
  readonly #timers: NodeJS.Timeout[] = [];
  #state: 'loading' | 'starting' | 'ready' | 'ending' = 'loading';
  #tellReady: (running: readonly TransportStarted[]) => void = () => {};
  readonly #closed: Promise<void>;
  #tellClosed: () => void = () => {};
  #isOwnServer = true;
  #isDebugged: boolean;
  /** Whether it still has to answer, and the beats since it was asked. */
  #isAsked = false;
  #missed = 0;
  #reason: WorkerEnd['reason'];

  constructor(forked: ClusterWorker, options: WorkerProcessOptions) {
    this.#forked = forked;
    this.#options = options;
    this.#isDebugged = options.isDebugged;
    this.pid = forked.process.pid ?? 0;
    endsWithProcess(forked.process);
    this.ready = new Promise((resolve) => (this.#tellReady = resolve));
    this.#closed = new Promise((resolve) => (this.#tellClosed = resolve));
    this.channel = createChildChannel<WorkerProtocol>(forked.process, (note) => this.#hear(note));
    this.ended = this.channel.exited.then((exit) => {
      for (const timer of this.#timers) clearTimeout(timer);
      return this.#reason === undefined ? exit : { ...exit, reason: this.#reason };
    });
    // A message of node:cluster to a process that is just ending; its end is seen anyway.
    forked.on('error', () => {});
    // A server that capix did not make serves when it listens.
    forked.once('listening', ({ port, address }) => {
      if (this.#isOwnServer) this.#serve([{ url: `http://${address ?? 'localhost'}:${port}`, routes: [] }]);
    });
    if (options.startMs > 0) this.#timers.push(setTimeout(() => this.#limitStart(), options.startMs));
  }

  drain(): Promise<unknown> {
    this.#end('drain', MAX_DRAIN_MS + this.#options.graceMs);
    return Promise.race([this.#closed, this.ended]);
  }

  stop(): void {
    this.#end('stop', this.#options.graceMs);
  }

  #hear(note: WorkerNote): void {
    const { hangMs, gather, onConnected } = this.#options;
    switch (note.kind) {
      case 'connected':
        if (this.#state === 'loading') this.#state = 'starting';
        if (hangMs > 0) this.#timers.push(setInterval(() => this.#beat(), hangMs / BEATS));
        return onConnected(this.channel);
      case 'created':
        this.#isOwnServer = false;
        return;
      case 'started':
        return this.#serve(note.running);
      case 'closed':
        // Messages arrive in order: node:cluster has heard of the closed ports by now.
        this.channel.send({ kind: 'released' });
        return this.#tellClosed();
      case 'gather':
        void gather(note.name).then((metrics) => this.channel.send({ kind: 'gathered', id: note.id, metrics }));
    }
  }

  #serve(running: readonly TransportStarted[]): void {
    if (this.#state !== 'starting') return;
    this.#state = 'ready';
    this.#missed = 0;
    this.#tellReady(running);
  }

  #limitStart(): void {
    const isStarting = this.#state === 'loading' || this.#state === 'starting';
    if (isStarting && !this.#isDebugged) this.#kill('start-timeout');
  }

  /** Asks the worker, which answers when its event loop turns. */
  #beat(): void {
    if (this.#isAsked) {
      this.#missed++;
      if (this.#missed >= BEATS && this.#state === 'ready' && !this.#isDebugged) this.#kill('hang-timeout');
      return;
    }
    this.#isAsked = true;
    this.#missed = 0;
    const hear = (isDebugged: boolean): void => {
      this.#isDebugged = isDebugged;
      this.#isAsked = false;
    };
    this.channel.ask('heartbeat', undefined).then(hear, () => {});
  }

  #end(kind: 'drain' | 'stop', limitMs: number): void {
    // In a worker of node:cluster, a message that comes before somebody listens is lost.
    if (this.#state === 'loading') this.#forked.process.kill('SIGTERM');
    else this.channel.send({ kind });
    this.#state = 'ending';
    this.#timers.push(setTimeout(() => this.#kill('stop-grace'), limitMs));
  }

  #kill(reason: WorkerEnd['reason']): void {
    this.#reason ??= reason;
    this.channel.kill();
  }
}

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
