import type { Socket } from 'node:net';
import type { ProcessExit } from '../system/child-channel.ts';
import { createDebuggerPort, type DebuggerPort } from './debugger-port.ts';
import { answerUnavailable, type Certificate, createHandOver, type HandOver } from './hand-over.ts';
import type { AskJobs } from './job-watch.ts';
import { openPublicPorts, type PublicPorts } from './public-ports.ts';
import { type AddressName, type Connection, isOwnAddress, type ThrownError, toAddressName } from './server-message.ts';
import { ServerRunner } from './server-runner.ts';
import { type OrphanGuard, startOrphanGuard } from './start-server-process.ts';
import { createStopFirst, type StopFirst } from './stop-first.ts';
import type { CodeAhead, ReadyOutcome, ServeOutcome, ServerCode, SupervisorOptions } from './supervisor-options.ts';

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
  /** The runners, with the ids of their processes once these are started. */
  readonly #runners = new Map<ServerRunner, number | undefined>();
  readonly #certificates = new Map<AddressName, Certificate | undefined>();
  #guard: Promise<OrphanGuard> | undefined;
  #waiting: readonly Connection[] = [];
  #live: ServerRunner | undefined;
  /** The runners that were replaced and have not ended yet. */
  readonly #retiring = new Set<ServerRunner>();
  readonly #stopFirst: StopFirst;
  readonly #debuggerPort: DebuggerPort;
  readonly #handOver: HandOver;
  #spare: ServerRunner | undefined;
  /** The code that the next code will probably resemble. */
  #ahead: CodeAhead = { modules: [], files: [] };
  /** The runner whose start was told as the outcome. */
  #told: ServerRunner | undefined;
  /** The runner whose code is being started. */
  #starting: ServerRunner | undefined;
  #isStarting = false;
  /** The version before still answers, and nothing of it may follow an answer of its successor: connections wait. */
  #isDiverting = false;
  #isStopping = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#debuggerPort = createDebuggerPort(options);
    this.#stopFirst = createStopFirst(options.stopsFirst, options.onNotice);
    this.#ports = openPublicPorts({
      port: options.port,
      host: options.host,
      onConnection: (address, socket) => void this.#connect(address, socket),
    });
    this.#handOver = createHandOver({
      ports: this.#ports,
      isLive: (runner) => this.#live === runner,
      onEnd: () => this.#flushWaiting(),
    });
  }

  /** Whether a server answers. */
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
    const cut = this.#cutRetiring();
    this.#stopFirst.takeImports(code.imports);
    if (this.#stopFirst.isOn() || this.#live?.listensItself) await this.#makeRoom(cut);
    let outcome = await this.#attempt(code, signal);
    if (outcome.kind === 'failed' && this.#isOwnPort(outcome.error)) {
      await this.#makeRoom(cut);
      await this.#ports.retain(new Set());
      outcome = await this.#attempt(code, signal);
    } else if (outcome.kind === 'failed' && this.#live !== undefined && this.#stopFirst.mayHelp(outcome.error)) {
      await this.#makeRoom(cut);
      const again = await this.#attempt(code, signal);
      if (again.kind === 'ready') this.#stopFirst.choose(outcome.error.message);
      outcome = again;
    }
    this.#isStarting = false;
    this.#starting = undefined;
    this.#flushWaiting();
    return outcome;
  }

  /** Ends every process and closes every port. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#ports.retain(new Set());
    this.#flushWaiting();
    await Promise.all([...this.#runners.keys()].map((runner) => runner.ending.stop()));
  }

  async #attempt(code: ServerCode, signal: AbortSignal): Promise<ServeOutcome> {
    const runner = this.#spare ?? this.#startRunner();
    this.#spare = undefined;
    const inspector = await this.#debuggerPort.pass(runner);
    this.#starting = runner;
    const outcome = await runner.run(code, { signal, ports: this.#ports.ports(), inspector });
    if (outcome.kind === 'ready') await this.#replaceLive(runner);
    else void runner.ending.stop().then(() => this.#debuggerPort.giveBack(runner, this.#live));
    if (this.#options.keepsSpare) setTimeout(() => this.prepare(), SPARE_DELAY_MS);
    if (outcome.kind !== 'ready') return outcome;
    this.#told = runner;
    return this.#toReady(runner);
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
        if (this.#told === runner) this.#options.onLateStart(this.#toReady(runner));
      },
    });
    this.#runners.set(runner, undefined);
    void runner.pid().then((pid) => {
      this.#runners.set(runner, pid);
      return this.#guardRunners();
    });
    void runner.exited().then((exit) => this.#onExit(runner, exit));
    return runner;
  }

  /** A port that the code opened and closed is free for others, unless another version has or gets it. */
  #closePort(runner: ServerRunner, address: AddressName): void {
    const isHeld = [...this.#runners.keys()].some((other) => other !== runner && other.addresses.has(address));
    if (isOwnAddress(address) && !isHeld && !runner.ending.hasBegun) void this.#ports.close(address);
  }

  async #guardRunners(): Promise<void> {
    this.#guard ??= (this.#options.startGuard ?? startOrphanGuard)();
    const { guard } = await this.#guard;
    guard([...this.#runners.values()].filter((pid) => pid !== undefined));
  }

  async #replaceLive(next: ServerRunner): Promise<void> {
    const before = this.#live;
    this.#live = next;
    if (next.jobs !== undefined) this.#options.onJobNews(next.jobs);
    this.#handOver.begin(next, before);
    if (before !== undefined) {
      this.#isDiverting = true;
      this.#connectUntaken(before, { isGone: false });
      this.#retiring.add(before);
      await before.ending.retire(this.#ports.ports());
      this.#isDiverting = false;
    }
    this.#flushWaiting();
  }

  async #cutRetiring(): Promise<void> {
    await Promise.all([...this.#retiring].map((runner) => runner.ending.cut()));
  }

  /** `cut`: those that were replaced before are. */
  async #makeRoom(cut: Promise<void>): Promise<void> {
    const before = this.#live;
    this.#live = undefined;
    if (before !== undefined) this.#connectUntaken(before, { isGone: false });
    await Promise.all([before?.ending.makeRoom(), cut]);
    await Promise.all([...this.#retiring].map((runner) => runner.ending.stop()));
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
    const isToCome = this.isServing && this.#handOver.goesOn();
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
    void this.#guardRunners();
    if (this.#spare === runner) this.#spare = undefined;
    const wasLive = this.#live === runner;
    if (wasLive) this.#live = undefined;
    this.#connectUntaken(runner, { isGone: true });
    if (!wasLive || this.#isStopping) return;
    // The version before it may have held what it needs.
    const isToStartAgain = this.#handOver.goesOn() && this.#stopFirst.mayHelp(runner.error);
    if (isToStartAgain && runner.error !== undefined) this.#stopFirst.choose(runner.error.message);
    this.#options.onExit(exit, runner.error, isToStartAgain);
  }
}
