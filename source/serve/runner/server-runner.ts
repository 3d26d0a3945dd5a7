import type { Socket } from 'node:net';
import type { TransportStarted } from '../../../server-runtime/server/transport.ts';
import type { ProcessExit } from '../../system/child/child-channel.ts';
import { waitWithin } from '../../system/wait-within.ts';
import { createDeferred } from '../create-deferred.ts';
import type { AskJobs, JobNews } from '../jobs/job-news.ts';
import { toPortError } from '../ports/port-error.ts';
import {
  type AddressName,
  type AskedAddress,
  type Connection,
  type InspectorAddress,
  type OpenPorts,
  type ServerMessage,
  type ThrownError,
  toAddressName,
} from '../server-message.ts';
import { createReadiness, type Readiness } from './create-readiness.ts';
import type { RunConditions, RunnerOptions, RunOutcome, ServerCode } from './runner-options.ts';
import { type ServerProcess, startServerProcess } from './start-server-process.ts';

/** The time for which a server may be too busy to hear that another answers until it is ended, milliseconds. */
const BUSY_LIMIT_MS = 10_000;
/** The time for which a server that is cut may go on, from when it was replaced, milliseconds. */
const QUICK_MS = 1_500;
/** The time that a server may take to close its connections, milliseconds. */
const CUT_LIMIT_MS = 500;
/** The time for which it may be too busy to hear that another answers, milliseconds. */
const DIVERT_LIMIT_MS = 500;

/** A process that runs the user's server, or is booted and waits for it. */
export class ServerRunner {
  /** The address where the server takes connections from the supervisor. */
  readonly addresses = new Set<AddressName>();
  /** TCP ports that the code opened by itself. */
  readonly ownPorts: number[] = [];
  readonly running: TransportStarted[] = [];
  /** The last counts of its jobs. */
  jobs: JobNews | undefined;
  readonly #options: RunnerOptions;
  readonly #child: Promise<ServerProcess>;
  readonly #readiness: Readiness;
  #openPorts: OpenPorts = {};
  #listensItself = false;
  #thrown: Extract<ServerMessage, { readonly kind: 'failed' }> | undefined;
  #settle: (outcome: RunOutcome) => void = () => {};
  #hasRun = false;
  /** The connections that it has not taken yet. */
  readonly #unsent = new Set<Connection>();
  #drainedSince = Number.NEGATIVE_INFINITY;
  #hasHeard = false;
  #isEnding = false;
  #stopping: Promise<void> | undefined;
  readonly #loaded = createDeferred();
  readonly #diverted = createDeferred();
  readonly #drained = createDeferred();
  readonly #wereCut = createDeferred();
  readonly #streamsEnded = createDeferred();
  #inspectingEnded = createDeferred();
  /** It may stand at a breakpoint. */
  #isInspected = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#readiness = createReadiness({
      onReady: () => this.#settle({ kind: 'ready' }),
      onLateStart: options.onLateStart,
    });
    this.#child = (options.startProcess ?? startServerProcess)({
      ...options,
      nodeOptions: options.nodeOptions ?? [],
      onMessage: (message) => this.#onMessage(message),
    });
  }

  /** Whether it holds something that its successor may need. */
  get listensItself(): boolean {
    return this.#listensItself;
  }

  /** Whether it was told to make way. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** The value that the code threw last, where nothing caught it. */
  get error(): ThrownError | undefined {
    return this.#thrown?.error;
  }

  /** Id of the process, once it is started. */
  async pid(): Promise<number | undefined> {
    return (await this.#child).pid;
  }

  /** Resolves when the process is gone, with all that it has started. */
  async exited(): Promise<ProcessExit> {
    return (await this.#child).exited;
  }

  /** Resolves when the code is loaded, which may be long after it has started, or the process is gone. */
  async loaded(): Promise<void> {
    await Promise.race([this.#loaded.promise, this.exited()]);
  }

  /** Imports modules ahead of the code that will need them: packages, and then what only declares. */
  async warm(modules: readonly string[], quietModules: readonly string[]): Promise<void> {
    (await this.#child).send({ kind: 'warm', modules, quietModules });
  }

  /** Loads code and resolves when its server has started, or cannot, or `signal` fires. `ports` are open already. */
  async run({ url, environment }: ServerCode, { signal, ports, inspector }: RunConditions): Promise<RunOutcome> {
    const child = await this.#child;
    this.#openPorts = ports;
    this.#hasRun = true;
    this.#isInspected = inspector !== undefined;
    return new Promise((resolve) => {
      this.#settle = resolve;
      signal.addEventListener('abort', () => resolve({ kind: 'abandoned' }), { once: true });
      void child.exited.then((exit) =>
        resolve({ kind: 'failed', during: this.#thrown?.during ?? 'run', error: this.error, exit }),
      );
      child.send({ kind: 'load', url, environment, records: this.#options.records, ports, inspector });
    });
  }

  /** Lets a debugger connect. */
  inspect(inspector: InspectorAddress): void {
    this.#isInspected = true;
    void this.#child.then((child) => child.send({ kind: 'inspect', inspector }));
  }

  /** Lets no debugger connect any more, and closes the connections of those that did. Resolves when that is done, or the process is gone. */
  async endInspecting(): Promise<void> {
    const child = await this.#child;
    this.#inspectingEnded = createDeferred();
    if (child.send({ kind: 'end-inspecting' })) await Promise.race([this.#inspectingEnded.promise, child.exited]);
  }

  readonly ask: AskJobs = async (name, question) => (await this.#child).ask(name, question);

  /** Hands a connection over. False when the server does not take connections there, or is gone: the socket is then still the caller's. */
  async connect(address: AddressName, socket: Socket): Promise<boolean> {
    const child = await this.#child;
    if (!this.addresses.has(address)) return false;
    const connection = { address, socket };
    this.#unsent.add(connection);
    const isTaken = child.send({ kind: 'connection', address }, socket, () => this.#unsent.delete(connection));
    if (!isTaken) this.#unsent.delete(connection);
    return isTaken;
  }

  /** The connections that it has not taken, and will not take any more: its thread is blocked, or it is gone. */
  takeUnsent(): readonly Connection[] {
    const unsent = [...this.#unsent];
    this.#unsent.clear();
    return unsent;
  }

  /**
   * Lets it finish what it has, then ends it; what still comes to it goes to the ports given. Resolves when it answers nothing new any more,
   * or is too busy to say so.
   */
  async retire(ports: OpenPorts): Promise<void> {
    const child = await this.#child;
    const drained = this.#drain(child, ports);
    void Promise.race([drained, child.exited]).then(() => this.stop());
    void waitWithin(BUSY_LIMIT_MS, this.#diverted.promise, child.exited).then(() => {
      if (!this.#hasHeard && !this.#isInspected) void this.stop();
    });
    await waitWithin(DIVERT_LIMIT_MS, this.#diverted.promise, child.exited);
  }

  /** Ends it for a successor that starts only then: it has the grace to finish what it has, and again to end. */
  async makeRoom(): Promise<void> {
    const child = await this.#child;
    await waitWithin(this.#options.graceMs, this.#drain(child, {}), child.exited);
    this.#drainedSince = Number.NEGATIVE_INFINITY;
    await this.cut();
  }

  /** Ends it, with all that it has not finished. Requests that are quick, or on their way, are let through. */
  async cut(): Promise<void> {
    const child = await this.#child;
    const quickMs = this.#drainedSince + QUICK_MS - performance.now();
    if (quickMs > 0) await waitWithin(quickMs, this.#drained.promise, child.exited);
    if (child.send({ kind: 'cut' })) await waitWithin(CUT_LIMIT_MS, this.#wereCut.promise, child.exited);
    await this.stop();
  }

  stop(): Promise<void> {
    this.#isEnding = true;
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const { graceMs, onEnding, onNotice } = this.#options;
    const child = await this.#child;
    if (this.#readiness.isReady() && child.send({ kind: 'end-streams' }))
      await waitWithin(CUT_LIMIT_MS, this.#streamsEnded.promise, child.exited);
    const ended = child.stop(graceMs);
    onEnding(ended);
    await ended;
    const { signalName } = await child.exited;
    if (signalName === 'SIGKILL' && this.#hasRun) onNotice({ code: 'Killed', graceMs });
  }

  #drain(child: ServerProcess, ports: OpenPorts): Promise<void> {
    this.#drainedSince = performance.now();
    this.#isEnding = true;
    child.send({ kind: 'drain', ports });
    return this.#drained.promise;
  }

  #onMessage(message: ServerMessage): void {
    switch (message.kind) {
      case 'listen':
        return this.#readiness.waitFor(this.#open(message.address));
      case 'close':
        this.addresses.delete(message.address);
        return this.#options.onPortClosed(message.address);
      case 'started':
        this.running.push(...message.running);
        // The code does not wait for the ports that it has asked for, but it counts as started only when they are open.
        return this.#readiness.takeStarted();
      case 'mounted':
        this.running.push({ routes: message.routes });
        return this.#readiness.takeMore();
      case 'loaded':
        this.#loaded.resolve();
        return this.#readiness.takeLoaded();
      case 'listening':
        // A port that the system chose is in nobody's way.
        if (!message.isAny) this.#listensItself = true;
        if (message.port !== undefined) this.ownPorts.push(message.port);
        return this.#takeMore();
      case 'failed':
        this.#thrown = message;
        return;
      case 'entry':
        return this.#options.onEntry(message.file);
      case 'requests':
        return this.#options.onRequests(message.requests);
      case 'jobs':
        this.jobs = message;
        return this.#options.onJobNews(message);
      case 'jobs-failed':
        return this.#options.onJobNews(message);
      case 'diverted':
        this.#hasHeard = true;
        return this.#diverted.resolve();
      case 'drained':
        return this.#drained.resolve();
      case 'inspecting-ended':
        this.#isInspected = false;
        return this.#inspectingEnded.resolve();
      case 'streams-ended':
        return this.#streamsEnded.resolve();
      case 'were-cut':
        if (message.requests.length > 0) this.#options.onNotice({ code: 'RequestsCut', requests: message.requests });
        return this.#wereCut.resolve();
    }
  }

  /** Listens by itself: perhaps not for the first time. */
  #takeMore(): void {
    this.#readiness.takeListening();
    this.#readiness.takeMore();
  }

  async #open(address: AskedAddress): Promise<void> {
    const name = toAddressName(address);
    this.addresses.add(name);
    try {
      const at = await this.#options.openPort(address);
      if (!(name in this.#openPorts)) (await this.#child).send({ kind: 'opened', address: name, at });
      if (!address.isOwn) return;
      this.#takeMore();
    } catch (thrown) {
      this.addresses.delete(name);
      const error = toPortError(thrown as NodeJS.ErrnoException, address);
      if (address.isOwn) return void (await this.#child).send({ kind: 'refused', address: name, error });
      this.#settle({ kind: 'failed', during: 'run', error: { name: 'Error', stack: '', ...error }, exit: undefined });
    }
  }
}
