import type { ProcessExit } from '../system/child-channel.ts';
import { waitWithin } from '../system/timing.ts';
import {
  type AddressName,
  type AskedAddress,
  type CodeAhead,
  type Connection,
  isOwnAddress,
  type LoadOptions,
  type OpenPort,
  type OpenPorts,
  type ReadyOutcome,
  type ServeNotice,
  type ServerCode,
  type ServerMessage,
  type ThrownError,
  toAddressName,
  toThrownError,
} from './server-message.ts';
import { type ServerProcessOptions, startServerProcess } from './start-server-process.ts';

export interface RunnerOptions extends Omit<ServerProcessOptions, 'onMessage'>, LoadOptions {
  readonly openPort: (address: AskedAddress) => Promise<OpenPort>;
  readonly onPortClosed: (address: AddressName) => void;
  /** The time that the server may take to end when it is told to, milliseconds. */
  readonly graceMs: number;
  readonly onNotice: (notice: ServeNotice) => void;
  /** `ready`: code that has started has opened more. */
  readonly onMessage: (message: ServerMessageOf<'code' | 'requests' | 'jobs' | 'ready'>) => void;
}

type ServerMessageOf<Kind extends ServerMessage['kind']> = Extract<ServerMessage, { readonly kind: Kind }>;

/** The outcome of an attempt to run code. Unless `ready`, its process is of no more use. */
export type ServeOutcome =
  | ReadyOutcome
  /** `error` is undefined where the process ended without one. */
  | {
      readonly kind: 'failed';
      readonly during: 'load' | 'run';
      readonly error: ThrownError | undefined;
      readonly exit: ProcessExit | undefined;
    }
  | { readonly kind: 'abandoned' };

/** The time for which a server may be too busy to give up its place, until it is ended, milliseconds. */
const BUSY_LIMIT_MS = 10_000;
/** The time for which a server that is cut may go on, from when it was replaced, milliseconds. */
const QUICK_MS = 1_500;
/** The time that a server may take to close its connections, milliseconds. */
const CUT_LIMIT_MS = 500;
/** The time for which it may be too busy to hear that another answers, milliseconds. */
const DIVERT_LIMIT_MS = 500;

/** A process of the user's server: it is booted and waits, runs code, makes way, and is ended gently. */
export class ServerRunner {
  /** The addresses where the server takes connections from the supervisor. */
  readonly addresses = new Set<AddressName>();
  readonly exited: Promise<ProcessExit>;
  /** The news of its start, and of what it has opened later. */
  ready: ServerMessageOf<'ready'> | undefined;
  /** The news of what the code threw last, where nothing caught it. */
  failed: ServerMessageOf<'failed'> | undefined;
  isReplaced = false;
  readonly #options: RunnerOptions;
  readonly #child: ReturnType<typeof startServerProcess>;
  #hasRun = false;
  #settle: (outcome: ServeOutcome) => void = () => {};
  /** The connections that it has not taken yet. The first is on its way. */
  readonly #untaken: Connection[] = [];
  /** It may stand at a breakpoint, where it hears nothing. */
  #isInspected = false;
  #replacedAt = Number.NEGATIVE_INFINITY;
  #drained: Promise<unknown> = Promise.resolve();
  #stopping: Promise<void> | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#child = startServerProcess({ ...options, onMessage: (message) => this.#take(message) });
    this.exited = this.#child.exited;
  }

  warm(ahead: CodeAhead): void {
    this.#child.send({ kind: 'warm', ...ahead });
  }

  /** Loads code and resolves when its server has started, or cannot, or `signal` fires. `ports` are open already. */
  run({ url, environment, hooks }: ServerCode, ports: OpenPorts, signal: AbortSignal): Promise<ServeOutcome> {
    const { records, allowedHosts } = this.#options;
    this.#hasRun = true;
    return new Promise((resolve) => {
      this.#settle = resolve;
      signal.addEventListener('abort', () => resolve({ kind: 'abandoned' }), { once: true });
      void this.exited.then((exit) => {
        const { during = 'run', error } = this.failed ?? {};
        resolve({ kind: 'failed', during, error, exit });
      });
      this.#child.send({ kind: 'load', url, environment, hooks, ports, records, allowedHosts });
    });
  }

  inspect(port: number, waits: boolean): void {
    this.#isInspected = true;
    this.#child.send({ kind: 'inspect', port, waits });
  }

  /**
   * Lets no debugger connect any more, and closes what is connected. Resolves when done, or the process is gone: code
   * at a breakpoint hears of it only once it goes on.
   */
  async endInspecting(): Promise<void> {
    await settled(this.#child.ask('end-inspecting', undefined));
    this.#isInspected = false;
  }

  retryJob(key: string, id: string): Promise<boolean> {
    return this.#child.ask('retry-job', { key, id });
  }

  /** Hands a connection over. False when the server does not take it there: the socket is still the caller's. */
  connect(connection: Connection): boolean {
    const { address } = connection;
    // A server of capix refuses what comes before its transports have started.
    if (!this.addresses.has(address) || !(isOwnAddress(address) || this.ready?.hasStarted)) return false;
    this.#untaken.push(connection);
    if (this.#untaken.length === 1) this.#sendFirst();
    return true;
  }

  /** The connections that it has not taken, but for the one on its way, unless the process `isGone`. */
  takeUntaken({ isGone }: { readonly isGone: boolean }): readonly Connection[] {
    return this.#untaken.splice(isGone ? 0 : 1);
  }

  /**
   * Lets it finish what it has, then ends it; what still comes to it goes to the ports given. Resolves when it answers
   * nothing new any more, or is too busy to say so.
   */
  async retire(ports: OpenPorts): Promise<void> {
    let hasHeard = false;
    const diverted = this.#drain(ports).then(() => (hasHeard = true));
    void this.#drained.then(() => this.stop());
    void waitWithin(BUSY_LIMIT_MS, diverted).then(() => {
      if (!hasHeard && !this.#isInspected) void this.stop();
    });
    await waitWithin(DIVERT_LIMIT_MS, diverted);
  }

  /** Ends it for a successor that starts only then: it has the grace to finish what it has, and again to end. */
  async makeRoom(): Promise<void> {
    void this.#drain({});
    await waitWithin(this.#options.graceMs, this.#drained);
    await this.#cut(CUT_LIMIT_MS);
    await this.stop();
  }

  /**
   * Ends what its code has not finished, but for requests that are quick, and then the process, unless requests to
   * newer code come through it: it goes on until these are answered.
   */
  async cut(): Promise<void> {
    const quickMs = this.#replacedAt + QUICK_MS - performance.now();
    if (quickMs > 0) await waitWithin(quickMs, this.#drained);
    if (!(await this.#cut(BUSY_LIMIT_MS))) await this.stop();
  }

  /** Ends its event streams, and then the process, which is killed where it takes longer than the grace. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    const { graceMs, onNotice } = this.#options;
    if (this.ready !== undefined) await waitWithin(CUT_LIMIT_MS, settled(this.#child.ask('end-streams', undefined)));
    this.#child.terminate(graceMs);
    const { signalName } = await this.exited;
    if (signalName === 'SIGKILL' && this.#hasRun) onNotice({ code: 'Killed', graceMs });
  }

  /** Resolves when it answers no request itself any more; `#drained`, when it has no connection. */
  #drain(ports: OpenPorts): Promise<unknown> {
    this.#replacedAt = performance.now();
    this.isReplaced = true;
    return new Promise((resolve) => {
      this.#drained = settled(this.#child.ask('drain', ports, { onProgress: resolve }));
      void this.#drained.then(resolve);
    });
  }

  /** Gives whether requests to newer code come through it. */
  async #cut(limitMs: number): Promise<boolean> {
    let isPassedThrough = false;
    const cutting = this.#child.ask('cut', undefined).then(({ requests, passesOn }) => {
      isPassedThrough = passesOn;
      if (requests.length > 0) this.#options.onNotice({ code: 'RequestsCut', requests });
    });
    await waitWithin(limitMs, settled(cutting));
    return isPassedThrough;
  }

  /** One after the other: where many were on their way, none of them could be had back. */
  #sendFirst(): void {
    const [first] = this.#untaken;
    if (first !== undefined) this.#child.send({ kind: 'connection', address: first.address }, first.socket);
  }

  #take(message: ServerMessage): void {
    switch (message.kind) {
      case 'listen':
        return void this.#open(message.address);
      case 'close':
        this.addresses.delete(message.address);
        return this.#options.onPortClosed(message.address);
      case 'taken':
        this.#untaken.shift()?.socket.destroy();
        return this.#sendFirst();
      case 'ready':
        if (this.ready === undefined) this.#settle(message);
        else this.#options.onMessage(message);
        this.ready = message;
        return;
      case 'failed':
        this.failed = message;
        return;
      case 'code':
      case 'requests':
      case 'jobs':
        return this.#options.onMessage(message);
    }
  }

  async #open(address: AskedAddress): Promise<void> {
    const name = toAddressName(address);
    this.addresses.add(name);
    try {
      this.#child.send({ kind: 'opened', address: name, at: await this.#options.openPort(address) });
    } catch (thrown) {
      this.addresses.delete(name);
      const { port = address.port, isFirst } = thrown as Partial<ThrownError>;
      const error: ThrownError = { ...toThrownError(thrown), stack: '', port, isFirst };
      if (address.isOwn) this.#child.send({ kind: 'refused', address: name, error });
      else this.#settle({ kind: 'failed', during: 'run', error, exit: undefined });
    }
  }
}

/** Resolves where a promise is rejected, too, as an answer is whose process is gone. */
async function settled(promise: Promise<unknown>): Promise<void> {
  await promise.catch(() => {});
}
