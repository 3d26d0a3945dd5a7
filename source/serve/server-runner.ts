import type { Socket } from 'node:net';
import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import type { ProcessExit } from '../system/child-channel.ts';
import { waitWithin } from '../system/timing.ts';
import type { AskJobs, JobNews } from './job-watch.ts';
import { Readiness } from './readiness.ts';
import {
  type AddressName,
  type AskedAddress,
  type Connection,
  type InspectorAddress,
  isOwnAddress,
  type OpenPorts,
  type ServerMessage,
  type ThrownError,
  toAddressName,
  toThrownError,
} from './server-message.ts';
import { type ServerProcess, startServerProcess } from './start-server-process.ts';
import type { CodeAhead, RunConditions, RunnerOptions, RunOutcome, ServerCode } from './supervisor-options.ts';

/** The time for which a server may be too busy to give up its place, until it is ended, milliseconds. */
const BUSY_LIMIT_MS = 10_000;
/** The time for which a server that is cut may go on, from when it was replaced, milliseconds. */
const QUICK_MS = 1_500;
/** The time that a server may take to close its connections, milliseconds. */
const CUT_LIMIT_MS = 500;
/** The time for which it may be too busy to hear that another answers, milliseconds. */
const DIVERT_LIMIT_MS = 500;

/** The states of a process, in their order: some are left out. */
const states = ['waiting', 'starting', 'ready', 'replaced', 'ending'] as const;
type RunnerState = (typeof states)[number];

/** A process of the user's server: it is booted and waits, runs code, makes way, and is ended gently. */
export class ServerRunner {
  /** The addresses where the server takes connections from the supervisor. */
  readonly addresses = new Set<AddressName>();
  /** TCP ports that the code opened by itself. */
  readonly ownPorts: number[] = [];
  readonly running: TransportStarted[] = [];
  jobs: JobNews | undefined;
  /** The value that the code threw last, where nothing caught it. */
  error: ThrownError | undefined;
  /** Whether it holds something that its successor may need. */
  listensItself = false;
  readonly #options: RunnerOptions;
  readonly #child: Promise<ServerProcess>;
  readonly #readiness: Readiness;
  #state: RunnerState = 'waiting';
  #openPorts: OpenPorts = {};
  #during: 'load' | 'run' = 'run';
  #settle: (outcome: RunOutcome) => void = () => {};
  /** The connections that it has not taken yet. The first is on its way. */
  readonly #untaken: Connection[] = [];
  /** It may stand at a breakpoint, where it hears nothing. */
  #isInspected = false;
  #replacedAt = Number.NEGATIVE_INFINITY;
  #drained: Promise<unknown> = Promise.resolve();
  #stopping: Promise<void> | undefined;
  #tellLoaded = (): void => {};
  readonly #loaded = new Promise<void>((resolve) => (this.#tellLoaded = resolve));

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#readiness = new Readiness({
      onReady: () => {
        this.#enter('ready');
        this.#settle({ kind: 'ready' });
      },
      onLateStart: options.onLateStart,
    });
    this.#child = (options.startProcess ?? startServerProcess)({
      ...options,
      onMessage: (message) => this.#onMessage(message),
    });
  }

  /** Whether it was told to make way. */
  get makesWay(): boolean {
    return this.#isFrom('replaced');
  }

  /** Resolves when the process is gone, with all that it has started. */
  async exited(): Promise<ProcessExit> {
    return (await this.#child).exited;
  }

  /** Resolves when the code is loaded, which may be long after it has started, or the process is gone. */
  async loaded(): Promise<void> {
    await Promise.race([this.#loaded, this.exited()]);
  }

  /** Imports packages, and compiles files, ahead of the code that will need them. */
  async warm(ahead: CodeAhead): Promise<void> {
    (await this.#child).send({ kind: 'warm', ...ahead });
  }

  /** Loads code and resolves when its server has started, or cannot, or `signal` fires. `ports` are open already. */
  async run({ url, environment, hooks }: ServerCode, { signal, ports, inspector }: RunConditions): Promise<RunOutcome> {
    const child = await this.#child;
    this.#openPorts = ports;
    this.#enter('starting');
    this.#isInspected = inspector !== undefined;
    return new Promise((resolve) => {
      this.#settle = resolve;
      signal.addEventListener('abort', () => resolve({ kind: 'abandoned' }), { once: true });
      void child.exited.then((exit) => resolve({ kind: 'failed', during: this.#during, error: this.error, exit }));
      const { records, allowedHosts } = this.#options;
      child.send({ kind: 'load', url, environment, records, ports, inspector, hooks, allowedHosts });
    });
  }

  inspect(inspector: InspectorAddress): void {
    this.#isInspected = true;
    void this.#child.then((child) => child.send({ kind: 'inspect', inspector }));
  }

  /** Lets no debugger connect any more, and closes what is connected. Resolves when done, or the process is gone. */
  async endInspecting(): Promise<void> {
    await (await this.#child).ask('end-inspecting', undefined).catch(() => {});
    this.#isInspected = false;
  }

  readonly ask: AskJobs = async (name, question) => (await this.#child).ask(name, question);

  /** Hands a connection over. False when the server does not take it there: the socket is still the caller's. */
  async connect(address: AddressName, socket: Socket): Promise<boolean> {
    const child = await this.#child;
    if (!this.addresses.has(address)) return false;
    // A server refuses what comes before its transports have started; one that the code opens by itself does not.
    if (!isOwnAddress(address) && !this.#readiness.hasStarted) return false;
    this.#untaken.push({ address, socket });
    if (this.#untaken.length > 1 || this.#sendFirst(child)) return true;
    this.#untaken.pop();
    return false;
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
    const diverted = this.#drain(await this.#child, ports).then(() => (hasHeard = true));
    void this.#drained.then(() => this.stop());
    void waitWithin(BUSY_LIMIT_MS, diverted).then(() => {
      if (!hasHeard && !this.#isInspected) void this.stop();
    });
    await waitWithin(DIVERT_LIMIT_MS, diverted);
  }

  /** Ends it for a successor that starts only then: it has the grace to finish what it has, and again to end. */
  async makeRoom(): Promise<void> {
    const child = await this.#child;
    void this.#drain(child, {});
    await waitWithin(this.#options.graceMs, this.#drained);
    await this.#cut(child, CUT_LIMIT_MS);
    await this.stop();
  }

  /**
   * Ends what its code has not finished, but for requests that are quick, and then the process, unless requests to
   * newer code come through it: it goes on until these are answered.
   */
  async cut(): Promise<void> {
    const child = await this.#child;
    const quickMs = this.#replacedAt + QUICK_MS - performance.now();
    if (quickMs > 0) await waitWithin(quickMs, this.#drained);
    if (!(await this.#cut(child, BUSY_LIMIT_MS))) await this.stop();
  }

  /** Ends its event streams, and then the process, which is killed where it takes longer than the grace. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    const { graceMs, onEnding, onNotice } = this.#options;
    const [hasRun, wasReady] = [this.#isFrom('starting'), this.#isFrom('ready')];
    this.#enter('ending');
    const child = await this.#child;
    if (wasReady) await waitWithin(CUT_LIMIT_MS, settled(child.ask('end-streams', undefined)));
    const ended = child.stop(graceMs);
    onEnding(ended);
    await ended;
    const { signalName } = await child.exited;
    if (signalName === 'SIGKILL' && hasRun) onNotice({ code: 'Killed', graceMs });
  }

  /** Resolves when it answers no request itself any more; `#drained`, when it has no connection. */
  #drain(child: ServerProcess, ports: OpenPorts): Promise<unknown> {
    this.#replacedAt = performance.now();
    this.#enter('replaced');
    return new Promise((resolve) => {
      this.#drained = settled(child.ask('drain', ports, { onProgress: resolve }));
      void this.#drained.then(resolve);
    });
  }

  /** Gives whether requests to newer code come through it. */
  async #cut(child: ServerProcess, limitMs: number): Promise<boolean> {
    let isPassedThrough = false;
    const cutting = child.ask('cut', undefined).then(({ requests, passesOn }) => {
      isPassedThrough = passesOn;
      if (requests.length > 0) this.#options.onNotice({ code: 'RequestsCut', requests });
    });
    await waitWithin(limitMs, settled(cutting));
    return isPassedThrough;
  }

  /** One after the other: where many were on their way, none of them could be had back. */
  #sendFirst(child: ServerProcess): boolean {
    const [first] = this.#untaken;
    return first !== undefined && child.send({ kind: 'connection', address: first.address }, first.socket);
  }

  #onMessage(message: ServerMessage): void {
    switch (message.kind) {
      case 'listen':
        return this.#readiness.waitFor(this.#open(message.address));
      case 'close':
        this.addresses.delete(message.address);
        return this.#options.onPortClosed(message.address);
      case 'taken':
        this.#untaken.shift()?.socket.destroy();
        return void this.#child.then((child) => this.#sendFirst(child));
      case 'starting':
        return this.#readiness.countStarts(1);
      case 'not-started':
        return this.#readiness.countStarts(-1);
      case 'started':
        this.running.push(...message.running);
        return void this.#readiness.takeStarted();
      case 'mounted':
        this.running.push({ routes: message.routes });
        return this.#readiness.takeMore();
      case 'loaded':
        this.#tellLoaded();
        return this.#readiness.takeLoaded();
      case 'waiting':
        return this.#readiness.takeLoaded();
      case 'listening':
        // A port that the system chose is in nobody's way.
        if (!message.isAny) this.listensItself = true;
        if (message.port !== undefined) this.ownPorts.push(message.port);
        return this.#readiness.takeListening();
      case 'failed':
        this.error = message.error;
        this.#during = message.during;
        return;
      case 'code':
        return this.#options.onCode(message.notes);
      case 'requests':
        return this.#options.onRequests(message.requests);
      case 'jobs':
        this.jobs = message;
        return this.#options.onJobNews(message);
    }
  }

  async #open(address: AskedAddress): Promise<void> {
    const name = toAddressName(address);
    this.addresses.add(name);
    try {
      const at = await this.#options.openPort(address);
      if (!(name in this.#openPorts)) (await this.#child).send({ kind: 'opened', address: name, at });
      if (address.isOwn) this.#readiness.takeListening();
    } catch (thrown) {
      this.addresses.delete(name);
      const { port = address.port, isFirst } = thrown as Partial<Pick<ThrownError, 'port' | 'isFirst'>>;
      const error: ThrownError = { ...toThrownError(thrown), stack: '', port, isFirst };
      if (address.isOwn) (await this.#child).send({ kind: 'refused', address: name, error });
      else this.#settle({ kind: 'failed', during: 'run', error, exit: undefined });
    }
  }

  #isFrom(state: RunnerState): boolean {
    return states.indexOf(this.#state) >= states.indexOf(state);
  }

  #enter(state: RunnerState): void {
    if (!this.#isFrom(state)) this.#state = state;
  }
}

/** Resolves where a promise is rejected, too, as an answer is whose process is gone. */
async function settled(promise: Promise<unknown>): Promise<void> {
  await promise.catch(() => {});
}
