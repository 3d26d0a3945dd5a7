import type { Socket } from 'node:net';
import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import type { ProcessExit } from '../system/child-channel.ts';
import { createReadiness, type Readiness } from './create-readiness.ts';
import type { AskJobs, JobNews } from './job-watch.ts';
import { toPortError } from './public-ports.ts';
import { createDeferred, ServerEnding } from './server-ending.ts';
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
} from './server-message.ts';
import { type ServerProcess, startServerProcess } from './start-server-process.ts';
import type { CodeAhead, RunConditions, RunnerOptions, RunOutcome, ServerCode } from './supervisor-options.ts';

/** A process that runs the user's server, or is booted and waits for it. */
export class ServerRunner {
  /** The address where the server takes connections from the supervisor. */
  readonly addresses = new Set<AddressName>();
  /** TCP ports that the code opened by itself. */
  readonly ownPorts: number[] = [];
  readonly running: TransportStarted[] = [];
  readonly ending: ServerEnding;
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
  /** The connections that it has not taken yet. The first is on its way. */
  readonly #untaken: Connection[] = [];
  readonly #loaded = createDeferred();
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
    this.ending = new ServerEnding({
      ...options,
      child: this.#child,
      isReady: () => this.#readiness.isReady(),
      hasRun: () => this.#hasRun,
      isInspected: () => this.#isInspected,
    });
  }

  /** Whether it holds something that its successor may need. */
  get listensItself(): boolean {
    return this.#listensItself;
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

  /** Imports packages, and compiles files, ahead of the code that will need them. */
  async warm(ahead: CodeAhead): Promise<void> {
    (await this.#child).send({ kind: 'warm', ...ahead });
  }

  /** Loads code and resolves when its server has started, or cannot, or `signal` fires. `ports` are open already. */
  async run({ url, environment, hooks }: ServerCode, { signal, ports, inspector }: RunConditions): Promise<RunOutcome> {
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
      const { records, allowedHosts } = this.#options;
      child.send({ kind: 'load', url, environment, records, ports, inspector, hooks, allowedHosts });
    });
  }

  /** Lets a debugger connect. */
  inspect(inspector: InspectorAddress): void {
    this.#isInspected = true;
    void this.#child.then((child) => child.send({ kind: 'inspect', inspector }));
  }

  /** Lets no debugger connect any more, and closes what is connected. Resolves when done, or the process is gone. */
  async endInspecting(): Promise<void> {
    const child = await this.#child;
    this.#inspectingEnded = createDeferred();
    if (child.send({ kind: 'end-inspecting' })) await Promise.race([this.#inspectingEnded.promise, child.exited]);
  }

  readonly ask: AskJobs = async (name, question) => (await this.#child).ask(name, question);

  /** Hands a connection over. False when the server does not take it there: the socket is still the caller's. */
  async connect(address: AddressName, socket: Socket): Promise<boolean> {
    const child = await this.#child;
    if (!this.addresses.has(address)) return false;
    // A server refuses what comes before its transports have started; one that the code opens by itself does not.
    if (!isOwnAddress(address) && !this.#readiness.hasStarted()) return false;
    this.#untaken.push({ address, socket });
    if (this.#untaken.length > 1 || this.#sendFirst(child)) return true;
    this.#untaken.pop();
    return false;
  }

  /** The connections that it has not taken, but for the one on its way, unless the process `isGone`. */
  takeUntaken({ isGone }: { readonly isGone: boolean }): readonly Connection[] {
    return this.#untaken.splice(isGone ? 0 : 1);
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
        return this.#readiness.takeStarting();
      case 'not-started':
        return this.#readiness.takeNotStarted();
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
      case 'waiting':
        return this.#readiness.takeLoaded();
      case 'listening':
        // A port that the system chose is in nobody's way.
        if (!message.isAny) this.#listensItself = true;
        if (message.port !== undefined) this.ownPorts.push(message.port);
        return this.#takeMore();
      case 'failed':
        this.#thrown = message;
        return;
      case 'code':
        return this.#options.onCode(message.notes);
      case 'requests':
        return this.#options.onRequests(message.requests);
      case 'jobs':
        this.jobs = message;
        return this.#options.onJobNews(message);
      case 'inspecting-ended':
        this.#isInspected = false;
        return this.#inspectingEnded.resolve();
      case 'diverted':
      case 'drained':
      case 'streams-ended':
      case 'were-cut':
        return this.ending.take(message);
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
      const { isFirst } = thrown as { readonly isFirst?: boolean };
      const told = { name: 'Error', stack: '', ...error, isFirst };
      this.#settle({ kind: 'failed', during: 'run', error: told, exit: undefined });
    }
  }
}
