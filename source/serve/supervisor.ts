import type { ProcessExit } from '../system/child-channel.ts';
import { answerUnavailable } from './answer-unavailable.ts';
import { type DebuggerOptions, DebuggerPort } from './debugger-port.ts';
import { directConnection, findLive, type Phase } from './phase.ts';
import { openPublicPorts, type PublicPortsOptions } from './public-ports.ts';
import {
  type CodeAddress,
  type CodeAhead,
  type Connection,
  isOwnPlace,
  type OpenPort,
  type PlaceName,
  type ServeOutcome,
  type ServerCode,
  type ThrownError,
  toAddressName,
} from './server-message.ts';
import { type RunnerOptions, ServerRunner } from './server-runner.ts';
import { Spare } from './spare.ts';
import { StopFirst } from './stop-first.ts';
import { Abandoned, takeStep } from './take-step.ts';

export interface SupervisorOptions
  extends Omit<RunnerOptions, 'toPlace' | 'openPort' | 'onPortClosed' | 'onAccepts'>,
    Omit<PublicPortsOptions, 'onConnection'>,
    DebuggerOptions {
  /** Whether what answers ends before its successor starts. @default where a start failed on what one can have */
  readonly stopsFirst?: boolean | undefined;
  /** The server that answered has ended by itself; nobody answers now. */
  readonly onExit: (exit: ProcessExit, error: ThrownError | undefined) => void;
  /** Boots a process. @default of the user's server */
  readonly startRunner?: ((options: RunnerOptions) => Runner) | undefined;
}

/** A process as the supervisor drives it. */
export type Runner = Omit<ServerRunner, 'pid' | 'started' | 'state' | 'drain'>;

/** The time after a hand-over in which new code may open the ports of the version before again, milliseconds. */
const HAND_OVER_MS = 10_000;

/**
 * Keeps a server answering while its code changes. The supervisor owns the ports and hands each connection to the
 * process that answers; another one waits, booted, for the next code. New code answers as soon as it has started, and
 * what ran before finishes what it has. Code that opens ports by itself is stopped before its successor starts.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #ports: ReturnType<typeof openPublicPorts>;
  readonly #debugger: DebuggerPort;
  #phase: Phase<Runner> = { kind: 'idle' };
  /** Every process that has not ended. */
  readonly #runners = new Set<Runner>();
  /** The processes that have code, in the order in which they got it. */
  readonly #coded = new Set<Runner>();
  /** Booted, and without code yet. */
  readonly #spare = new Spare(() => this.#startRunner());
  /** Connections that wait for the next phase. */
  #waiting: Connection[] = [];
  readonly #stopFirst: StopFirst;
  /** Fires when the supervisor is stopped. */
  readonly #stopping = new AbortController();
  /** Runs until what answers is settled. */
  #handOver: NodeJS.Timeout | undefined;
  #settlesAtMs = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#debugger = new DebuggerPort(options);
    this.#stopFirst = new StopFirst(options.stopsFirst, options.onNotice);
    this.#ports = openPublicPorts({
      ...options,
      onConnection: (connection) => this.#connect(connection),
    });
  }

  get isServing(): boolean {
    return this.#phase.kind !== 'stopping' && findLive(this.#phase) !== undefined;
  }

  /** False where there is no failed job of this id. Rejects with what went wrong in its queue. */
  async retryJob(key: string, id: string): Promise<boolean> {
    const live = findLive(this.#phase);
    if (live === undefined) throw new Error('The server is not running.');
    return live.retryJob(key, id);
  }

  /** Boots a process for the next code, and lets it do what can be done ahead. */
  prepare(ahead: CodeAhead): void {
    if (this.#phase.kind === 'stopping') return;
    this.#spare.prepare(ahead);
  }

  /**
   * Lets code answer once it has started. One call at a time. Gives the start up when `signal` fires before that, and
   * when the supervisor stops. `packages`: URLs of those that the code imports.
   */
  async serve(
    code: ServerCode,
    packages: readonly string[],
    signal: AbortSignal,
  ): Promise<ServeOutcome> {
    if (this.#phase.kind === 'stopping') return { kind: 'abandoned' };
    this.#enter({ kind: 'starting', live: findLive(this.#phase), next: undefined });
    this.#stopFirst.noteImports(packages);
    try {
      return await this.#start(code, AbortSignal.any([signal, this.#stopping.signal]));
    } catch (thrown) {
      if (thrown instanceof Abandoned) return { kind: 'abandoned' };
      throw thrown;
    } finally {
      this.#endStart();
    }
  }

  /** Ends every process. Resolves when all have ended; nothing starts from its first turn on. */
  async stop(): Promise<void> {
    this.#enter({ kind: 'stopping', live: findLive(this.#phase) });
    this.#stopping.abort();
    this.#ports.retain(new Set());
    await Promise.all([...this.#runners].map((runner) => runner.stop()));
  }

  /** Nothing leaves the last phase, whatever was under way when it was entered. */
  #enter(phase: Phase<Runner>): void {
    if (this.#phase.kind === 'stopping') return;
    clearTimeout(this.#handOver);
    this.#phase = phase;
    this.#flushWaiting();
  }

  /** Starts code; where it cannot have what the version before holds, once more after that one has ended. */
  async #start(code: ServerCode, signal: AbortSignal): Promise<ServeOutcome> {
    const older = this.#endOlder();
    const live = findLive(this.#phase);
    if (this.#stopFirst.isWanted || live?.ready?.listensItself)
      await this.#makeRoom(older.all, signal);
    else await takeStep(signal, () => older.surplus);
    const outcome = await this.#attempt(code, signal);
    const error = outcome.kind === 'failed' ? outcome.error : undefined;
    if (error === undefined) return outcome;
    const isOwnPort = this.#isOwnPort(error);
    if (!isOwnPort && !this.#mayBeHeld(error)) return outcome;
    await this.#makeRoom(older.all, signal);
    if (isOwnPort) this.#ports.retain(new Set());
    const second = await this.#attempt(code, signal);
    if (second.kind === 'ready' && !isOwnPort) this.#stopFirst.choose(error.message);
    return second;
  }

  async #attempt(code: ServerCode, signal: AbortSignal): Promise<ServeOutcome> {
    const runner = await this.#spare.take(code);
    let outcome: ServeOutcome = { kind: 'abandoned' };
    try {
      await takeStep(signal, () => this.#debugger.passTo(runner));
      outcome = await takeStep(signal, () => {
        this.#coded.add(runner);
        this.#enter({ kind: 'starting', live: findLive(this.#phase), next: runner });
        return runner.run(code);
      });
    } finally {
      if (outcome.kind !== 'ready') this.#dismiss(runner);
    }
    if (outcome.kind === 'ready') await this.#replaceLive(runner);
    return outcome;
  }

  /** Ends a process that has no code, or whose code has not started. */
  #dismiss(runner: Runner): void {
    void runner.stop().then(() => {
      if (this.#debugger.isHeldBy(runner)) void this.#debugger.passTo(findLive(this.#phase));
    });
  }

  /** @throws Abandoned where the supervisor stops: nothing starts then. */
  #startRunner(): Runner {
    if (this.#phase.kind === 'stopping') throw new Abandoned();
    const { startRunner = (options) => new ServerRunner(options) } = this.#options;
    let first: string | undefined;
    const runner: Runner = startRunner({
      ...this.#options,
      toPlace: (address) => {
        if (!address.isOwn) first ??= toAddressName(address);
        return this.#ports.toPlace(address, first === toAddressName(address));
      },
      openPort: (place, address) => this.#openPort(place, address),
      onPortClosed: (place) => this.#closePort(runner, place),
      onAccepts: (id, handle) => this.#ports.hold(id, runner, handle),
      onMessage: (message) => {
        // A version that was replaced still reports the requests that it has answered.
        if (message.kind !== 'requests' && this.#findSpeaker() !== runner) return;
        if (message.kind === 'ready') this.#flushWaiting();
        this.#options.onMessage(message);
        if (message.kind !== 'code') return;
        const urls = message.notes.flatMap((note) => (note.kind === 'package' ? note.url : []));
        this.#stopFirst.noteImports(urls);
      },
    });
    this.#runners.add(runner);
    void runner.ended.then((exit) => this.#onExit(runner, exit));
    return runner;
  }

  /** The process whose messages count: the one that starts, or else the one that answers. */
  #findSpeaker(): Runner | undefined {
    const next = this.#phase.kind === 'starting' ? this.#phase.next : undefined;
    return next ?? findLive(this.#phase);
  }

  async #openPort(place: PlaceName, address: CodeAddress): Promise<OpenPort> {
    try {
      return await this.#ports.open(place, address);
    } finally {
      // This runs once the process knows that it listens.
      setImmediate(() => this.#flushWaiting());
    }
  }

  /** A port that the code opened and closed is free for others, unless another version has or gets it. */
  #closePort(runner: Runner, place: PlaceName): void {
    const isHeld = [...this.#runners].some((other) => other.places.has(place));
    if (isOwnPlace(place) && !isHeld && !runner.isReplaced) this.#ports.close(place);
    this.#ports.direct((at) => directConnection(this.#phase, at));
  }

  async #replaceLive(next: Runner): Promise<void> {
    const before = findLive(this.#phase);
    this.#settlesAtMs = performance.now() + HAND_OVER_MS;
    if (before === undefined) return this.#answer(next);
    this.#enter({ kind: 'handing', live: next });
    this.#connectAll(before.takeUntaken());
    await before.retire(this.#ports.ports());
    // It may have ended meanwhile, or the supervisor been stopped.
    if (this.#phase.kind === 'handing') this.#answer(next);
  }

  #answer(live: Runner): void {
    const settleMs = this.#settlesAtMs - performance.now();
    this.#enter({ kind: 'answering', live, isSettled: settleMs <= 0 });
    if (this.#phase.kind !== 'answering') return;
    if (settleMs <= 0) this.#ports.retain(live.places);
    else this.#handOver = setTimeout(() => this.#answer(live), settleMs).unref();
  }

  /** What answered before a start that came to nothing goes on. */
  #endStart(): void {
    if (this.#phase.kind !== 'starting') return;
    const { live } = this.#phase;
    if (live === undefined) this.#enter({ kind: 'idle' });
    else this.#answer(live);
  }

  /**
   * Cuts what versions before the one that answers still do. `surplus` resolves when at most one process of them is
   * left: three in all run code then, with the one that answers and the one that starts. `all`: when all are cut.
   */
  #endOlder(): { readonly surplus: Promise<unknown>; readonly all: Promise<unknown> } {
    const live = findLive(this.#phase);
    const older = [...this.#coded].filter((runner) => runner !== live);
    const surplus = older.slice(0, -1).map((runner) => runner.leave());
    const newest = older.slice(-1).map((runner) => runner.isReplaced && runner.cut());
    return { surplus: Promise.all(surplus), all: Promise.all([...surplus, ...newest]) };
  }

  /** Ends what answers, for a successor that starts only then. `olderCut`: those that were replaced before are. */
  async #makeRoom(olderCut: Promise<unknown>, signal: AbortSignal): Promise<void> {
    const before = findLive(this.#phase);
    this.#enter({ kind: 'starting', live: undefined, next: undefined });
    if (before !== undefined) this.#connectAll(before.takeUntaken());
    await takeStep(signal, () => Promise.all([before?.makeRoom(), olderCut]));
    await takeStep(signal, () => Promise.all([...this.#coded].map((runner) => runner.stop())));
  }

  /** Whether what answers now may hold what new code could not get. */
  #mayBeHeld(error: ThrownError): boolean {
    return this.isServing && this.#stopFirst.mayHelp(error);
  }

  /** Whether an address is in use by what answers now, so that it is free once that has ended. */
  #isOwnPort({ code, port }: ThrownError): boolean {
    if (code !== 'EADDRINUSE' || port === undefined) return false;
    const ports = findLive(this.#phase)?.ready?.ports ?? [];
    return (
      ports.includes(port) || Object.values(this.#ports.ports()).some((open) => open.port === port)
    );
  }

  #connect(connection: Connection): void {
    const direction = directConnection(this.#phase, connection.place);
    if (direction.kind === 'to') direction.runner.connect(connection);
    else if (direction.kind === 'wait') this.#waiting.push(connection);
    else answerUnavailable(connection, direction.message);
  }

  #connectAll(connections: readonly Connection[]): void {
    for (const connection of connections) this.#connect(connection);
  }

  /** What is decided again on each change: who accepts at each place, and where those go that wait here. */
  #flushWaiting(): void {
    this.#ports.direct((place) => directConnection(this.#phase, place));
    this.#connectAll(this.#waiting.splice(0));
  }

  #onExit(runner: Runner, exit: ProcessExit): void {
    this.#runners.delete(runner);
    this.#coded.delete(runner);
    this.#spare.forget(runner);
    const phase = this.#phase;
    const wasLive = phase.kind !== 'stopping' && findLive(phase) === runner;
    if (wasLive && phase.kind === 'starting') this.#enter({ ...phase, live: undefined });
    else if (wasLive) this.#enter({ kind: 'idle' });
    this.#connectAll(runner.takeUntaken(true));
    if (wasLive) this.#options.onExit(exit, runner.failed?.error);
  }
}
