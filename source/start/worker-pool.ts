import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import type { ProcessExit } from '../system/child/child-channel.ts';
import type { StartEvent, WorkerName } from './start-event.ts';

/** A process that was started to serve. */
export interface Worker {
  readonly pid: number;
  /** Resolves when it serves. */
  readonly ready: Promise<readonly TransportStarted[]>;
  /** Resolves when it is gone. */
  readonly exited: Promise<ProcessExit>;
  /** Another one has taken over. */
  readonly drain: () => void;
  readonly stop: () => void;
}

export interface WorkerPoolOptions {
  readonly count: number;
  readonly startWorker: () => Worker;
  readonly report: (event: StartEvent) => void;
  /** Runs the task after so many milliseconds; gives what cancels it. */
  readonly schedule: (task: () => void, delayMs: number) => () => void;
  /** The time in milliseconds, of a clock that only goes forward. */
  readonly now: () => number;
}

/** The wait before a worker that has ended is replaced, milliseconds. It doubles with each that ends soon after its start. */
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 30_000;
/** A worker that has served for so long, milliseconds, did not end by its start. */
const STEADY_MS = 30_000;

interface Slot {
  readonly worker: number;
  current: Worker | undefined;
  waitMs: number;
  cancelStart: () => void;
}

/** A worker, and how it ended where it did so before it served. */
interface Attempt {
  readonly worker: Worker;
  readonly failed: ProcessExit | undefined;
}

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #slots: readonly Slot[];
  readonly #alive = new Set<Worker>();
  #isStopping = false;
  #restarting: Promise<void> | undefined;
  #isAskedAgain = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.count }, (_, index) => toSlot(index + 1));
  }

  /** Starts every worker. Gives the end of the first one where none of them came to serve. */
  async start(): Promise<ProcessExit | undefined> {
    const started = await Promise.all(this.#slots.map(async (slot) => ({ slot, ...(await this.#startOne()) })));
    const served = started.filter(({ failed }) => failed === undefined);
    if (this.#isStopping) return undefined;
    if (served[0] === undefined) return started[0]?.failed;
    for (const { slot, worker } of served) this.#serve(slot, worker);
    this.#options.report({ kind: 'ready', running: await served[0].worker.ready, workers: this.#names() });
    for (const { slot, worker, failed } of started) {
      if (failed !== undefined) this.#replaceLater(slot, worker, failed);
    }
    return undefined;
  }

  /** Replaces every worker, one by one. Where one is asked for while another is under way, it follows that. */
  restart(): Promise<void> {
    if (this.#restarting === undefined)
      this.#restarting = this.#restartAll().finally(() => (this.#restarting = undefined));
    else this.#isAskedAgain = true;
    return this.#restarting;
  }

  /** Resolves when all workers are gone. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const { cancelStart } of this.#slots) cancelStart();
    const ending = [...this.#alive];
    for (const worker of ending) worker.stop();
    await Promise.all(ending.map(({ exited }) => exited));
  }

  async #startOne(): Promise<Attempt> {
    const worker = this.#options.startWorker();
    this.#alive.add(worker);
    void worker.exited.then(() => this.#alive.delete(worker));
    return { worker, failed: await Promise.race([worker.ready.then(() => undefined), worker.exited]) };
  }

  #serve(slot: Slot, worker: Worker): void {
    slot.current = worker;
    const since = this.#options.now();
    void worker.exited.then((exit) => {
      if (slot.current !== worker || this.#isStopping) return;
      if (this.#options.now() - since >= STEADY_MS) slot.waitMs = FIRST_WAIT_MS;
      this.#replaceLater(slot, worker, exit);
    });
  }

  #replaceLater(slot: Slot, { pid }: Worker, exit: ProcessExit): void {
    const restartMs = slot.waitMs;
    slot.current = undefined;
    slot.waitMs = Math.min(restartMs * 2, MAX_WAIT_MS);
    slot.cancelStart = this.#options.schedule(() => void this.#replace(slot), restartMs);
    this.#options.report({ kind: 'worker-ended', worker: slot.worker, pid, ...exit, restartMs });
  }

  async #replace(slot: Slot): Promise<void> {
    const { worker, failed } = await this.#startOne();
    // A restart may have filled the place.
    if (this.#isStopping || slot.current !== undefined) return worker.stop();
    if (failed !== undefined) return this.#replaceLater(slot, worker, failed);
    this.#serve(slot, worker);
    this.#options.report({ kind: 'worker-started', worker: slot.worker, pid: worker.pid });
  }

  async #restartAll(): Promise<void> {
    do {
      this.#isAskedAgain = false;
      this.#options.report({ kind: 'restarting' });
      if (await this.#restartSlots()) this.#options.report({ kind: 'restarted', workers: this.#names() });
    } while (this.#isAskedAgain && !this.#isStopping);
  }

  async #restartSlots(): Promise<boolean> {
    for (const slot of this.#slots) {
      const { worker, failed } = await this.#startOne();
      if (this.#isStopping) return false;
      if (failed !== undefined) {
        this.#options.report({ kind: 'restart-failed', worker: slot.worker, pid: worker.pid, ...failed });
        return false;
      }
      const before = slot.current;
      slot.cancelStart();
      slot.waitMs = FIRST_WAIT_MS;
      this.#serve(slot, worker);
      before?.drain();
    }
    return true;
  }

  #names(): readonly WorkerName[] {
    return this.#slots.flatMap(({ worker, current }) => (current === undefined ? [] : [{ worker, pid: current.pid }]));
  }
}

function toSlot(worker: number): Slot {
  return { worker, current: undefined, waitMs: FIRST_WAIT_MS, cancelStart: () => {} };
}
