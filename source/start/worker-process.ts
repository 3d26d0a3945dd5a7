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
  #isDebugged: boolean;
  #missedBeats = 0;
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
    this.#isDebugged = /--inspect/.test(variables['NODE_OPTIONS'] ?? '');
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
    if (options.startMs > 0)
      this.#timers.push(setTimeout(() => this.#kill('start-timeout', 'starting'), options.startMs));
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
        if (this.#options.hangMs > 0) this.#timers.push(setInterval(() => this.#beat(), this.#options.hangMs / BEATS));
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
    this.#missedBeats = 0;
    this.#tellReady(running);
  }

  /** Asks the worker, which answers when its event loop turns; not again before that. */
  #beat(): void {
    this.#missedBeats += 1;
    if (this.#missedBeats > BEATS) this.#kill('hang-timeout', 'ready');
    if (this.#missedBeats !== 1) return;
    const hear = (isDebugged: boolean): void => {
      this.#isDebugged = isDebugged;
      this.#missedBeats = 0;
    };
    this.#channel.ask('heartbeat', undefined).then(hear, () => {});
  }

  #end(kind: 'drain' | 'stop', limitMs: number): void {
    if (this.#connected.has(this.#channel)) this.#channel.send({ kind });
    else this.#process.kill('SIGTERM');
    this.#state = 'ending';
    this.#timers.push(setTimeout(() => this.#kill('stop-grace', 'ending'), limitMs));
  }

  /** Ends it where it still is in a state; at a breakpoint it may take the time that it likes, except to end. */
  #kill(reason: WorkerEnd['reason'], state: 'starting' | 'ready' | 'ending'): void {
    if (this.#state !== state || (this.#isDebugged && state !== 'ending')) return;
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
