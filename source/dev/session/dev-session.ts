import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServedRoute } from '../../../server-runtime/server/transport.ts';
import { type BuildInputs, findInstallTimes, toMissingPaths } from '../../load/bundle/build-inputs.ts';
import { findUserCodeFiles } from '../../load/bundle/build-user-code.ts';
import { toProjectPath } from '../../manifest/project.ts';
import type { RoutedRequest } from '../../record/replace-url-secrets.ts';
import type { RequestRecord } from '../../record/request-record.ts';
import type { AskJobs } from '../../serve/jobs/job-news.ts';
import type { Supervisor } from '../../serve/supervisor.ts';
import type { ReadyOutcome, ServeOutcome } from '../../serve/supervisor-options.ts';
import type { FileWatcher } from '../../system/watch/watch-files.ts';
import type { DevEvent } from '../dev-event.ts';
import { foldFrames } from '../panes/requests/fold-frames.ts';
import { isToolFrame } from '../panes/requests/is-tool-frame.ts';
import { type Build, buildCode } from './build-code.ts';
import { type RunCode, toExitFailure, toFailedOutcome } from './dev-failure.ts';
import { type DevOptions, withListenVariables } from './dev-options.ts';
import { type DevTools, openDevTools } from './dev-tools.ts';
import { createReadFiles, type ReadFiles } from './read-files.ts';
import { describeFailedStart, type ReadyEvent, toCause, toMissingFiles, toReadyEvent } from './ready-event.ts';
import type { SessionEffect } from './session-effect.ts';
import type { SessionEvent } from './session-event.ts';
import { initialSessionState, toNextStep } from './session-state.ts';
import type { Wanted } from './wanted.ts';

/** The time for which a start may go on when a newer change waits, milliseconds, and its share of the longest one that went well. */
const SUPERSEDED_MS = 5_000;
const SUPERSEDED_TIMES = 3;
/** The time in which the first answers of new code are out, and another process has begun to boot, milliseconds. */
const ANSWERS_MS = 50;

/**
 * Runs a server and restarts it with the new code whenever a file changes, until it is stopped. `toNextStep` decides what is to be done; this
 * class does it.
 */
export class DevSession {
  readonly #options: DevOptions;
  readonly #tools: DevTools;
  readonly #supervisor: Pick<Supervisor, 'askJobs' | 'isServing' | 'prepare' | 'serve' | 'stop' | 'warm'>;
  readonly #readFiles: ReadFiles;
  #state = initialSessionState;
  #watcher: FileWatcher | undefined;
  /** The build or the start that goes on, and what gives it up. */
  #work: Promise<void> = Promise.resolve();
  #attempt = new AbortController();
  /** When the last build began, milliseconds since 1970. */
  #builtSince = Date.now();
  #build: Build = { variables: {} };
  /** The facts to be told of the last start. */
  #outcome: DevEvent | undefined;
  /** The start of the code that answers. */
  #answering: Wanted | undefined;
  /** More servers of code whose start is not told yet. */
  #late: ReadyOutcome | undefined;
  #started: Wanted = { why: 'start', changes: [], since: performance.now() };
  /** Absolute paths of the files that the last code was made of. */
  #files: readonly string[] = [];
  readonly #paths = createServedPaths();
  /** The longest start that went well, milliseconds. */
  #longestMs = 0;
  #hasToldLoss = false;
  #rest = (): void => {};

  constructor(options: DevOptions, open: (options: DevOptions) => DevTools = openDevTools) {
    this.#options = { ...options, environment: withListenVariables(options) };
    this.#tools = open(this.#options);
    this.#readFiles = createReadFiles(options);
    this.#supervisor = this.#tools.startSupervisor({
      onRequests: (requests) => this.#report({ kind: 'requests', requests: requests.map(this.#paths.withRoute) }),
      onOutput: ({ stream, lines }) => {
        const shown = foldFrames(lines.filter((line) => !isToolFrame(line)));
        if (shown.length > 0) this.#report({ kind: 'output', stream, lines: shown });
      },
      onJobNews: (news) => this.#report(news),
      onEntry: (file) => void this.#watchEntry(file),
      onLateStart: (outcome) => this.#takeLate(outcome),
      onEnding: (ended) => this.#takeEnding(ended),
      onNotice: (notice) => this.#report({ kind: 'notice', notice }),
      onExit: (exit, error, isToStartAgain) => {
        this.#report({ kind: 'exited', ...exit, failure: error && toExitFailure(error, this.#runCode()) });
        if (isToStartAgain) this.restart();
      },
    });
  }

  /** Resolves when the first start has come to its end, well or not. */
  async start(): Promise<void> {
    const { project, envFiles, globs, watches } = this.#options;
    this.#supervisor.prepare();
    if (watches) {
      this.#watcher = await this.#tools.watchFiles({
        root: project.root,
        folder: dirname(project.entryFile),
        globs,
        onChange: (changes) => {
          this.#readFiles.take(changes);
          this.#take({ kind: 'files-changed', changes, at: performance.now() });
        },
        onTrouble: (trouble) => this.#report({ kind: 'watch-trouble', trouble }),
      });
      this.#watcher.add(envFiles, Date.now());
    }
    await new Promise<void>((resolve) => {
      this.#rest = resolve;
      this.#take({ kind: 'asked', why: 'start', at: performance.now() });
    });
  }

  /** Starts the server anew with the code as it is. */
  restart(): void {
    this.#take({ kind: 'asked', why: 'restart', at: performance.now() });
  }

  readonly askJobs: AskJobs = (name, question) => this.#supervisor.askJobs(name, question);

  /** Ends the server and all that belongs to it. */
  async stop(): Promise<void> {
    this.#take({ kind: 'stopped' });
    this.#attempt.abort();
    await Promise.all([this.#watcher?.close(), this.#supervisor.stop()]);
    await this.#work;
    await Promise.all([this.#tools.bundler.close(), this.#tools.teller.end()]);
  }

  #take(event: SessionEvent): void {
    const { state, effects } = toNextStep(this.#state, event, this.#readFiles.has);
    this.#state = state;
    for (const effect of effects) {
      // A listener may stop the session.
      if (this.#state.phase.name !== 'stopped' || effect.kind === 'discard') this.#do(effect);
    }
    if (/^(idle|calming|stopped)$/.test(this.#state.phase.name)) this.#rest();
  }

  #do(effect: SessionEffect): void {
    const { root } = this.#options.project;
    switch (effect.kind) {
      case 'tell-starting':
        return this.#report({ kind: 'starting', cause: toCause(effect.start, root) });
      case 'build':
        this.#work = this.#bundle(effect.isAnew);
        return;
      case 'run':
        this.#work = this.#run(effect.start);
        return;
      case 'discard':
        return void this.#build.bundle?.remove();
      case 'watch-inputs':
        return this.#watch(effect.inputs);
      case 'supersede': {
        const attempt = this.#attempt;
        const limitMs = Math.max(SUPERSEDED_MS, SUPERSEDED_TIMES * this.#longestMs);
        return void setTimeout(() => attempt.abort(), limitMs).unref();
      }
      case 'tell-build-failure':
        return this.#tellBuildFailure(effect.start);
      case 'tell-outcome':
        if (this.#outcome !== undefined) this.#report(this.#outcome);
        if (this.#outcome?.kind === 'ready') this.#answering = effect.start;
        if (this.#late !== undefined) this.#takeLate(this.#late);
        this.#late = undefined;
        if (this.#outcome?.kind === 'ready' && this.#started.why === 'change') this.#tellLoss();
        return;
      case 'tell-own-writes':
        return this.#report({ kind: 'own-writes', files: effect.files.map((file) => toProjectPath(file, root)) });
      case 'wait':
        return void setTimeout(
          () => this.#take({ kind: 'waited', wait: effect.wait, at: performance.now() }),
          effect.ms,
        ).unref();
      case 'prepare-build':
        if (this.#options.watches) void this.#prepareBuild();
    }
  }

  async #bundle(isAnew: boolean): Promise<void> {
    const { bundler } = this.#tools;
    this.#attempt = new AbortController();
    this.#builtSince = Date.now();
    this.#build = await buildCode(bundler, this.#options, isAnew);
    const { bundle, failure, isDiskFull = false, variables } = this.#build;
    const read = await this.#readFiles.describe();
    const built = { inputs: bundler.inputs(), at: performance.now() };
    if (bundle === undefined) {
      const reason = JSON.stringify(failure);
      return this.#take({ kind: 'build-failed', reason, isPassing: isDiskFull, ...built });
    }
    const installed = findInstallTimes(built.inputs);
    this.#take({ kind: 'built', code: JSON.stringify([bundle.hash, variables, read, installed]), ...built });
  }

  async #prepareBuild(): Promise<void> {
    const answered = pause(ANSWERS_MS, undefined, { ref: false });
    this.#supervisor.warm(await this.#tools.bundler.prepare(answered));
  }

  async #run(start: Wanted): Promise<void> {
    const { bundle, variables } = this.#build;
    if (bundle === undefined) return;
    const { root } = this.#options.project;
    this.#started = start;
    this.#files = bundle.files;
    const outcome = await this.#supervisor
      .serve({ ...bundle, environment: variables }, this.#attempt.signal)
      .catch(toFailedOutcome);
    if (outcome.kind === 'ready') this.#answering = undefined;
    const durationMs = performance.now() - start.since;
    await bundle.remove();
    // The files were touched after the start had ended: what it has written itself has been reported by now.
    const at = performance.now();
    this.#outcome = this.#state.phase.name === 'stopped' ? undefined : await this.#toOutcome(outcome, durationMs);
    this.#take({ kind: 'ran', wasGivenUp: outcome.kind === 'abandoned', missing: toMissingFiles(outcome, root), at });
  }

  async #toOutcome(outcome: ServeOutcome, durationMs: number): Promise<DevEvent | undefined> {
    if (outcome.kind === 'abandoned') return { kind: 'notice', notice: { code: 'StartGivenUp', durationMs } };
    if (outcome.kind === 'ready') {
      this.#longestMs = Math.max(this.#longestMs, durationMs);
      return this.#toReadyEvent(outcome, this.#started, durationMs);
    }
    const cause = toCause(this.#started, this.#options.project.root);
    return describeFailedStart(outcome, { cause, stillServing: this.#supervisor.isServing }, this.#runCode());
  }

  #toReadyEvent(outcome: ReadyOutcome, start: Wanted, durationMs: number): ReadyEvent {
    const ready = toReadyEvent(outcome, toCause(start, this.#options.project.root), durationMs);
    this.#paths.add(ready.routes);
    return ready;
  }

  /** More is told after the start that it belongs to. */
  #takeLate(outcome: ReadyOutcome): void {
    const start = this.#answering;
    if (start === undefined) this.#late = outcome;
    else this.#report({ ...this.#toReadyEvent(outcome, start, performance.now() - start.since), isLate: true });
  }

  #tellBuildFailure(start: Wanted): void {
    const { failure } = this.#build;
    if (failure === undefined) return;
    const cause = toCause(start, this.#options.project.root);
    this.#report({ kind: 'failed', cause, failure, stillServing: this.#supervisor.isServing });
  }

  /** The files of a process or a thread of the server are read, and not imported. */
  async #watchEntry(entry: string): Promise<void> {
    const files = await findUserCodeFiles(entry, this.#options.project.root);
    this.#readFiles.add(files);
    this.#watcher?.add(files, this.#builtSince);
  }

  #watch(inputs: BuildInputs): void {
    this.#watcher?.add([...inputs.files, ...inputs.settings, ...toMissingPaths(inputs)], this.#builtSince);
  }

  #takeEnding(ended: Promise<void>): void {
    const from = performance.now();
    this.#take({ kind: 'process-ending', at: from });
    void ended.then(() => this.#take({ kind: 'process-ended', from, at: performance.now() }));
  }

  #report(event: DevEvent): void {
    this.#tools.teller.take(event);
    this.#options.report(event);
  }

  #runCode(): RunCode {
    return { project: this.#options.project, files: this.#files };
  }

  /** Tells once, after the first reload, that the code has lost what it kept in memory. */
  #tellLoss(): void {
    if (!this.#hasToldLoss) this.#report({ kind: 'notice', notice: { code: 'MemoryLost' } });
    this.#hasToldLoss = true;
  }
}

/** Paths by capability, of all that was ever served: a request may end after its code has gone. */
interface ServedPaths {
  readonly add: (routes: readonly ServedRoute[]) => void;
  readonly withRoute: (request: RequestRecord) => RoutedRequest;
}

function createServedPaths(): ServedPaths {
  const paths = new Map<string, string>();
  return {
    add: (routes) => routes.forEach(({ key, path }) => void paths.set(key, path)),
    withRoute: (request) => {
      const route = request.capability === undefined ? undefined : paths.get(request.capability);
      return route === undefined ? request : { ...request, route };
    },
  };
}
