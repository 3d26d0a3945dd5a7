import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { toListenVariables } from '../../load/env-files.ts';
import { prepareCompiler } from '../../load/hooks/compile.ts';
import { toImportFailure } from '../../load/load-failure.ts';
import { LoadedCode, type LoadedCodeOptions, toPreloaded } from '../../load/loaded-code.ts';
import type { Load, Wanted } from '../../load/reloader.ts';
import { WatchedCode } from '../../load/watched-code.ts';
import { isCapixFrame } from '../../manifest/find-source-place.ts';
import { toProjectPath } from '../../manifest/project.ts';
import type { RequestRecord } from '../../record/request-record.ts';
import type { ReadyOutcome, ServeOutcome, ServerCode } from '../../serve/server-message.ts';
import type { RunnerOptions } from '../../serve/server-runner.ts';
import { Supervisor, type SupervisorOptions } from '../../serve/supervisor.ts';
import type { Variables } from '../../system/read-variables.ts';
import { watchFiles } from '../../system/watch-files.ts';
import type { DevEvent, StartCause } from './dev-event.ts';
import {
  type DevFailure,
  describeFailedStart,
  type RunCode,
  toExitFailure,
  toFailedOutcome,
  toMissingFiles,
} from './dev-failure.ts';
import type { DevOptions } from './dev-options.ts';
import { SavedWatch, withoutSavedCalls } from './saved-watch.ts';
import { tellServerState } from './tell-server-state.ts';

const systemTools = {
  openCode: (options: LoadedCodeOptions) => new LoadedCode(options),
  openSupervisor: (options: SupervisorOptions) => new Supervisor(options),
  watchFiles,
  tellServerState,
};

export type DevTools = typeof systemTools;

/** The time for which a start may go on when a newer change waits, milliseconds. */
const SUPERSEDED_MS = 10_000;
/** The time for which code that cannot be compiled waits for the rest of a save, milliseconds. */
const SETTLE_MS = 30;
/** The time in which the first answers of new code are out, milliseconds. */
const ANSWERS_MS = 30;

/** Runs a server and restarts it with the new code whenever a file changes, until it is stopped. */
export class DevSession {
  readonly #options: DevOptions;
  readonly #watched: WatchedCode;
  readonly #supervisor: Supervisor;
  readonly #teller: ReturnType<typeof tellServerState>;
  readonly #saved: SavedWatch;
  /** Paths by capability, of all that was ever served: a request may end after its code was replaced. */
  readonly #paths = new Map<string, string>();
  /** The load that goes on, and what gives its start up. */
  #work: Promise<void> = Promise.resolve();
  #attempt = new AbortController();
  #isStopped = false;
  /** The wishes for the next run. */
  #hooks: ServerCode['hooks'];
  /** The start of the code that answers. */
  #answering: Wanted = { why: 'start', files: [], since: performance.now() };
  #hasReportedLoss = false;
  #endFirst = (): void => {};

  constructor(devOptions: DevOptions, tools = systemTools) {
    const options = {
      ...devOptions,
      environment: { ...devOptions.environment, ...toListenVariables(devOptions) },
    };
    // While the first process boots.
    setImmediate(prepareCompiler, options.project.entryFile);
    this.#options = options;
    this.#watched = new WatchedCode(
      {
        ...options,
        load: (load) => {
          this.#work = this.#load(load);
          return this.#work;
        },
        onTrouble: (trouble) => this.#report({ kind: 'watch-trouble', trouble }),
      },
      tools,
    );
    this.#teller = tools.tellServerState(options.project.root);
    this.#saved = new SavedWatch({ ...options, report: (event) => this.#report(event) });
    this.#hooks = { pauses: options.debuggerWait === 'pause' };
    this.#supervisor = tools.openSupervisor({
      ...options,
      onMessage: (message) => this.#take(message),
      onOutput: (stream, lines) => {
        const shown = lines.filter((line) => !isCapixFrame(line));
        if (shown.length > 0) this.#report({ kind: 'output', stream, lines: shown });
      },
      onNotice: (notice) => this.#report({ kind: 'notice', notice }),
      onExit: ({ exitCode, signalName }, error) =>
        this.#report({
          kind: 'exited',
          exitCode,
          signalName,
          failure: error && toExitFailure(error, this.#runCode()),
        }),
    });
  }

  /** Resolves when the first start has ended, well or not. */
  async start(): Promise<void> {
    this.#supervisor.prepare({ modules: [], files: [], packages: [], environment: {} });
    if (this.#options.watches) await this.#watched.watch();
    if (this.#isStopped) return;
    const ended = new Promise<void>((resolve) => {
      this.#endFirst = resolve;
    });
    this.#watched.load('start');
    return ended;
  }

  restart(): void {
    this.#watched.load('restart');
  }

  /** False where there is no failed job of this id. Rejects with what went wrong in its queue. */
  retryJob(key: string, id: string): Promise<boolean> {
    return this.#supervisor.retryJob(key, id);
  }

  /** Makes all saved calls. Gives a sentence about them. */
  runSaved(): Promise<string> {
    return this.#saved.runAll().catch(String);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#saved.stop();
    const closing = this.#watched.close();
    this.#attempt.abort();
    this.#endFirst();
    await Promise.all([closing, this.#supervisor.stop()]);
    await this.#work;
    await this.#teller.end();
  }

  async #load(load: Load): Promise<void> {
    const isAnew =
      load.why === 'restart' || load.files.some((file) => this.#watched.code.isSetting(file));
    if (isAnew) this.#hooks = { ...this.#hooks, isAnew };
    const tellStarting = (): void => this.#report({ kind: 'starting', cause: this.#toCause(load) });
    if (load.why !== 'change') tellStarting();
    // The listener may stop the session.
    if (this.#isStopped) return;
    this.#attempt = new AbortController();
    const failure = this.#findFailure(load);
    if (failure !== undefined) {
      // A save may consist of several events: nobody needs to know that a part of it has failed.
      void this.#watched.addPaths();
      await wait(SETTLE_MS);
      if (this.#isStopped || this.#watched.isBehind()) return;
    }
    if (load.why === 'change') tellStarting();
    if (failure !== undefined) {
      this.#report({
        kind: 'failed',
        cause: this.#toCause(load),
        failure,
        stillServing: this.#supervisor.isServing,
      });
      this.#endFirst();
    } else if (!this.#isStopped) await this.#run(load);
  }

  /** A file that cannot be compiled is found before the start, so that what answers goes on, whatever it holds. */
  #findFailure({ why, files }: Load): DevFailure | undefined {
    const { project } = this.#options;
    try {
      this.#watched.code.expectSound(why === 'change' ? files : [project.entryFile]);
      return undefined;
    } catch (error) {
      return toImportFailure(error, project, []);
    }
  }

  async #run(load: Load): Promise<void> {
    const { project, watches, nodeOptions } = this.#options;
    const attempt = this.#attempt;
    // A start that takes long is abandoned while something newer waits.
    const limit = (): void => void setTimeout(() => attempt.abort(), SUPERSEDED_MS).unref();
    if (load.newer.aborted) limit();
    else load.newer.addEventListener('abort', limit, { once: true });
    const packages = [...this.#watched.code.packages().values()];
    const hooks = this.#hooks;
    this.#hooks = {};
    const url = pathToFileURL(project.entryFile).href;
    const serve = async (environment: Variables) => {
      const code = { url, environment, hooks };
      const outcome = await this.#supervisor
        .serve(code, packages, attempt.signal)
        .catch(toFailedOutcome);
      return { kind: outcome.kind, outcome, environment };
    };
    const { outcome, environment } = await this.#watched.code.load(serve);
    this.#watched.miss(toMissingFiles(outcome, project.root));
    if (this.#isStopped) return;
    const isPart = outcome.kind === 'failed' && this.#watched.isBehind();
    if (!isPart) await this.#tellOutcome(outcome, load);
    const isRepeatable = outcome.kind === 'ready' && outcome.isRepeatable;
    const preloads = this.#options.preloads && isRepeatable;
    // What such an option names is read anew by each process, and may have been saved meanwhile.
    if (watches && !nodeOptions.some((option) => /^(?:--import|--require|-r)\b/.test(option)))
      setTimeout(() => this.#prepare(preloads, environment), ANSWERS_MS);
  }

  /** The next code is taken to need what this code has. */
  #prepare(preloads: boolean, environment: Variables): void {
    const { code } = this.#watched;
    const urls = code.packages();
    const modules = ['capix', 'zod'].flatMap((name) => urls.get(name) ?? []);
    const packages = preloads ? toPreloaded(urls) : [];
    this.#supervisor.prepare({ modules, files: [...code.files()], packages, environment });
  }

  async #tellOutcome(outcome: ServeOutcome, load: Load): Promise<void> {
    if (outcome.kind === 'abandoned') {
      const durationMs = performance.now() - load.since;
      return this.#report({ kind: 'notice', notice: { code: 'StartGivenUp', durationMs } });
    }
    if (outcome.kind === 'ready') {
      this.#answering = load;
      this.#tellReady(outcome, load);
      if (load.why === 'change' && !this.#hasReportedLoss) {
        this.#hasReportedLoss = true;
        this.#report({ kind: 'notice', notice: { code: 'MemoryLost' } });
      }
    } else {
      const standing = { cause: this.#toCause(load), stillServing: this.#supervisor.isServing };
      const event = await describeFailedStart(outcome, standing, this.#runCode());
      if (!this.#isStopped) this.#report(event);
    }
    this.#endFirst();
  }

  #tellReady({ running, ports }: ReadyOutcome, start: Wanted, isLate?: true): void {
    const urls = running.flatMap(({ url }) => url ?? []);
    const networkUrls = running.flatMap((transport) => transport.networkUrls ?? []);
    const isOpen = running.some((transport) => transport.networkUrls !== undefined);
    // A server that listens, and has a handler besides, tells of its routes twice.
    const named = running
      .flatMap(({ routes }) => routes)
      .map((route) => [`${route.method} ${route.path} ${route.key}`, route] as const);
    const routes = [...new Map(named).values()];
    for (const { key, path } of routes) this.#paths.set(key, path);
    this.#report({
      kind: 'ready',
      cause: this.#toCause(start),
      ...(isLate && { isLate }),
      durationMs: performance.now() - start.since,
      urls: urls.length > 0 ? urls : ports.map((port) => `http://localhost:${port}`),
      networkUrls: isOpen ? networkUrls : undefined,
      routes,
      notes: running.flatMap(({ notes = [] }) => notes),
    });
  }

  #take(message: Parameters<RunnerOptions['onMessage']>[0]): void {
    if (message.kind === 'jobs') return this.#report(message);
    if (message.kind === 'ready') return this.#tellReady(message, this.#answering, true);
    if (message.kind === 'requests') {
      const withRoute = (request: RequestRecord) => ({
        ...request,
        route: this.#paths.get(request.capability ?? ''),
      });
      return this.#report({ kind: 'requests', requests: message.requests.map(withRoute) });
    }
    this.#watched.take(message.notes);
  }

  #report(event: DevEvent): void {
    this.#teller.take(event);
    this.#options.report(withoutSavedCalls(event));
    this.#saved.take(event);
  }

  #toCause({ why, files }: Wanted): StartCause {
    const { root } = this.#options.project;
    return why === 'change'
      ? { kind: why, files: files.map((file) => toProjectPath(file, root)) }
      : { kind: why };
  }

  #runCode(): RunCode {
    return { project: this.#options.project, files: [...this.#watched.code.files()] };
  }
}
