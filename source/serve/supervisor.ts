import type { Socket } from 'node:net';
import type { ProcessExit } from '../system/child-channel.ts';
import { waitWithin } from '../system/timing.ts';
import { answerUnavailable, type Certificate } from './answer-unavailable.ts';
import { createDebuggerPort, type DebuggerPort } from './debugger-port.ts';
import type { AskJobs } from './job-watch.ts';
import { openPublicPorts, type PublicPorts } from './public-ports.ts';
import { type AddressName, type Connection, isOwnAddress, type ThrownError, toAddressName } from './server-message.ts';
import { ServerRunner } from './server-runner.ts';
import { createStopFirst, type StopFirst } from './stop-first.ts';
import type { CodeAhead, ReadyOutcome, ServeOutcome, ServerCode, SupervisorOptions } from './supervisor-options.ts';

/**
 * The time after a hand-over, from when the new code is loaded, in which it may open ports of its own again, or notice
 * that the version before it still holds something; milliseconds.
 */
const HAND_OVER_MS = 5_000;
/** The time that code which has started may go on loading before that time begins, milliseconds. */
const LOADING_LIMIT_MS = 30_000;
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
  readonly #certificates = new Map<AddressName, Certificate | undefined>();
  readonly #stopFirst: StopFirst;
  readonly #debuggerPort: DebuggerPort;
  #live: ServerRunner | undefined;
  /** The one whose code is being started. */
  #starting: ServerRunner | undefined;
  /** The one that waits for code. */
  #spare: ServerRunner | undefined;
  /** All that were replaced and have not ended yet. */
  readonly #retiring = new Set<ServerRunner>();
  /** Connections for a server that is to come. */
  #waiting: readonly Connection[] = [];
  /** The code that the next code will probably resemble. */
  #ahead: CodeAhead = { modules: [], files: [] };
  #isStarting = false;
  /** The version before still answers, and nothing of it may follow an answer of its successor: connections wait. */
  #isDiverting = false;
  #isStopping = false;
  /** Until then, the ports of the version before are kept: servers of the new code may follow one by one. */
  #handOverUntil = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#debuggerPort = createDebuggerPort(options);
    this.#stopFirst = createStopFirst(options.stopsFirst, options.onNotice);
    this.#ports = openPublicPorts({
      port: options.port,
      host: options.host,
      onConnection: (address, socket) => void this.#connect(address, socket),
    });
  }

  get isServing(): boolean {
    return this.#live !== undefined;
  }

  readonly askJobs: AskJobs = (name, question) =>
    this.#live?.ask(name, question) ?? Promise.reject(new Error('The server is not running.'));

  /** Boots a process for the code that is to come. */
  prepare(): void {
    if (this.#isStopping) return;
    this.#spare ??= this.#startRunner();
    void this.#spare.warm(this.#ahead);
  }

  /** Lets the process that waits for the next code, if there is one, and those after it, do what can be done ahead. */
  warm(ahead: CodeAhead): void {
    this.#ahead = ahead;
    void this.#spare?.warm(ahead);
  }

  /** Runs code, and lets it answer once it has started; `signal` gives the attempt up. One call at a time. */
  async serve(code: ServerCode, signal: AbortSignal): Promise<ServeOutcome> {
    this.#isStarting = true;
    // Two versions at most: a third one cuts off the oldest.
    const cut = Promise.all([...this.#retiring].map((runner) => runner.cut()));
    this.#stopFirst.takeImports(code.imports);
    if (this.#stopFirst.isOn() || this.#live?.listensItself) await this.#makeRoom(cut);
    let outcome = await this.#attempt(code, signal);
    const error = outcome.kind === 'failed' ? outcome.error : undefined;
    const isOwnPort = this.#isOwnPort(error);
    if (isOwnPort || (this.#live !== undefined && this.#stopFirst.mayHelp(error))) {
      await this.#makeRoom(cut);
      if (isOwnPort) await this.#ports.retain(new Set());
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
    await this.#ports.retain(new Set());
    this.#flushWaiting();
    await Promise.all([...this.#runners].map((runner) => runner.stop()));
  }

  async #attempt(code: ServerCode, signal: AbortSignal): Promise<ServeOutcome> {
    const runner = this.#spare ?? this.#startRunner();
    this.#spare = undefined;
    const inspector = await this.#debuggerPort.pass(runner);
    this.#starting = runner;
    const outcome = await runner.run(code, { signal, ports: this.#ports.ports(), inspector });
    if (outcome.kind === 'ready') await this.#replaceLive(runner);
    else void runner.stop().then(() => this.#debuggerPort.giveBack(runner, this.#live));
    if (this.#options.keepsSpare) setTimeout(() => this.prepare(), SPARE_DELAY_MS);
    return outcome.kind === 'ready' ? this.#toReady(runner) : outcome;
  }

  #toReady({ addresses, running, ownPorts }: ServerRunner): ReadyOutcome {
    // A server of capix tells its own address, once it has started.
    const shared = Object.entries(this.#ports.ports()).flatMap(([address, { port }]) =>
      isOwnAddress(address) && addresses.has(address) ? [port] : [],
    );
    return { kind: 'ready', running, ports: [...shared, ...ownPorts] };
  }

  #startRunner(): ServerRunner {
    const runner: ServerRunner = new ServerRunner({
      ...this.#options,
      openPort: (address) => {
        this.#certificates.set(toAddressName(address), address.certificate);
        return this.#ports.open(address).finally(() => setImmediate(() => this.#flushWaiting()));
      },
      onPortClosed: (address) => this.#closePort(runner, address),
      onCode: (notes) => {
        if ((this.#starting ?? this.#live) !== runner) return;
        this.#options.onCode(notes);
        this.#stopFirst.takeImports(notes.flatMap((note) => (note.kind === 'package' ? note.url : [])));
      },
      onJobNews: (news) => {
        if (this.#live === runner) this.#options.onJobNews(news);
      },
      onLateStart: () => {
        if (this.#live !== runner) return;
        this.#flushWaiting();
        if (!this.#isStarting) this.#options.onLateStart(this.#toReady(runner));
      },
    });
    this.#runners.add(runner);
    void runner.exited().then((exit) => this.#onExit(runner, exit));
    return runner;
  }

  /** A port that the code opened and closed is free for others, unless another version has or gets it. */
  #closePort(runner: ServerRunner, address: AddressName): void {
    const isHeld = [...this.#runners].some((other) => other !== runner && other.addresses.has(address));
    if (isOwnAddress(address) && !isHeld && !runner.makesWay) void this.#ports.close(address);
  }

  async #replaceLive(next: ServerRunner): Promise<void> {
    const before = this.#live;
    this.#live = next;
    if (next.jobs !== undefined) this.#options.onJobNews(next.jobs);
    void this.#endHandOver(next);
    if (before !== undefined) {
      this.#isDiverting = true;
      this.#connectUntaken(before, { isGone: false });
      this.#retiring.add(before);
      await before.retire(this.#ports.ports());
      this.#isDiverting = false;
    }
    this.#flushWaiting();
  }

  /** Closes the ports that the new code has not opened again in its time: nobody waits for a server there any more. */
  async #endHandOver(next: ServerRunner): Promise<void> {
    this.#handOverUntil = performance.now() + LOADING_LIMIT_MS;
    await waitWithin(LOADING_LIMIT_MS, next.loaded());
    if (this.#live !== next) return;
    this.#handOverUntil = performance.now() + HAND_OVER_MS;
    setTimeout(() => {
      if (this.#live === next) void this.#ports.retain(next.addresses);
      this.#flushWaiting();
    }, HAND_OVER_MS).unref();
  }

  get #isHandingOver(): boolean {
    return performance.now() < this.#handOverUntil;
  }

  /** `cut`: those that were replaced before are. */
  async #makeRoom(cut: Promise<unknown>): Promise<void> {
    const before = this.#live;
    this.#live = undefined;
    if (before !== undefined) this.#connectUntaken(before, { isGone: false });
    await Promise.all([before?.makeRoom(), cut]);
    await Promise.all([...this.#retiring].map((runner) => runner.stop()));
  }

  /** Whether an address is in use by what answers now, so that it is free once that has ended. */
  #isOwnPort(error: ThrownError | undefined): boolean {
    if (error?.code !== 'EADDRINUSE' || error.port === undefined) return false;
    return (
      Object.values(this.#ports.ports()).some(({ port }) => port === error.port) ||
      (this.#live?.ownPorts.includes(error.port) ?? false)
    );
  }

  async #connect(address: AddressName, socket: Socket): Promise<void> {
    // A client that gives up while its connection waits.
    socket.on('error', () => socket.destroy());
    if (!this.#isDiverting && (await this.#live?.connect(address, socket))) return;
    // Code that starts may ask a server of its own, and wait for the answer.
    if (!this.isServing && isOwnAddress(address) && (await this.#starting?.connect(address, socket))) return;
    const isToCome = this.isServing && this.#isHandingOver;
    if (this.#isStarting || isToCome) this.#waiting = [...this.#waiting, { address, socket }];
    else
      answerUnavailable(
        socket,
        this.isServing
          ? 'The new code does not listen here.'
          : 'The server is not running; `capix dev` says why and starts it on the next change.',
        this.#certificates.get(address),
      );
  }

  #connectUntaken(runner: ServerRunner, state: { readonly isGone: boolean }): void {
    for (const { address, socket } of runner.takeUntaken(state)) void this.#connect(address, socket);
  }

  #flushWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { address, socket } of waiting) void this.#connect(address, socket);
  }

  #onExit(runner: ServerRunner, exit: ProcessExit): void {
    this.#runners.delete(runner);
    this.#retiring.delete(runner);
    if (this.#spare === runner) this.#spare = undefined;
    const wasLive = this.#live === runner;
    if (wasLive) this.#live = undefined;
    this.#connectUntaken(runner, { isGone: true });
    if (!wasLive || this.#isStopping) return;
    // The version before it may have held what it needs.
    const isToStartAgain = this.#isHandingOver && this.#stopFirst.mayHelp(runner.error);
    if (isToStartAgain && runner.error !== undefined) this.#stopFirst.choose(runner.error.message);
    this.#options.onExit(exit, runner.error, isToStartAgain);
  }
}
