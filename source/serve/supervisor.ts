import type { ProcessExit } from '../system/child-channel.ts';
import { waitWithin } from '../system/timing.ts';
import { answerUnavailable } from './answer-unavailable.ts';
import { openPublicPorts, type PublicPortsOptions } from './public-ports.ts';
import {
  type AddressName,
  type CodeAhead,
  type Connection,
  isOwnAddress,
  type ServeOutcome,
  type ServerCode,
  type ThrownError,
} from './server-message.ts';
import { type RunnerOptions, ServerRunner } from './server-runner.ts';

export interface SupervisorOptions
  extends Omit<RunnerOptions, 'openPort' | 'onPortClosed'>,
    Omit<PublicPortsOptions, 'onConnection'> {
  /** The port of the debugger: 0 for any that is free, undefined for none. */
  readonly inspectPort?: number | undefined;
  /** Whether the first process waits until a debugger has come, and pauses. A reload goes on by itself. */
  readonly debuggerWait?: 'wait' | 'pause' | undefined;
  /** Whether what answers ends before its successor starts. @default where a start failed on what one can have */
  readonly stopsFirst?: boolean | undefined;
  /** The server that answered has ended by itself; nobody answers now. */
  readonly onExit: (exit: ProcessExit, error: ThrownError | undefined) => void;
}

/** Code that still has the debugger's port after this time stands at a breakpoint, milliseconds. */
const PAUSED_MS = 250;
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
  readonly #runners = new Set<ServerRunner>();
  #live: ServerRunner | undefined;
  #starting: ServerRunner | undefined;
  #spare: ServerRunner | undefined;
  /** Connections for a server that is to come. */
  #waiting: Connection[] = [];
  /** The one that has the debugger's port; all that had it before it have given it up once that is `released`. */
  #inspected: ServerRunner | undefined;
  #released: Promise<unknown> = Promise.resolve();
  #debuggerWaits: boolean;
  /** Undefined where it may still turn out that it must be. */
  #stopsFirst: boolean | undefined;
  #isStarting = false;
  /** The version before still answers, and nothing of it may follow an answer of its successor: connections wait. */
  #isDiverting = false;
  #isStopping = false;
  /** Runs while new code may open ports of the version before. */
  #handOver: NodeJS.Timeout | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#debuggerWaits = options.debuggerWait !== undefined;
    this.#stopsFirst = options.stopsFirst;
    this.#ports = openPublicPorts({
      ...options,
      onConnection: (connection) => this.#connect(connection),
    });
  }

  get isServing(): boolean {
    return this.#live !== undefined;
  }

  /** False where there is no failed job of this id. Rejects with what went wrong in its queue. */
  async retryJob(key: string, id: string): Promise<boolean> {
    if (this.#live === undefined) throw new Error('The server is not running.');
    return this.#live.channel.ask('retry-job', { key, id });
  }

  /** Boots a process for the code that is to come, and lets it do what can be done ahead. */
  prepare(ahead: CodeAhead): void {
    if (this.#isStopping) return;
    this.#spare ??= this.#startRunner();
    this.#spare.channel.send({ kind: 'warm', ...ahead });
  }

  /** Lets code answer once it has started. One call at a time. `packages`: URLs of those that it imports. */
  async serve(
    code: ServerCode,
    packages: readonly string[],
    signal: AbortSignal,
  ): Promise<ServeOutcome> {
    this.#isStarting = true;
    // Two versions at most: a third one cuts off the oldest.
    const cut = Promise.all(this.#replaced().map((runner) => runner.cut()));
    this.#takeImports(packages);
    const outcome = await this.#attemptWithRoom(code, signal, cut);
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

  /** Starts code; where it cannot have an address that the version before holds, once more after that one has ended. */
  async #attemptWithRoom(
    code: ServerCode,
    signal: AbortSignal,
    cut: Promise<unknown>,
  ): Promise<ServeOutcome> {
    if (this.#stopsFirst || this.#live?.ready?.listensItself) await this.#makeRoom(cut);
    const outcome = await this.#attempt(code, signal);
    const error = outcome.kind === 'failed' ? outcome.error : undefined;
    if (error === undefined) return outcome;
    const isOwnPort = this.#isOwnPort(error);
    if (!isOwnPort && !this.#mayBeHeld(error)) return outcome;
    await this.#makeRoom(cut);
    if (isOwnPort) this.#ports.retain(new Set());
    const second = await this.#attempt(code, signal);
    if (second.kind === 'ready' && !isOwnPort) this.#chooseStopFirst(error.message);
    return second;
  }

  async #attempt(code: ServerCode, signal: AbortSignal): Promise<ServeOutcome> {
    const runner = this.#spare ?? this.#startRunner();
    this.#spare = undefined;
    await this.#passDebugger(runner);
    this.#starting = runner;
    const outcome = await runner.run(code, signal);
    if (outcome.kind === 'ready') await this.#replaceLive(runner);
    else {
      void runner.stop().then(() => {
        if (this.#inspected === runner) void this.#passDebugger(this.#live);
      });
    }
    return outcome;
  }

  #startRunner(): ServerRunner {
    const runner: ServerRunner = new ServerRunner({
      ...this.#options,
      openPort: (address) =>
        this.#ports.open(address).finally(() => setImmediate(() => this.#flushWaiting())),
      onPortClosed: (address) => this.#closePort(runner, address),
      onMessage: (message) => {
        // Requests count whoever has answered them.
        if (message.kind !== 'requests' && (this.#starting ?? this.#live) !== runner) return;
        if (message.kind === 'ready') this.#flushWaiting();
        this.#options.onMessage(message);
        if (message.kind === 'code')
          this.#takeImports(
            message.notes.flatMap((note) => (note.kind === 'package' ? note.url : [])),
          );
      },
    });
    this.#runners.add(runner);
    void runner.ended.then((exit) => this.#onExit(runner, exit));
    return runner;
  }

  /** A port that the code opened and closed is free for others, unless another version has or gets it. */
  #closePort(runner: ServerRunner, address: AddressName): void {
    const isHeld = [...this.#runners].some((other) => other.addresses.has(address));
    if (isOwnAddress(address) && !isHeld && !runner.isReplaced) this.#ports.close(address);
  }

  async #replaceLive(next: ServerRunner): Promise<void> {
    const before = this.#live;
    this.#live = next;
    clearTimeout(this.#handOver);
    this.#handOver = setTimeout(() => {
      this.#handOver = undefined;
      if (this.isServing) this.#ports.retain(next.addresses);
      this.#flushWaiting();
    }, HAND_OVER_MS).unref();
    if (before !== undefined) {
      this.#isDiverting = true;
      this.#connectAll(before.takeUntaken());
      await before.retire(this.#ports.ports());
      this.#isDiverting = false;
    }
    this.#flushWaiting();
  }

  #replaced(): readonly ServerRunner[] {
    return [...this.#runners].filter(({ isReplaced }) => isReplaced);
  }

  /** `cut`: those that were replaced before are. */
  async #makeRoom(cut: Promise<unknown>): Promise<void> {
    const before = this.#live;
    this.#live = undefined;
    if (before !== undefined) this.#connectAll(before.takeUntaken());
    await Promise.all([before?.makeRoom(), cut]);
    await Promise.all(this.#replaced().map((runner) => runner.stop()));
  }

  /** Whether what answers now may hold what new code could not get, such as a lock of a database. */
  #mayBeHeld(error: ThrownError): boolean {
    return this.isServing && this.#stopsFirst === undefined && isHeld(error);
  }

  /** Whether an address is in use by what answers now, so that it is free once that has ended. */
  #isOwnPort(error: ThrownError | undefined): boolean {
    if (error?.code !== 'EADDRINUSE' || error.port === undefined) return false;
    const own = this.#live?.ready?.ports ?? [];
    return [...Object.values(this.#ports.ports()).map(({ port }) => port), ...own].includes(
      error.port,
    );
  }

  /** Lets a process have the debugger's port. Resolves when it has, or when its code should start without it. */
  async #passDebugger(next: ServerRunner | undefined): Promise<void> {
    const { inspectPort } = this.#options;
    if (inspectPort === undefined) return;
    this.#released = Promise.all([this.#released, this.#inspected?.endInspecting()]);
    this.#inspected = next;
    const passed = this.#released.then(() => {
      if (this.#inspected === next) next?.inspect(inspectPort, this.#debuggerWaits);
      this.#debuggerWaits = false;
    });
    await waitWithin(PAUSED_MS, passed);
  }

  /** The next version starts after the one before has stopped; the user is told why. */
  #chooseStopFirst(reason: string): void {
    this.#stopsFirst = true;
    this.#options.onNotice({ code: 'StopsFirst', reason });
  }

  #takeImports(imports: readonly string[]): void {
    const [name] =
      this.#stopsFirst === undefined ? imports.flatMap((path) => ALONE.exec(path)?.[1] ?? []) : [];
    if (name !== undefined)
      this.#chooseStopFirst(`only one process may have the files of ${name} open`);
  }

  #connect(connection: Connection): void {
    if (!this.#isDiverting && this.#live?.connect(connection)) return;
    // Code that starts may ask a server of its own, and wait for the answer.
    if (!this.isServing && isOwnAddress(connection.address) && this.#starting?.connect(connection))
      return;
    if (this.#isStarting || (this.isServing && this.#handOver !== undefined))
      return void this.#waiting.push(connection);
    const message = this.isServing
      ? 'The new code does not listen here.'
      : 'The server is not running; `capix dev` says why and starts it on the next change.';
    answerUnavailable(connection, message);
  }

  #connectAll(connections: readonly Connection[]): void {
    for (const connection of connections) this.#connect(connection);
  }

  #flushWaiting(): void {
    this.#connectAll(this.#waiting.splice(0));
  }

  #onExit(runner: ServerRunner, exit: ProcessExit): void {
    this.#runners.delete(runner);
    if (this.#spare === runner) this.#spare = undefined;
    const wasLive = this.#live === runner;
    if (wasLive) this.#live = undefined;
    this.#connectAll(runner.takeUntaken(true));
    if (wasLive && !this.#isStopping) this.#options.onExit(exit, runner.failed?.error);
  }
}

const HELD = new RegExp(
  String.raw`\b(?:EEXIST|EADDRINUSE|EBUSY|EAGAIN|EWOULDBLOCK|ELOCKED|SQLITE_BUSY\w*|LEVEL_LOCKED|lock(?:s|ed|file)?|` +
    String.raw`already (?:held|open|opened|running|in use))\b`,
  'i',
);

/** Embedded databases that read and write their files as if they were alone, and say nothing where they are not. */
const ALONE = new RegExp(
  String.raw`[\\/]node_modules[\\/](@electric-sql[\\/]pglite|lowdb|nedb|@seald-io[\\/]nedb|` +
    String.raw`@duckdb[\\/]node-api|duckdb|classic-level|level)[\\/]`,
);

/** Whether a start failed on what only one process may have; a TCP port is told of as what it is. */
function isHeld({ code = '', syscall = '', message = '' }: Partial<ThrownError> = {}): boolean {
  return (code !== 'EADDRINUSE' || syscall === 'bind') && HELD.test(`${code} ${message}`);
}
