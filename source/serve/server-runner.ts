import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import type { Project } from '../manifest/project.ts';
import { compiledFile } from '../package-root.ts';
import { type ChildChannel, type ProcessExit, startChild } from '../system/child-channel.ts';
import { readLines } from '../system/read-lines.ts';
import { waitWithin } from '../system/timing.ts';
import {
  type AddressName,
  type AskedAddress,
  type Connection,
  isOwnAddress,
  type LoadOptions,
  type OpenPort,
  type OpenPorts,
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
import { Worker } from './worker.ts';

export interface RunnerOptions extends LoadOptions {
  readonly project: Pick<Project, 'root' | 'entryFile'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Options of Node, such as `--import`. */
  readonly nodeOptions: readonly string[];
  /** The time that the server may take to end when it is told to, milliseconds. */
  readonly graceMs: number;
  readonly openPort: (address: AskedAddress) => Promise<OpenPort>;
  readonly onPortClosed: (address: AddressName) => void;
  /** `lines`: without line feeds; as the code wrote them, escape sequences and all. */
  readonly onOutput: (stream: 'stdout' | 'stderr', lines: readonly string[]) => void;
  readonly onNotice: (notice: ServeNotice) => void;
  /** `ready`: code that has started has opened more. */
  readonly onMessage: (message: ServerMessageOf<'code' | 'requests' | 'jobs' | 'ready'>) => void;
}

/** The time for which a server may be too busy to give up its place, until it is ended, milliseconds. */
const BUSY_LIMIT_MS = 10_000;
/** The time for which a server that is cut may go on, from when it was replaced, milliseconds. */
const QUICK_MS = 1_500;
/** The time for which it may be too busy to hear that another answers, or to close its connections, milliseconds. */
const HEAR_LIMIT_MS = 500;

/** A process of the user's server under `capix dev`: it is booted and waits for the code. */
export class ServerRunner extends Worker<ServeOutcome> {
  /** The addresses where the server takes connections from the supervisor. */
  readonly addresses = new Set<AddressName>();
  ready: ServerMessageOf<'ready'> | undefined;
  /** The news of what the code threw last, where nothing caught it. */
  failed: ServerMessageOf<'failed'> | undefined;
  readonly channel: ChildChannel<ServerProtocol>;
  readonly #options: RunnerOptions;
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
      // Ctrl-C reaches this process only, which ends the child; when it is gone, the child sees its channel close.
      detached: process.platform !== 'win32',
      onNote: (message) => this.#take(message),
    });
    super(child.process, watchEnd(child, options), { graceMs });
    this.#options = options;
    this.channel = child.channel;
    void this.ended.then((exit) => {
      // What the code threw, where it said so before it ended.
      const { during = 'run', error } = this.failed ?? {};
      this.settle({ kind: 'failed', during, error, exit });
    });
  }

  get isReplaced(): boolean {
    return this.#replacedAtMs > 0;
  }

  /** Loads code and resolves when its server has started, or cannot, or `signal` fires. */
  run(code: ServerCode, signal: AbortSignal): Promise<ServeOutcome> {
    const { records, allowedHosts } = this.#options;
    this.enter('starting');
    signal.addEventListener('abort', () => this.settle({ kind: 'abandoned' }), { once: true });
    this.channel.send({ kind: 'load', ...code, records, allowedHosts });
    return this.started;
  }

  inspect(port: number, waits: boolean): void {
    this.#isInspected = true;
    this.channel.send({ kind: 'inspect', port, waits });
  }

  /** Closes the debugger's port. Resolves when done, or the process is gone: at a breakpoint it hears nothing. */
  async endInspecting(): Promise<void> {
    await this.channel.ask('end-inspecting', undefined).catch(() => {});
    this.#isInspected = false;
  }

  /** Hands a connection over. False when the server does not take it there: the socket is still the caller's. */
  connect(connection: Connection): boolean {
    const { address } = connection;
    // A server of capix refuses what comes before its transports have started.
    if (!this.addresses.has(address) || !(isOwnAddress(address) || this.ready?.hasStarted))
      return false;
    this.#untaken.push(connection);
    if (this.#untaken.length === 1) this.#sendFirst();
    return true;
  }

  /** The connections that it has not taken, but for the one on its way, unless the process is gone. */
  takeUntaken(isGone = false): readonly Connection[] {
    return this.#untaken.splice(isGone ? 0 : 1);
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
    await this.cut(this.#options.graceMs, HEAR_LIMIT_MS);
  }

  /** Ends what its code has not finished by then, and the process, unless requests to newer code come through it. */
  async cut(
    waitMs = this.#replacedAtMs + QUICK_MS - performance.now(),
    limitMs = BUSY_LIMIT_MS,
  ): Promise<void> {
    await waitWithin(Math.max(0, waitMs), this.drained);
    let isPassedThrough = false;
    const cutting = this.channel.ask('cut', undefined).then(({ requests, passesOn }) => {
      isPassedThrough = passesOn;
      if (requests.length > 0) this.#options.onNotice({ code: 'RequestsCut', requests });
    });
    const settled = cutting.catch(() => {});
    await waitWithin(limitMs, settled);
    if (!isPassedThrough) await this.stop();
  }

  protected askToDrain(ports: OpenPorts, onDiverted: () => void): Promise<unknown> {
    this.#replacedAtMs = performance.now();
    return this.channel.ask('drain', ports, { onProgress: onDiverted });
  }

  protected override async askToEnd(): Promise<void> {
    const { onNotice, graceMs } = this.#options;
    const streams = async (): Promise<void> =>
      this.channel.ask('end-streams', undefined).catch(() => {});
    if (this.ready !== undefined) await waitWithin(HEAR_LIMIT_MS, streams());
    void this.ended.then(({ reason }) => reason && onNotice({ code: 'Killed', graceMs }));
    await super.askToEnd();
  }

  /** One after the other: where many were on their way, none of them could be had back. */
  #sendFirst(): void {
    const [first] = this.#untaken;
    if (first !== undefined)
      this.channel.send({ kind: 'connection', address: first.address }, first.socket);
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

  async #open(address: AskedAddress): Promise<void> {
    const name = toAddressName(address);
    this.addresses.add(name);
    try {
      this.channel.send({
        kind: 'opened',
        address: name,
        at: await this.#options.openPort(address),
      });
    } catch (thrown) {
      this.addresses.delete(name);
      const { port = address.port, isFirst } = thrown as Partial<ThrownError>;
      const error: ThrownError = { ...toThrownError(thrown), stack: '', port, isFirst };
      if (address.isOwn) this.channel.send({ kind: 'refused', address: name, error });
      else this.settle({ kind: 'failed', during: 'run', error, exit: undefined });
    }
  }
}

/** The time for which output may come after the process is gone, from its children, milliseconds. */
const LATE_OUTPUT_MS = 1_000;

/** Resolves when all that the process has started is gone, too, and all of its output and messages were given. */
async function watchEnd(
  { channel, process: child }: ReturnType<typeof startChild<ServerProtocol>>,
  { onOutput }: RunnerOptions,
): Promise<ProcessExit> {
  const closed = Promise.all([once(child, 'close'), once(child, 'disconnect')]).catch(() => {});
  for (const stream of ['stdout', 'stderr'] as const) {
    const output = child[stream];
    if (output !== null) readLines(output, (lines) => onOutput(stream, lines));
  }
  const exit = await channel.exited;
  if (child.pid !== undefined) await endProcessGroup(child.pid);
  // Not for ever: a subprocess that the server has set apart keeps its output open.
  await waitWithin(LATE_OUTPUT_MS, closed);
  return exit;
}

/** The time that processes may take to end in their own way, milliseconds. */
const GRACE_MS = 1_000;
const LOOK_EVERY_MS = 20;

/** Ends what a process has started and left behind, by SIGTERM and then by SIGKILL. Windows has no groups. */
async function endProcessGroup(group: number): Promise<void> {
  if (process.platform === 'win32') return;
  const endAt = performance.now() + GRACE_MS;
  for (let isThere = signalGroup(group, 'SIGTERM'); isThere; isThere = signalGroup(group, 0)) {
    if (performance.now() > endAt) return void signalGroup(group, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function signalGroup(group: number, signalName: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signalName);
  } catch {
    return false;
  }
}
