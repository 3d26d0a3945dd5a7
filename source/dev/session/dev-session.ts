import { dirname } from 'node:path';
import type { ServedRoute } from '../../../server-runtime/server/transport.ts';
import type { CodeNote } from '../../load/hooks/code-note.ts';
import { toInputPaths } from '../../load/watch/code-inputs.ts';
import { toStaleChanges } from '../../load/watch/loaded-code.ts';
import { toProjectPath } from '../../manifest/project.ts';
import type { RoutedRequest } from '../../record/replace-url-secrets.ts';
import type { RequestRecord } from '../../record/request-record.ts';
import type { AskJobs } from '../../serve/jobs/job-news.ts';
import type { ServerCode } from '../../serve/runner/runner-options.ts';
import type { Supervisor } from '../../serve/supervisor.ts';
import type { ReadyOutcome, ServeOutcome } from '../../serve/supervisor-options.ts';
import type { SeenChange } from '../../system/watch/gather-changes.ts';
import type { FileWatcher } from '../../system/watch/watch-files.ts';
import type { DevEvent } from '../dev-event.ts';
import { foldFrames } from '../panes/requests/fold-frames.ts';
import { isToolFrame } from '../panes/requests/is-tool-frame.ts';
import { type RunCode, toExitFailure, toFailedOutcome } from './dev-failure.ts';
import { type DevOptions, withListenVariables } from './dev-options.ts';
import { type DevTools, openDevTools } from './dev-tools.ts';
import { type CodeState, lookAtCode, toCodeAhead, toCodeText, toRunEnd, toServerCode } from './look-at-code.ts';
import { createReadFiles, type ReadFiles } from './read-files.ts';
import { describeFailedStart, type ReadyEvent, toCause, toMissingFiles, toReadyEvent } from './ready-event.ts';
import type { SessionEffect } from './session-effect.ts';
import type { SessionEvent } from './session-event.ts';
import { initialSessionState, toNextStep } from './session-state.ts';
import type { Wanted } from './wanted.ts';

/** The time for which a start may go on when a newer change waits, milliseconds, and its share of the longest. */
const SUPERSEDED_MS = 5_000;
const SUPERSEDED_TIMES = 3;
/** The time in which the first answers of new code are out, and another process has begun to boot, milliseconds. */
const ANSWERS_MS = 50;

/**
 * Runs a server and restarts it with the new code whenever a file changes, until it is stopped. `toNextStep` decides
 * what is to be done; this class does it.
 */
export class DevSession {
  readonly #options: DevOptions;
  readonly #tools: DevTools;
  readonly #supervisor: Pick<Supervisor, 'askJobs' | 'isServing' | 'prepare' | 'serve' | 'stop' | 'warm'>;
  readonly #readFiles: ReadFiles;
  #state = initialSessionState;
  #watcher: FileWatcher | undefined;
  #watching: Promise<FileWatcher> | undefined;
  /** The build or the start that goes on, and what gives it up. */
  #work: Promise<void> = Promise.resolve();
  #attempt = new AbortController();
  /** When the last build began, milliseconds since 1970. */
  #builtSince = Date.now();
  #build: CodeState = { failure: undefined, variables: {}, read: [] };
  /** The wishes for the next run. */
  #hooks: ServerCode['hooks'];
  /** The facts to be told of the last start. */
  #outcome: DevEvent | undefined;
  /** The start of the code that answers. */
  #answering: Wanted | undefined;
  /** More servers of code whose start is not told yet. */
  #late: ReadyOutcome | undefined;
  #started: Wanted = { why: 'start', changes: [], since: performance.now() };
  #isRunning = false;
  readonly #paths = createServedPaths();
  /** The longest start that went well, milliseconds. */
  #longestMs = 0;
  #hasToldLoss = false;
  #rest = (): void => {};

  constructor(options: DevOptions, open: (options: DevOptions) => DevTools = openDevTools) {
    this.#options = { ...options, environment: withListenVariables(options) };
    this.#tools = open(this.#options);
    this.#readFiles = createReadFiles(options);
    this.#hooks = { pauses: options.debuggerWait === 'pause' };
    this.#supervisor = this.#tools.startSupervisor({
      onRequests: (requests) => this.#report({ kind: 'requests', requests: requests.map(this.#paths.withRoute) }),
      onOutput: ({ stream, lines }) => {
        const shown = foldFrames(lines.filter((line) => !isToolFrame(line)));
        if (shown.length > 0) this.#report({ kind: 'output', stream, lines: shown });
      },
      onJobNews: (news) => this.#report(news),
      onCode: (notes) => this.#takeNotes(notes),
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
      this.#watching = this.#tools.watchFiles({
        root: project.root,
        folder: dirname(project.entryFile),
        globs,
        onChange: (changes) => this.#takeChanges(changes),
        onTrouble: (trouble) => this.#report({ kind: 'watch-trouble', trouble }),
      });
      this.#watcher = await this.#watching;
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
    await Promise.all([this.#watching?.then((watcher) => watcher.close()), this.#supervisor.stop()]);
    await this.#work;
    await this.#tools.teller.end();
  }

  #takeChanges(changes: readonly SeenChange[]): void {
    this.#readFiles.take(changes);
    if (changes.length > 0) this.#take({ kind: 'files-changed', changes, at: performance.now() });
  }

  #take(event: SessionEvent): void {
    const { state, effects } = toNextStep(this.#state, event, this.#readFiles.has);
    this.#state = state;
    for (const effect of effects) {
      // A listener may stop the session.
      if (this.#state.phase.name !== 'stopped') this.#do(effect);
    }
    if (/^(idle|calming|stopped)$/.test(this.#state.phase.name)) this.#rest();
  }

  #do(effect: SessionEffect): void {
    const { root } = this.#options.project;
    switch (effect.kind) {
      case 'tell-starting':
        return this.#report({ kind: 'starting', cause: toCause(effect.start, root) });
      case 'build':
        if (effect.isAnew) this.#hooks = { ...this.#hooks, isAnew: true };
        this.#work = this.#look();
        return;
      case 'run':
        this.#work = this.#run(effect.start);
        return;
      case 'watch-inputs':
        return this.#watcher?.add(toInputPaths(effect.inputs), this.#builtSince);
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
        if (this.#options.watches)
          setTimeout(() => this.#supervisor.warm(toCodeAhead(this.#tools.code)), ANSWERS_MS).unref();
    }
  }

  async #look(): Promise<void> {
    this.#attempt = new AbortController();
    this.#builtSince = Date.now();
    this.#build = await lookAtCode(this.#tools.code, this.#options, this.#readFiles);
    const { failure } = this.#build;
    const { code } = this.#tools;
    const at = performance.now();
    if (failure === undefined) return this.#take({ kind: 'built', code: toCodeText(code.toHash(), this.#build), at });
    this.#take({ kind: 'build-failed', reason: JSON.stringify(failure), inputs: code.inputs(), at });
  }

  async #run(start: Wanted): Promise<void> {
    const { code } = this.#tools;
    const started = toServerCode(code, this.#options, this.#hooks);
    this.#hooks = {};
    this.#started = start;
    this.#isRunning = true;
    code.begin();
    const outcome = await this.#supervisor
      .serve({ ...started, environment: this.#build.variables }, this.#attempt.signal)
      .catch(toFailedOutcome);
    this.#isRunning = false;
    code.end(outcome.kind === 'ready');
    if (outcome.kind === 'ready') this.#answering = undefined;
    const durationMs = performance.now() - start.since;
    // The files were touched after the start had ended: what it has written itself has been reported by now.
    const at = performance.now();
    this.#outcome = this.#state.phase.name === 'stopped' ? undefined : await this.#toOutcome(outcome, durationMs);
    this.#take({
      ...toRunEnd(outcome, code, this.#build),
      missing: toMissingFiles(outcome, this.#options.project.root),
      at,
    });
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

  /** Files that are loaded while code starts count at the end of that. */
  #takeNotes(notes: readonly CodeNote[]): void {
    this.#tools.code.take(notes);
    if (this.#isRunning) return;
    this.#take({ kind: 'read', inputs: this.#tools.code.inputs() });
    this.#takeChanges(toStaleChanges(notes));
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
    return { project: this.#options.project, files: [...this.#tools.code.inputs().files] };
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
