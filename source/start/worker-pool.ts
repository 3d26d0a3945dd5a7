import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import type { Worker, WorkerEnd } from '../serve/worker.ts';
import type { StartEvent, WorkerName } from './start-text.ts';

export type PoolWorker = Pick<
  Worker<readonly TransportStarted[]>,
  'pid' | 'started' | 'ended' | 'drain' | 'stop'
>;

export interface WorkerPoolOptions {
  readonly count: number;
  readonly startWorker: () => PoolWorker;
  readonly report: (event: StartEvent) => void;
}

/** The wait before an ended worker is replaced, milliseconds. It doubles with each early end. */
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 30_000;
/** A worker that has served for so long, milliseconds, did not end by its start. */
const STEADY_MS = 30_000;

/** A place for one process that serves, and for one that starts to serve after it. */
class Slot {
  serving: PoolWorker | undefined;
  next: PoolWorker | undefined;
  timer: NodeJS.Timeout | undefined;
  waitMs = FIRST_WAIT_MS;
  /** Whether a process of this code has ended here. */
  hasFailed = false;
  readonly #worker: number;

  constructor(worker: number) {
    this.#worker = worker;
  }

  giveUpNext(): void {
    void this.next?.stop();
    this.next = undefined;
  }

  toName({ pid }: PoolWorker): WorkerName {
    return { worker: this.#worker, pid };
  }
}

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #slots: readonly Slot[];
  readonly #alive = new Set<PoolWorker>();
  #hasServed = false;
  #isStopping = false;
  #restarts = 0;
  /** Resolves when no replaced process gets connections any more. */
  #drained: Promise<unknown> = Promise.resolve();
  #giveUp: (end: WorkerEnd) => void = () => {};

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.count }, (_, index) => new Slot(index + 1));
  }

  /** Starts every worker. Resolves, with the end of one, when each has ended and none came to serve. */
  start(): Promise<WorkerEnd> {
    for (const slot of this.#slots) void this.#fill(slot);
    return new Promise((resolve) => {
      this.#giveUp = resolve;
    });
  }

  /** Replaces every worker, one by one. A replacement that is under way is abandoned for this one. */
  async restart(): Promise<void> {
    if (this.#isStopping) return;
    const restart = ++this.#restarts;
    const isOver = (): boolean => restart !== this.#restarts || this.#isStopping;
    this.#options.report({ kind: 'restarting' });
    for (const slot of this.#slots) {
      slot.waitMs = FIRST_WAIT_MS;
      slot.hasFailed = false;
      if (slot.serving !== undefined) slot.giveUpNext();
    }
    for (const slot of this.#slots) {
      const failed = await this.#fill(slot);
      if (isOver()) return;
      if (failed !== undefined) return this.#options.report({ kind: 'restart-failed', ...failed });
    }
    await this.#drained;
    if (!isOver()) this.#options.report({ kind: 'restarted', workers: this.#names() });
  }

  /** Resolves when all workers have ended, with whether each ended in its time. */
  async stop(): Promise<boolean> {
    this.#isStopping = true;
    for (const { timer } of this.#slots) clearTimeout(timer);
    const ends = await Promise.all([...this.#alive].map((worker) => worker.stop()));
    return ends.every(({ reason }) => reason !== 'stop-grace');
  }

  /** Starts a process, which takes over when it serves. Gives its end where it ended before that. */
  async #fill(slot: Slot): Promise<(WorkerName & WorkerEnd) | undefined> {
    clearTimeout(slot.timer);
    slot.giveUpNext();
    const worker = this.#options.startWorker();
    slot.next = worker;
    this.#alive.add(worker);
    void worker.ended.then(() => this.#alive.delete(worker));
    const running = await Promise.race([worker.started, worker.ended.then(() => undefined)]);
    if (slot.next !== worker || this.#isStopping) return undefined;
    slot.next = undefined;
    if (running !== undefined) {
      this.#serve(slot, worker, running);
      return undefined;
    }
    const end = await worker.ended;
    if (slot.serving === undefined) this.#fillLater(slot, worker, end);
    return { ...slot.toName(worker), ...end };
  }

  #serve(slot: Slot, worker: PoolWorker, running: readonly TransportStarted[]): void {
    const { report } = this.#options;
    const before = slot.serving;
    slot.serving = worker;
    if (!this.#hasServed) report({ kind: 'ready', running, workers: this.#names() });
    else if (before === undefined) report({ kind: 'worker-started', ...slot.toName(worker) });
    this.#hasServed = true;
    if (before !== undefined) this.#drained = Promise.all([this.#drained, before.drain()]);
    const sinceMs = performance.now();
    void worker.ended.then((end) => {
      if (slot.serving !== worker || this.#isStopping) return;
      slot.serving = undefined;
      if (performance.now() - sinceMs >= STEADY_MS) slot.waitMs = FIRST_WAIT_MS;
      this.#fillLater(slot, worker, end);
    });
  }

  /** Starts another process after one that has ended, unless one starts already. */
  #fillLater(slot: Slot, worker: PoolWorker, end: WorkerEnd): void {
    // `stop` may be called in the turn in which a worker ends, after whoever calls this has looked.
    if (this.#isStopping) return;
    slot.hasFailed = true;
    if (!this.#hasServed && this.#slots.every(({ hasFailed }) => hasFailed))
      return this.#giveUp(end);
    const restartMs = slot.next === undefined ? slot.waitMs : 0;
    if (slot.next === undefined) {
      slot.waitMs = Math.min(restartMs * 2, MAX_WAIT_MS);
      slot.timer = setTimeout(() => void this.#fill(slot), restartMs);
    }
    this.#options.report({ kind: 'worker-ended', ...slot.toName(worker), ...end, restartMs });
  }

  #names(): readonly WorkerName[] {
    return this.#slots.flatMap((slot) => {
      const worker = slot.serving ?? slot.next;
      return worker === undefined ? [] : slot.toName(worker);
    });
  }
}
