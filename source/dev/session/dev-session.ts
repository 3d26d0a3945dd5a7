import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { toListenVariables } from '../../load/env-files.ts';
import type { CodeNote } from '../../load/hooks/code-note.ts';
import { type LoadFailure, toImportFailure } from '../../load/load-failure.ts';
import { type Load, Reloader, type Wanted } from '../../load/reloader.ts';
import type { ReadyOutcome, ServerCode } from '../../serve/server-message.ts';
import type { ServeOutcome } from '../../serve/server-runner.ts';
import type { Supervisor } from '../../serve/supervisor.ts';
import type { FileWatcher } from '../../system/watch-files.ts';
import type { DevEvent } from './dev-event.ts';
import { type RunCode, toExitFailure, toFailedOutcome } from './dev-failure.ts';
import type { DevOptions } from './dev-options.ts';
import { type DevTools, openDevTools } from './dev-tools.ts';
import {
  createServedPaths,
  describeFailedStart,
  type ReadyEvent,
  toCause,
  toMissingFiles,
  toReadyEvent,
} from './ready-event.ts';
import { isCapixFrame } from './stack-frames.ts';

/** The time for which a start may go on when a newer change waits, milliseconds. */
const SUPERSEDED_MS = 10_000;
/** The time for which code that cannot be compiled waits for the rest of a save, milliseconds. */
const SETTLE_MS = 30;
/** The time in which the first answers of new code are out, and another process has begun to boot, milliseconds. */
const ANSWERS_MS = 50;

/** Runs a server and restarts it with the new code whenever a file changes, until it is stopped. */
export class DevSession {
  readonly #options: DevOptions;
  readonly #code: ReturnType<DevTools['openCode']>;
  readonly #tools: DevTools;
  readonly #supervisor: Pick<Supervisor, 'retryJob' | 'isServing' | 'prepare' | 'serve' | 'stop' | 'warm'>;
  readonly #reloader: Reloader;
  readonly #paths = createServedPaths();
  /** Files that the code reads and does not import, of those that have changed. */
  readonly #read = new Set<string>();
  #unfound: readonly string[] = [];
  #watcher: FileWatcher | undefined;
  #watching: Promise<FileWatcher> | undefined;
  /** The load that goes on, and what gives its start up. */
  #work: Promise<void> = Promise.resolve();
  #attempt = new AbortController();
  #isStarting = false;
  #isStopped = false;
  /** The wishes for the next run. */
  #hooks: ServerCode['hooks'];
  /** The start of the code that answers. */
  #answering: Wanted = { why: 'start', files: [], since: performance.now() };
  /** The user knows that the code loses what it keeps in memory. */
  #hasToldLoss = false;
  #endFirst = (): void => {};

  constructor(options: DevOptions, open: (options: DevOptions) => DevTools = openDevTools) {
    this.#options = { ...options, environment: { ...options.environment, ...toListenVariables(options) } };
    this.#tools = open(this.#options);
    this.#code = this.#tools.openCode(this.#read);
    this.#hooks = { pauses: options.debuggerWait === 'pause' };
    this.#reloader = new Reloader({
      code: this.#code,
      counts: (file) => this.#code.counts(file) || this.#isMatched(file) || this.#unfound.includes(file),
      load: (load) => (this.#work = this.#load(load)),
    });
    this.#supervisor = this.#tools.startSupervisor({
      onRequests: (requests) => this.#report({ kind: 'requests', requests: requests.map(this.#paths.withRoute) }),
      onOutput: ({ stream, lines }) => {
        const shown = lines.filter((line) => !isCapixFrame(line));
        if (shown.length > 0) this.#report({ kind: 'output', stream, lines: shown });
      },
      onJobNews: (news) => this.#report(news),
      onCode: (notes) => this.#takeNotes(notes),
      onLateStart: (outcome) => this.#report({ ...this.#toReadyEvent(outcome, this.#answering), isLate: true }),
      onNotice: (notice) => this.#report({ kind: 'notice', notice }),
      onExit: (exit, error) =>
        this.#report({ kind: 'exited', ...exit, failure: error && toExitFailure(error, this.#runCode()) }),
    });
  }

  /** Resolves when the first start has come to its end, well or not. */
  async start(): Promise<void> {
    const { project, envFiles, globs, watches } = this.#options;
    this.#supervisor.prepare();
    if (watches) {
      this.#watching = this.#tools.watchFiles({
        root: project.root,
        folder: dirname(project.entryFile),
        globs,
        onChange: (files) => {
          for (const file of files) if (this.#isMatched(file)) this.#read.add(file);
          this.#reloader.take(files);
        },
        onTrouble: (trouble) => this.#report({ kind: 'watch-trouble', trouble }),
      });
      this.#watcher = await this.#watching;
      this.#watcher.add(envFiles);
    }
    if (this.#isStopped) return;
    const ended = new Promise<void>((resolve) => (this.#endFirst = resolve));
    this.#reloader.ask('start');
    return ended;
  }

  restart(): void {
    this.#reloader.ask('restart');
  }

  /** False where there is no failed job of this id. Rejects with what went wrong in its queue. */
  retryJob(key: string, id: string): Promise<boolean> {
    return this.#supervisor.retryJob(key, id);
  }

  /** Ends the server and all that belongs to it. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#reloader.end();
    this.#attempt.abort();
    this.#endFirst();
    await Promise.all([this.#watching?.then((watcher) => watcher.close()), this.#supervisor.stop()]);
    await this.#work;
    await this.#tools.teller.end();
  }

  #isMatched(file: string): boolean {
    return this.#options.globs.some(({ matches }) => matches(file));
  }

  async #load(load: Load): Promise<void> {
    const isAnew = load.why === 'restart' || load.files.some((file) => this.#code.isSetting(file));
    if (isAnew) this.#hooks = { ...this.#hooks, isAnew };
    if (load.why !== 'change') this.#tellStarting(load);
    // Who is told may stop the session.
    if (this.#isStopped) return;
    this.#attempt = new AbortController();
    const failure = this.#findFailure(load);
    if (failure !== undefined) return this.#takeFailure(failure, load);
    if (load.why === 'change') this.#tellStarting(load);
    if (!this.#isStopped) await this.#run(load);
  }

  /** A file that cannot be compiled is found before the start, so that what answers goes on, whatever it holds. */
  #findFailure({ why, files }: Load): LoadFailure | undefined {
    const { project } = this.#options;
    try {
      this.#code.expectSound(why === 'change' ? files : [project.entryFile]);
      return undefined;
    } catch (error) {
      return toImportFailure(error, project, []);
    }
  }

  /** A save may come in parts: nobody needs to know that a part of it has failed. */
  async #takeFailure(failure: LoadFailure, load: Load): Promise<void> {
    this.#watch();
    await wait(SETTLE_MS);
    if (this.#isStopped || this.#reloader.isBehind()) return;
    if (load.why === 'change') this.#tellStarting(load);
    this.#report({ kind: 'failed', cause: this.#toCause(load), failure, stillServing: this.#supervisor.isServing });
    this.#endFirst();
  }

  async #run(load: Load): Promise<void> {
    const { signal } = this.#attempt;
    this.#limitSuperseded(load.newer);
    const url = pathToFileURL(this.#options.project.entryFile).href;
    const packages = [...this.#code.packages().values()];
    const hooks = this.#hooks;
    this.#hooks = {};
    this.#isStarting = true;
    const environment = this.#code.begin();
    const outcome = await this.#supervisor.serve({ url, environment, hooks }, packages, signal).catch(toFailedOutcome);
    this.#isStarting = false;
    this.#code.end(outcome.kind === 'ready');
    if (outcome.kind === 'abandoned') this.#code.forget();
    this.#unfound = toMissingFiles(outcome, this.#options.project.root);
    this.#watch();
    if (this.#isStopped) return;
    const isPart = outcome.kind === 'failed' && this.#reloader.isBehind();
    if (!isPart) await this.#tellOutcome(outcome, load);
    if (this.#options.watches) setTimeout(() => this.#warmNext(), ANSWERS_MS).unref();
  }

  /** A start is given up that takes long while something newer waits. */
  #limitSuperseded(newer: AbortSignal): void {
    const attempt = this.#attempt;
    const limit = (): void => void setTimeout(() => attempt.abort(), SUPERSEDED_MS).unref();
    if (newer.aborted) limit();
    else newer.addEventListener('abort', limit, { once: true });
  }

  /** The next code is taken to need what this code has. Of the packages, two alone may run before its first file. */
  #warmNext(): void {
    const urls = this.#code.packages();
    const modules = ['capix', 'zod'].flatMap((name) => urls.get(name) ?? []);
    this.#supervisor.warm({ modules, files: [...this.#code.files()] });
  }

  async #tellOutcome(outcome: ServeOutcome, load: Load): Promise<void> {
    const durationMs = performance.now() - load.since;
    if (outcome.kind === 'abandoned')
      return this.#report({ kind: 'notice', notice: { code: 'StartGivenUp', durationMs } });
    if (outcome.kind === 'ready') {
      this.#answering = load;
      this.#report(this.#toReadyEvent(outcome, load));
      if (load.why === 'change' && !this.#hasToldLoss) {
        this.#hasToldLoss = true;
        this.#report({ kind: 'notice', notice: { code: 'MemoryLost' } });
      }
    } else {
      const standing = { cause: this.#toCause(load), stillServing: this.#supervisor.isServing };
      const event = await describeFailedStart(outcome, standing, this.#runCode());
      if (!this.#isStopped) this.#report(event);
    }
    this.#endFirst();
  }

  #toReadyEvent(outcome: ReadyOutcome, start: Wanted): ReadyEvent {
    const ready = toReadyEvent(outcome, this.#toCause(start), performance.now() - start.since);
    this.#paths.add(ready.routes);
    return ready;
  }

  /** Files that are loaded while code starts count at the end of that. */
  #takeNotes(notes: readonly CodeNote[]): void {
    const stale = this.#code.take(notes);
    if (this.#isStarting) return;
    this.#watch();
    this.#reloader.take(stale);
  }

  #watch(): void {
    this.#watcher?.add([...this.#code.paths(), ...this.#unfound]);
  }

  #tellStarting(start: Wanted): void {
    this.#report({ kind: 'starting', cause: this.#toCause(start) });
  }

  #report(event: DevEvent): void {
    this.#tools.teller.take(event);
    this.#options.report(event);
  }

  #toCause(start: Wanted): ReturnType<typeof toCause> {
    return toCause(start, this.#options.project.root);
  }

  #runCode(): RunCode {
    return { project: this.#options.project, files: [...this.#code.files()] };
  }
}
