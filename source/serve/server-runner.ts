import { pathToFileURL } from 'node:url';
import type { Project } from '../manifest/project.ts';
import { compiledFile } from '../package-root.ts';
import type { ListenHandle } from '../patches/intercept-listen.ts';
import { type ChildChannel, startChild } from '../system/child-channel.ts';
import { waitWithin } from '../system/timing.ts';
import { attempt } from '../values/attempt.ts';
import {
  type AddressName,
  type CodeAddress,
  type CodeAhead,
  type Connection,
  isOwnPlace,
  type LastMessage,
  type LoadOptions,
  type OpenPort,
  type OpenPorts,
  type PlaceName,
  type PreloadState,
  type ServeNotice,
  type ServeOutcome,
  type ServerCode,
  type ServerMessage,
  type ServerMessageOf,
  type ServerProtocol,
  type ThrownError,
  toAddressName,
  toThrownError,
} from './server-message.ts';
import { holdOutput, watchEnd } from './watch-end.ts';
import { Worker } from './worker.ts';

export interface RunnerOptions extends LoadOptions {
  readonly project: Pick<Project, 'root' | 'entryFile'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Options of Node, such as `--import`. */
  readonly nodeOptions: readonly string[];
  /** The time that the server may take to end after it was stopped, milliseconds. */
  readonly graceMs: number;
  /**
   * Names the place that an address means. It is called once for each address, in the order in which the code opens
   * them.
   */
  readonly toPlace: (address: CodeAddress) => PlaceName;
  readonly openPort: (place: PlaceName, address: CodeAddress) => Promise<OpenPort>;
  readonly onPortClosed: (place: PlaceName) => void;
  /** It accepts the connections of a socket by itself from now on. */
  readonly onAccepts: (id: number, handle: ListenHandle) => void;
  /** `lines`: without line feeds; as the code wrote them, escape sequences and all. */
  readonly onOutput: (stream: 'stdout' | 'stderr', lines: readonly string[]) => void;
  readonly onNotice: (notice: ServeNotice) => void;
  /** `ready`: code that has started has opened more. */
  readonly onMessage: (message: ServerMessageOf<'code' | 'requests' | 'jobs' | 'ready'>) => void;
}

interface CutOptions {
  /** The time that it still has to finish what it has, milliseconds. @default until it was replaced for QUICK_MS */
  readonly waitMs?: number;
  /** The time in which it must hear of it, milliseconds. @default BUSY_LIMIT_MS */
  readonly limitMs?: number;
  /** Whether connections are closed, too, on which nothing is under way. @default false */
  readonly closesQuiet?: boolean;
}

/** The time for which a server may be too busy to give up its place, until it is ended, milliseconds. */
const BUSY_LIMIT_MS = 10_000;
/** The time for which a server that is cut may go on, from when it was replaced, milliseconds. */
const QUICK_MS = 1_500;
/** The time that requests have which newer code answers through an old process that must end, milliseconds. */
const PASSED_ON_MS = 1_500;
/** The time for which it may be too busy to hear that another answers, or to close its connections, milliseconds. */
const HEAR_LIMIT_MS = 500;

/** A process of the user's server under `capix dev`: it is booted and waits for the code. */
export class ServerRunner extends Worker<ServeOutcome> {
  /** The places where the server takes connections from the supervisor, with the address that its code wanted. */
  readonly places = new Map<PlaceName, AddressName>();
  ready: ServerMessageOf<'ready'> | undefined;
  /** What the code threw last, where nothing caught it. */
  failed: ServerMessageOf<'failed'> | undefined;
  readonly #channel: ChildChannel<ServerProtocol>;
  readonly #options: RunnerOptions;
  readonly #releaseOutput: () => void;
  /** The connections that it has not taken yet. The first is on its way. */
  readonly #untaken: Connection[] = [];
  /** It may stand at a breakpoint, where it hears nothing. */
  #isInspected = false;
  #replacedAtMs = 0;

  constructor(options: RunnerOptions) {
    const { project, environment, nodeOptions, graceMs } = options;
    const child = startChild<ServerProtocol>(compiledFile('serve/dev-child.js'), {
      output: 'pipe',
      arguments: [project.entryFile],
      // The code may start processes, which load TypeScript too.
      execArgv: [
        '--import',
        pathToFileURL(compiledFile('load/hooks/run-code-child.js')).href,
        ...nodeOptions,
      ],
      cwd: project.root,
      env: environment,
      // Ctrl-C reaches this process only, which ends the child; when it has ended, the child sees its channel close.
      detached: process.platform !== 'win32',
      onNote: (message, handle) => this.#take(message, handle),
      onLastWords: (text) => this.#takeLastWords(text),
    });
    const output = holdOutput(options.onOutput);
    super(child.process, watchEnd(child, output.take), { graceMs });
    this.#releaseOutput = output.release;
    this.#options = options;
    this.#channel = child.channel;
    void this.ended.then((exit) => {
      // What the code threw, where it reported that before it ended.
      const { during = 'run', error } = this.failed ?? {};
      this.settle({ kind: 'failed', during, error, exit });
    });
  }

  get isReplaced(): boolean {
    return this.#replacedAtMs > 0;
  }

  /** Does ahead what the next code will probably need. */
  warm(ahead: CodeAhead): void {
    this.#channel.send({ kind: 'warm', ...ahead });
  }

  preloadState(): Promise<PreloadState> {
    return this.#channel.ask('preload-state', undefined, { limitMs: BUSY_LIMIT_MS });
  }

  /** Loads code and resolves when its server has started, or cannot. */
  run(code: ServerCode): Promise<ServeOutcome> {
    const { records, allowedHosts } = this.#options;
    this.enter('starting');
    this.#releaseOutput();
    this.#channel.send({ kind: 'load', ...code, records, allowedHosts });
    return this.started;
  }

  /** False where there is no failed job of this id. Rejects with what went wrong in its queue. */
  retryJob(key: string, id: string): Promise<boolean> {
    return this.#channel.ask('retry-job', { key, id });
  }

  inspect(port: number, waits: boolean): void {
    this.#isInspected = true;
    this.#channel.send({ kind: 'inspect', port, waits });
  }

  /**
   * Closes the debugger's port. Resolves when the port is closed, or the process has ended: at a breakpoint it hears
   * nothing.
   */
  async endInspecting(): Promise<void> {
    await this.#channel.ask('end-inspecting', undefined).catch(() => {});
    this.#isInspected = false;
  }

  /** Whether it takes a connection of this place now. */
  takes(place: PlaceName): boolean {
    // A server of capix refuses what comes before its transports have started.
    return this.places.has(place) && (isOwnPlace(place) || this.ready?.hasStarted === true);
  }

  /** Hands over a connection of a place that it takes. */
  connect(connection: Connection): void {
    this.#untaken.push(connection);
    if (this.#untaken.length === 1) this.#sendFirst();
  }

  /** Has it accept the connections of a socket of a place that it takes. */
  accept(place: PlaceName, id: number, handle: ListenHandle): void {
    const address = this.places.get(place);
    if (address !== undefined) this.#channel.send({ kind: 'accept', address, id }, handle);
  }

  /** The connections that it has not taken, but for the one on its way, unless the process has ended. */
  takeUntaken(hasEnded = false): readonly Connection[] {
    return this.#untaken.splice(hasEnded ? 0 : 1);
  }

  /** Lets it finish what it has. Resolves when it answers nothing new, or is too busy to say so. */
  async retire(ports: OpenPorts): Promise<void> {
    let hasHeard = false;
    const diverted = this.drain(ports).then(() => {
      hasHeard = true;
    });
    void waitWithin(BUSY_LIMIT_MS, diverted).then(() => {
      if (!hasHeard && !this.#isInspected) void this.stop();
    });
    await waitWithin(HEAR_LIMIT_MS, diverted);
  }

  /** Ends it for a successor that starts only then: it has the grace to finish what it has, and again to end. */
  async makeRoom(): Promise<void> {
    void this.drain();
    await this.cut({ waitMs: this.#options.graceMs, limitMs: HEAR_LIMIT_MS });
  }

  /** Ends what its code has not finished by then, and the process, unless requests to newer code pass through it. */
  async cut({
    waitMs = this.#replacedAtMs + QUICK_MS - performance.now(),
    limitMs = BUSY_LIMIT_MS,
    closesQuiet = false,
  }: CutOptions = {}): Promise<void> {
    await waitWithin(Math.max(0, waitMs), this.drained);
    let isPassedThrough = false;
    const cutting = this.#channel.ask('cut', { closesQuiet }).then(({ requests, passesOn }) => {
      isPassedThrough = passesOn;
      if (requests.length > 0) this.#options.onNotice({ code: 'RequestsCut', requests });
    });
    const settled = cutting.catch(() => {});
    await waitWithin(limitMs, settled);
    if (!isPassedThrough) await this.stop();
  }

  /** Ends it where too many processes run code: requests that newer code answers through it have a limit, too. */
  async leave(): Promise<void> {
    if (this.isReplaced) {
      await this.cut({ closesQuiet: true });
      await waitWithin(PASSED_ON_MS, this.drained);
    }
    await this.stop();
  }

  protected askToDrain(ports: OpenPorts, onDiverted: () => void): Promise<unknown> {
    this.#replacedAtMs = performance.now();
    const own = [...this.places].flatMap(([place, address]) => {
      const open = ports[place];
      return open === undefined ? [] : [[address, open] as const];
    });
    return this.#channel.ask('drain', Object.fromEntries(own), { onProgress: onDiverted });
  }

  protected override async askToEnd(): Promise<void> {
    const { onNotice, graceMs } = this.#options;
    const streams = async (): Promise<void> =>
      this.#channel.ask('end-streams', undefined).catch(() => {});
    if (this.ready !== undefined) await waitWithin(HEAR_LIMIT_MS, streams());
    void this.ended.then(({ reason }) => reason && onNotice({ code: 'Killed', graceMs }));
    await super.askToEnd();
  }

  /** One after the other: where many were on their way, none of them could be had back. */
  #sendFirst(): void {
    const [first] = this.#untaken;
    if (first === undefined) return;
    const address = this.places.get(first.place);
    // Closed since it was handed over.
    if (address === undefined) return this.#endFirst();
    this.#channel.send({ kind: 'connection', address }, first.socket);
  }

  #endFirst(): void {
    this.#untaken.shift()?.socket.destroy();
    this.#sendFirst();
  }

  #take(message: ServerMessage, handle: unknown): void {
    switch (message.kind) {
      case 'listen':
        return void this.#open(message.address);
      case 'close':
        return this.#close(message.address);
      case 'taken':
        return this.#endFirst();
      case 'accepts':
        return this.#options.onAccepts(message.id, handle as ListenHandle);
      case 'failed':
        this.failed = message;
        return;
      case 'ready': {
        const isFirst = this.ready === undefined;
        this.ready = message;
        if (!isFirst) return this.#options.onMessage(message);
        if (this.state === 'starting') this.enter('serving');
        return this.settle(message);
      }
      case 'code':
      case 'requests':
      case 'jobs':
        return this.#options.onMessage(message);
    }
  }

  /** Takes the last requests, and the errors that no code caught, a line each; the last error has ended the process. */
  #takeLastWords(text: string): void {
    const messages = text.split('\n').map((line) => attempt(() => JSON.parse(line) as LastMessage));
    for (const message of messages)
      if (message?.kind === 'requests') this.#options.onMessage(message);
    this.failed ??= messages.findLast((message) => message?.kind === 'failed');
  }

  async #open(address: CodeAddress): Promise<void> {
    const name = toAddressName(address);
    const place = this.#options.toPlace(address);
    try {
      this.#hold(place, name, address);
      const at = await this.#options.openPort(place, address);
      this.#channel.send({ kind: 'opened', address: name, at });
    } catch (thrown) {
      if (this.places.get(place) === name) this.places.delete(place);
      const { port = address.port, isFirst } = thrown as Partial<ThrownError>;
      const error: ThrownError = { ...toThrownError(thrown), stack: '', port, isFirst };
      if (address.isOwn) this.#channel.send({ kind: 'refused', address: name, error });
      else this.settle({ kind: 'failed', during: 'run', error, exit: undefined });
    }
  }

  /** @throws an error as of Node where the code has the place already, by another spelling of its address */
  #hold(place: PlaceName, name: AddressName, { port }: CodeAddress): void {
    const held = this.places.get(place);
    if (held !== undefined && held !== name)
      throw Object.assign(new Error(`listen EADDRINUSE: address already in use ${place}`), {
        code: 'EADDRINUSE',
        syscall: 'listen',
        port,
      });
    this.places.set(place, name);
  }

  #close(address: AddressName): void {
    for (const [place, name] of this.places) {
      if (name !== address) continue;
      this.places.delete(place);
      this.#options.onPortClosed(place);
    }
  }
}
