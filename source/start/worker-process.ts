import type { Worker as ClusterWorker } from 'node:cluster';
import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import { type ChildChannel, createChildChannel } from '../system/child/child-channel.ts';
import { endsWithProcess } from '../terminal/end-children.ts';
import type { Worker, WorkerEnd } from './worker.ts';
import { MAX_DRAIN_MS, type WorkerNote, type WorkerProtocol } from './worker-protocol.ts';

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
