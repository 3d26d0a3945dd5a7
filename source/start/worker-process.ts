import cluster from 'node:cluster';
import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import { compiledFile } from '../package-root.ts';
import type { DrainQuestion, OpenPorts } from '../serve/server-message.ts';
import { Worker } from '../serve/worker.ts';
import { type ChildChannel, createChildChannel } from '../system/child-channel.ts';
import { waitWithin } from '../system/timing.ts';
import { endsWithProcess } from '../terminal/end-process.ts';
import type { Question } from '../values/protocol.ts';
import { MAX_DRAIN_MS } from './served-ports.ts';

export interface WorkerProtocol {
  readonly order:
    | { readonly kind: 'stop' }
    /** It has reported that its ports are closed, and has got its last connection. */
    | { readonly kind: 'released' }
    /** The answer to `gather`: the metrics of every process that answered. */
    | { readonly kind: 'gathered'; readonly id: number; readonly metrics: readonly unknown[] };
  readonly note:
    | { readonly kind: 'started'; readonly running: readonly TransportStarted[] }
    /** The code has made a server of capix, which will tell when it has started. */
    | { readonly kind: 'created' }
    /** Asks for the metrics of that name of every process. */
    | { readonly kind: 'gather'; readonly id: number; readonly name: string };
  readonly questions: {
    /** It is diverted when its ports are closed: it hands back a connection that was on its way, for another one. */
    readonly drain: DrainQuestion;
    /** The metrics of one process by their name; undefined where it has none. */
    readonly metrics: Question<string, unknown>;
    /** Whether its inspector is open. A process answers when its event loop turns. */
    readonly heartbeat: Question<undefined, boolean>;
  };
}

export interface WorkerOptions {
  readonly entry: string;
  /** The environment of a worker, read at each start. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** Whether stdout is for the documents of the command: what the server prints there goes to stderr. */
  readonly ownsStdout: boolean;
  /** Options of Node, such as `--import`. */
  readonly nodeOptions: readonly string[];
  /** The time that a worker has to serve, milliseconds; 0 for no limit. */
  readonly startMs: number;
  /** The time that its event loop has for a turn, milliseconds; 0 for no limit. */
  readonly hangMs: number;
  readonly graceMs: number;
}

const STDOUT = 1;
const STDERR = 2;
/** The beats after which a worker counts as hung. Counted, since this process may have stood still, too. */
const BEATS = 10;

type Channel = ChildChannel<WorkerProtocol>;

export function createWorkerStarter(options: WorkerOptions): () => WorkerProcess {
  // Connections are accepted here and handed out in turn. Where each process had a socket of its own (SO_REUSEPORT),
  // those that wait in the socket of one that is replaced would be reset.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({
    exec: compiledFile('start/serve-child.js'),
    args: [options.entry],
    execArgv: [...options.nodeOptions],
    stdio: ['ignore', options.ownsStdout ? STDERR : STDOUT, STDERR, 'ipc'],
  });
  const serving = new Set<Channel>();
  return () => new WorkerProcess(options, serving);
}

/** A process of the user's server under `capix start`. */
class WorkerProcess extends Worker<readonly TransportStarted[]> {
  /** The workers that have begun to serve. */
  readonly #serving: Set<Channel>;
  readonly #channel: Channel;
  #isOwnServer = true;
  #isDebugged: boolean;
  #missedBeats = 0;

  constructor(
    { environment, nodeOptions, graceMs, startMs, hangMs }: WorkerOptions,
    serving: Set<Channel>,
  ) {
    const variables = environment();
    const forked = cluster.fork(variables);
    endsWithProcess(forked.process);
    const channel = createChildChannel<WorkerProtocol>(forked.process, (note) => this.#hear(note));
    super(forked.process, channel.exited, { graceMs, drainMs: MAX_DRAIN_MS + graceMs });
    this.#serving = serving;
    this.#channel = channel;
    this.#isDebugged = /--inspect/.test([variables['NODE_OPTIONS'], ...nodeOptions].join(' '));
    this.enter('starting', this.#isDebugged || startMs === 0 ? undefined : startMs);
    const beat = hangMs > 0 ? setInterval(() => this.#beat(), hangMs / BEATS) : undefined;
    void this.ended.then(() => {
      clearInterval(beat);
      serving.delete(channel);
    });
    // A message of node:cluster to a process that is just ending; its end is seen anyway.
    forked.on('error', () => {});
    // A server that capix did not make serves when it listens.
    forked.once('listening', ({ port, address }) => {
      if (this.#isOwnServer)
        this.#serve([{ url: `http://${address ?? 'localhost'}:${port}`, routes: [] }]);
    });
  }

  protected askToDrain(ports: OpenPorts, onDiverted: () => void): Promise<unknown> {
    const onProgress = (): void => {
      // Messages arrive in order: node:cluster has heard of the closed ports by now.
      this.#channel.send({ kind: 'released' });
      onDiverted();
    };
    return this.#channel.ask('drain', ports, { onProgress });
  }

  /** In node:cluster, an order that comes before the code runs is lost. */
  protected override async askToEnd(): Promise<void> {
    if (!this.#serving.has(this.#channel)) await super.askToEnd();
    else this.#channel.send({ kind: 'stop' });
  }

  #hear(note: WorkerProtocol['note']): void {
    if (note.kind === 'created') this.#isOwnServer = false;
    else if (note.kind === 'started') this.#serve(note.running);
    else
      void gatherMetrics(this.#serving, note.name).then((metrics) =>
        this.#channel.send({ kind: 'gathered', id: note.id, metrics }),
      );
  }

  #serve(running: readonly TransportStarted[]): void {
    if (this.state !== 'starting') return;
    this.enter('serving');
    this.#serving.add(this.#channel);
    this.settle(running);
  }

  /** Asks the worker, which answers when its event loop turns; not again before that. Debugged, it may stand still. */
  #beat(): void {
    if (this.state !== 'serving') return;
    this.#missedBeats += 1;
    if (this.#missedBeats > BEATS && !this.#isDebugged) this.kill();
    if (this.#missedBeats !== 1) return;
    const hear = (isDebugged: boolean): void => {
      this.#isDebugged = isDebugged;
      this.#missedBeats = 0;
    };
    this.#channel.ask('heartbeat', undefined).then(hear, () => {});
  }
}

/** The time that a process has to tell its metrics, milliseconds. One that is busy is left out. */
const METRICS_LIMIT_MS = 2000;

async function gatherMetrics(
  channels: Iterable<Channel>,
  name: string,
): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const replies = Array.from(channels, async (channel) => {
    const metrics = await channel.ask('metrics', name).catch(() => undefined);
    if (metrics !== undefined) found.push(metrics);
  });
  await waitWithin(METRICS_LIMIT_MS, Promise.all(replies));
  return found;
}
