import type { CodeNote } from '../load/hooks/code-note.ts';
import type { RequestRecord } from '../record/request-record.ts';
import type { ProcessExit } from '../system/child-channel.ts';
import { answerUnavailable } from './answer-unavailable.ts';
import { createDebuggerPort, type DebuggerPort, type DebuggerPortOptions } from './debugger-port.ts';
import type { JobNews } from './job-watch.ts';
import { openPublicPorts, type PublicPorts, type PublicPortsOptions } from './public-ports.ts';
import {
  type AddressName,
  type CodeAhead,
  type Connection,
  isOwnAddress,
  type ReadyOutcome,
  type ServerCode,
  type ThrownError,
} from './server-message.ts';
import { type RunnerOptions, type ServeOutcome, ServerRunner } from './server-runner.ts';
import { createStopFirst, type StopFirst } from './stop-first.ts';

export interface SupervisorOptions
  extends Omit<RunnerOptions, 'openPort' | 'onPortClosed' | 'onMessage'>,
    Omit<PublicPortsOptions, 'onConnection'>,
    DebuggerPortOptions {
  /** Whether what answers ends before its successor starts. @default where a start failed on what one can have */
  readonly stopsFirst?: boolean | undefined;
  readonly keepsSpare: boolean;
  readonly onCode: (notes: readonly CodeNote[]) => void;
  readonly onRequests: (requests: readonly RequestRecord[]) => void;
  readonly onJobNews: (news: JobNews) => void;
  /** The code that answers has started more servers, after it was found ready. */
  readonly onLateStart: (outcome: ReadyOutcome) => void;
  /** The server that answered has ended by itself; nobody answers now. */
  readonly onExit: (exit: ProcessExit, error: ThrownError | undefined) => void;
}

/** The time after a hand-over in which new code may open the ports of the version before again, milliseconds. */
const HAND_OVER_MS = 10_000;
/** A spare boots when the first answers are out. */
const SPARE_DELAY_MS = 30;

/**
 * Keeps a server answering while its code changes. The supervisor owns the ports and hands each connection to the
 * process that answers; another one waits, booted, for the next code. New code answers as soon as it has started, and
 * what ran before finishes what it has. Code that opens ports by itself is stopped before its successor starts.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #ports: PublicPorts;
  readonly #runners = new Set<ServerRunner>();
  readonly #stopFirst: StopFirst;
  readonly #debuggerPort: DebuggerPort;
  #live: ServerRunner | undefined;
  /** The one whose code is being started. */
  #starting: ServerRunner | undefined;
  /** The one that waits for code. */
  #spare: ServerRunner | undefined;
  /** Connections for a server that is to come. */
  #waiting: Connection[] = [];
  /** The code that the next code will probably resemble. */
  #ahead: CodeAhead = { modules: [], files: [] };
  #isStarting = false;
  /** The version before still answers, and nothing of it may follow an answer of its successor: connections wait. */
  #isDiverting = false;
  #isStopping = false;
  #handOverUntil = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#debuggerPort = createDebuggerPort(options);
    this.#stopFirst = createStopFirst(options.stopsFirst, options.onNotice);
    this.#ports = openPublicPorts({ ...options, onConnection: (connection) => this.#connect(connection) });
  }

  get isServing(): boolean {
    return this.#live !== undefined;
  }

  /** False where there is no failed job of this id. Rejects with what went wrong in its queue. */
  async retryJob(key: string, id: string): Promise<boolean> {
    if (this.#live === undefined) throw new Error('The server is not running.');
    return this.#live.retryJob(key, id);
  }

  /** Boots a process for the code that is to come. */
  prepare(): void {
    if (this.#isStopping) return;
    this.#spare ??= this.#startRunner();
    this.#spare.warm(this.#ahead);
  }

  /** Lets the process that waits for the next code, if there is one, and those after it, do what can be done ahead. */
  warm(ahead: CodeAhead): void {
    this.#ahead = ahead;
    this.#spare?.warm(ahead);
  }

  /**
   * Runs code, and lets it answer once it has started; `signal` gives the attempt up. One call at a time. `packages`:
   * URLs of those that it imports.
   */
  async serve(code: ServerCode, packages: readonly string[], signal: AbortSignal): Promise<ServeOutcome> {
    this.#isStarting = true;
    // Two versions at most: a third one cuts off the oldest.
    const cut = Promise.all(this.#replaced().map((runner) => runner.cut()));
    this.#stopFirst.takeImports(packages);
    if (this.#stopFirst.isOn() || this.#live?.ready?.listensItself) await this.#makeRoom(cut);
    let outcome = await this.#attempt(code, signal);
    const error = outcome.kind === 'failed' ? outcome.error : undefined;
    const isOwnPort = this.#isOwnPort(error);
    if (isOwnPort || (this.#live !== undefined && this.#stopFirst.mayHelp(error))) {
      await this.#makeRoom(cut);
      if (isOwnPort) this.#ports.retain(new Set());
      outcome = await this.#attempt(code, signal);
      if (outcome.kind === 'ready' && !isOwnPort && error !== undefined) this.#stopFirst.choose(error.message);
    }
    this.#isStarting = false;
    this.#starting = undefined;
    this.#flushWaiting();
    return outcome;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#ports.retain(new Set());
    this.#flushWaiting();
    await Promise.all([...this.#runners].map((runner) => runner.stop()));
  }

  async #attempt(code: ServerCode, signal: AbortSignal): Promise<ServeOutcome> {
    const runner = this.#spare ?? this.#startRunner();
    this.#spare = undefined;
    await this.#debuggerPort.pass(runner);
    this.#starting = runner;
    const outcome = await runner.run(code, this.#ports.ports(), signal);
    if (outcome.kind === 'ready') await this.#replaceLive(runner);
    else void runner.stop().then(() => this.#debuggerPort.giveBack(runner, this.#live));
    if (this.#options.keepsSpare) setTimeout(() => this.prepare(), SPARE_DELAY_MS);
    return outcome;
  }

  #startRunner(): ServerRunner {
    const { onCode, onRequests, onJobNews, onLateStart } = this.#options;
    const runner: ServerRunner = new ServerRunner({
      ...this.#options,
      openPort: (address) => this.#ports.open(address).finally(() => setImmediate(() => this.#flushWaiting())),
      onPortClosed: (address) => this.#closePort(runner, address),
      onMessage: (message) => {
        if (message.kind === 'requests') return onRequests(message.requests);
        if ((this.#starting ?? this.#live) !== runner) return;
        if (message.kind === 'jobs') return onJobNews(message);
        if (message.kind === 'code') {
          onCode(message.notes);
          this.#stopFirst.takeImports(message.notes.flatMap((note) => (note.kind === 'package' ? note.url : [])));
        } else {
          this.#flushWaiting();
          onLateStart(message);
        }
      },
    });
    this.#runners.add(runner);
    void runner.exited.then((exit) => this.#onExit(runner, exit));
    return runner;
  }

  /** A port that the code opened and closed is free for others, unless another version has or gets it. */
  #closePort(runner: ServerRunner, address: AddressName): void {
    const isHeld = [...this.#runners].some((other) => other !== runner && other.addresses.has(address));
    if (isOwnAddress(address) && !isHeld && !runner.isReplaced) this.#ports.close(address);
  }

  async #replaceLive(next: ServerRunner): Promise<void> {
    const before = this.#live;
    this.#live = next;
    this.#handOverUntil = performance.now() + HAND_OVER_MS;
    setTimeout(() => {
      if (this.#live === next) this.#ports.retain(next.addresses);
      this.#flushWaiting();
    }, HAND_OVER_MS).unref();
    if (before !== undefined) {
      this.#isDiverting = true;
      this.#connectUntaken(before, { isGone: false });
      await before.retire(this.#ports.ports());
      this.#isDiverting = false;
    }
    this.#flushWaiting();
  }

  /** Versions that have not ended yet. */
  #replaced(): readonly ServerRunner[] {
    return [...this.#runners].filter(({ isReplaced }) => isReplaced);
  }

  /** `cut`: those that were replaced before are. */
  async #makeRoom(cut: Promise<unknown>): Promise<void> {
    const before = this.#live;
    this.#live = undefined;
    if (before !== undefined) this.#connectUntaken(before, { isGone: false });
    await Promise.all([before?.makeRoom(), cut]);
    await Promise.all(this.#replaced().map((runner) => runner.stop()));
  }

  /** Whether an address is in use by what answers now, so that it is free once that has ended. */
  #isOwnPort(error: ThrownError | undefined): boolean {
    if (error?.code !== 'EADDRINUSE' || error.port === undefined) return false;
    const own = this.#live?.ready?.ports ?? [];
    return [...Object.values(this.#ports.ports()).map(({ port }) => port), ...own].includes(error.port);
  }

  #connect(connection: Connection): void {
    const { address } = connection;
    if (!this.#isDiverting && this.#live?.connect(connection)) return;
    // Code that starts may ask a server of its own, and wait for the answer.
    if (!this.isServing && isOwnAddress(address) && this.#starting?.connect(connection)) return;
    if (this.#isStarting || (this.isServing && performance.now() < this.#handOverUntil))
      return void this.#waiting.push(connection);
    const message = this.isServing
      ? 'The new code does not listen here.'
      : 'The server is not running; `capix dev` says why and starts it on the next change.';
    answerUnavailable(connection, message);
  }

  #connectUntaken(runner: ServerRunner, state: { readonly isGone: boolean }): void {
    for (const connection of runner.takeUntaken(state)) this.#connect(connection);
  }

  #flushWaiting(): void {
    for (const connection of this.#waiting.splice(0)) this.#connect(connection);
  }

  #onExit(runner: ServerRunner, exit: ProcessExit): void {
    this.#runners.delete(runner);
    if (this.#spare === runner) this.#spare = undefined;
    const wasLive = this.#live === runner;
    if (wasLive) this.#live = undefined;
    this.#connectUntaken(runner, { isGone: true });
    if (wasLive && !this.#isStopping) this.#options.onExit(exit, runner.failed?.error);
  }
}
