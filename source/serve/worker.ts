import type { ChildProcess } from 'node:child_process';
import type { ProcessExit } from '../system/child-channel.ts';
import type { OpenPorts } from './server-message.ts';

/** The states of a process of the user's server, in their order. */
export type WorkerState = 'waiting' | 'starting' | 'serving' | 'draining' | 'ending';

/** The option whose time is over where a process is killed in a state. */
const killReasons = {
  waiting: undefined,
  starting: 'start-timeout',
  serving: 'hang-timeout',
  draining: 'stop-grace',
  ending: 'stop-grace',
} as const satisfies Record<WorkerState, string | undefined>;

/** The end of a process; `reason`: where the command killed it. */
export interface WorkerEnd extends ProcessExit {
  readonly reason?: (typeof killReasons)[WorkerState];
}

interface WorkerTimes {
  /** The time that it may take to end, milliseconds, and to make way before that. @default no limit */
  readonly graceMs: number;
  readonly drainMs?: number;
}

/** A process of the user's server, under `capix dev` or `capix start`. `Start` is what becomes of its start. */
export abstract class Worker<Start> {
  readonly pid: number;
  readonly started: Promise<Start>;
  readonly ended: Promise<WorkerEnd>;
  state: WorkerState = 'waiting';
  protected settle: (start: Start) => void = () => {};
  /** Resolves when it has made way, and has nothing under way. */
  protected drained: Promise<unknown> = Promise.resolve();
  readonly #process: ChildProcess;
  readonly #times: WorkerTimes;
  #timer: NodeJS.Timeout | undefined;
  #reason: WorkerEnd['reason'];

  constructor(process: ChildProcess, exited: Promise<ProcessExit>, times: WorkerTimes) {
    this.#process = process;
    this.#times = times;
    this.pid = process.pid ?? 0;
    this.started = new Promise((resolve) => {
      this.settle = resolve;
    });
    this.ended = exited.then((exit) => {
      clearTimeout(this.#timer);
      return { ...exit, ...(this.#reason && { reason: this.#reason }) };
    });
  }

  /** Asks it to answer nothing new. Resolves, or rejects, when it has nothing left. */
  protected abstract askToDrain(ports: OpenPorts, onDiverted: () => void): Promise<unknown>;

  protected async askToEnd(): Promise<void> {
    this.#process.kill('SIGTERM');
  }

  /** Has it finish what it has, and ends it then. Resolves when another process answers in its place, at `ports`. */
  drain(ports: OpenPorts = {}): Promise<void> {
    if (this.state !== 'ending') this.enter('draining', this.#times.drainMs);
    return new Promise((resolve) => {
      this.drained = this.askToDrain(ports, resolve)
        .catch(() => {})
        .finally(resolve);
      void this.drained.then(() => this.stop());
    });
  }

  /** Has it end, and kills it where it takes longer than it may. */
  async stop(): Promise<WorkerEnd> {
    if (this.state !== 'ending') {
      this.enter('ending');
      await this.askToEnd();
      this.enter('ending', this.#times.graceMs);
    }
    return this.ended;
  }

  /** It is killed where it is still in that state after `limitMs` milliseconds. */
  protected enter(state: WorkerState, limitMs?: number): void {
    clearTimeout(this.#timer);
    this.state = state;
    if (limitMs !== undefined) this.#timer = setTimeout(() => this.kill(), limitMs).unref();
  }

  protected kill(): void {
    this.#reason ??= killReasons[this.state];
    this.#process.kill('SIGKILL');
  }
}
