import { dirname, join, relative, resolve } from 'node:path';
import { type BuildInputs, isBuildInput, noInputs, toMissingPaths } from '../load/bundle/build-inputs.ts';
import { createServerBundler, type ServerBundler } from '../load/bundle/server-bundler.ts';
import { type ChangeFilter, createChangeFilter } from '../load/change-filter.ts';
import { type Project, toProjectPath } from '../manifest/project.ts';
import { packageRoot } from '../package-root.ts';
import type { RoutedRequest } from '../record/replace-url-secrets.ts';
import type { RequestRecord } from '../record/request-record.ts';
import type { Recording, ThrownError } from '../serve/server-message.ts';
import { type ServeOutcome, Supervisor } from '../serve/supervisor.ts';
import { findPortOwner } from '../system/find-port-owner.ts';
import { findStats } from '../system/find-stats.ts';
import { isBuildSetting } from '../system/is-build-setting.ts';
import { readVariables } from '../system/read-variables.ts';
import { type FileWatcher, watchFiles } from '../system/watch-files.ts';
import type { DevEvent, StartCause } from './dev-event.ts';
import { toExitFailure, toStartFailure } from './dev-failure.ts';
import { isToolFrame } from './panes/requests/is-tool-frame.ts';
import { type ServerTeller, tellServerState } from './tell-server-state.ts';

export interface DevOptions {
  /** `configFile` is the entry of the server. */
  readonly project: Project;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute paths of files with variables for the server, the last one first; they need not be there. */
  readonly envFiles: readonly string[];
  /** Port in place of the server's own. */
  readonly port?: number | undefined;
  /** Host in place of the server's own. */
  readonly host?: string | undefined;
  readonly inspectPort?: number | undefined;
  /** Whether a change restarts. */
  readonly watches: boolean;
  /** What is told of requests. */
  readonly records: Recording;
  readonly report: (event: DevEvent) => void;
}

/** A start that waits for its turn. */
interface Wanted {
  readonly cause: StartCause;
  /** `performance.now()` of the first change that it is for. */
  readonly since: number;
}

/** How long a start may go on when a newer change waits, milliseconds. */
const SUPERSEDED_MS = 1_000;
/** How long a fault waits for the rest of a save that came in parts, milliseconds. */
const SETTLE_MS = 30;

/** Runs a server, and keeps it at the state of its code until it is stopped. */
export class DevSession {
  readonly #options: DevOptions;
  readonly #bundler: ServerBundler;
  readonly #supervisor: Supervisor;
  readonly #teller: ServerTeller;
  readonly #filter: ChangeFilter;
  #watcher: FileWatcher | undefined;
  #files: ReadonlySet<string> = new Set();
  #inputs: BuildInputs = noInputs;
  #wanted: Wanted | undefined;
  #work: Promise<void> | undefined;
  #attempt = new AbortController();
  /** What was started last, well or not: its code with its environment, and when that start had come to its end, milliseconds since 1970. */
  #tried: { readonly code: string; readonly endedAt: number } | undefined;
  /** Path by capability, of all that was ever served: a request may end after its code has gone. */
  readonly #paths = new Map<string, string>();
  /** What the last start was for. */
  #lastServed: Wanted = { cause: { kind: 'start' }, since: performance.now() };
  #isStopped = false;

  constructor(options: DevOptions) {
    const { project, envFiles, port, host, inspectPort, watches } = options;
    const environment = withListenVariables(options);
    this.#teller = tellServerState(project.root);
    const report = (event: DevEvent): void => {
      this.#teller.take(event);
      options.report(event);
    };
    this.#options = { ...options, environment, report };
    this.#bundler = createServerBundler(project);
    this.#filter = createChangeFilter(() => this.#inputs, envFiles);
    this.#supervisor = new Supervisor({
      childFile: join(packageRoot(), 'dist', 'source', 'serve', 'dev-child.js'),
      entryFile: project.configFile,
      workingDirectory: project.root,
      environment,
      port,
      host,
      inspectPort,
      keepsSpare: watches,
      records: options.records,
      onRequests: (requests) => report({ kind: 'requests', requests: requests.map((each) => this.#withRoute(each)) }),
      onOutput: ({ stream, lines }) => {
        const shown = lines.filter((line) => !isToolFrame(line));
        if (shown.length > 0) report({ kind: 'output', stream, lines: shown });
      },
      onLateStart: (outcome) => void this.#reportOutcome(outcome, this.#lastServed),
      onExit: (exit, error) =>
        report({
          kind: 'exited',
          ...exit,
          failure: error && toExitFailure(error, { project, files: [...this.#files] }),
        }),
    });
  }

  /** Resolves when the first start has come to its end, well or not. */
  async start(): Promise<void> {
    const { project, envFiles, watches } = this.#options;
    this.#supervisor.prepare();
    if (watches) {
      const folder = dirname(project.configFile);
      this.#watcher = await watchFiles({
        root: project.root,
        folder,
        onChange: (files) => this.#takeChange(this.#filter.pick(files)),
        onTrouble: (trouble) => this.#options.report({ kind: 'watch-trouble', trouble }),
      });
      this.#watcher.add(envFiles, Date.now());
    }
    this.#want({ kind: 'start' });
    await this.#work;
  }

  /** Starts the server anew with the code as it is. */
  restart(): void {
    this.#want({ kind: 'restart' });
  }

  /** Ends the server and all that belongs to it. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#attempt.abort();
    await Promise.all([this.#watcher?.close(), this.#supervisor.stop()]);
    await this.#work;
    await Promise.all([this.#bundler.close(), this.#teller.end()]);
  }

  #takeChange(files: readonly string[]): void {
    const { root } = this.#options.project;
    if (files.length > 0) this.#want({ kind: 'change', files: files.map((file) => toProjectPath(file, root)) });
  }

  #want(cause: StartCause): void {
    if (this.#isStopped) return;
    this.#wanted = { cause: joinCauses(this.#wanted?.cause, cause), since: this.#wanted?.since ?? performance.now() };
    const attempt = this.#attempt;
    setTimeout(() => attempt.abort(), SUPERSEDED_MS).unref();
    this.#work ??= this.#workOff().finally(() => {
      this.#work = undefined;
    });
  }

  async #workOff(): Promise<void> {
    while (this.#wanted !== undefined && !this.#isStopped) {
      const wanted = this.#wanted;
      this.#wanted = undefined;
      this.#attempt = new AbortController();
      await this.#serve(wanted, this.#attempt.signal);
    }
  }

  async #serve(wanted: Wanted, signal: AbortSignal): Promise<void> {
    const { report, environment, envFiles, project } = this.#options;
    const { cause } = wanted;
    if (cause.kind !== 'change') report({ kind: 'starting', cause });
    const isBuiltAnew = cause.kind === 'restart' || (cause.kind === 'change' && cause.files.some(isBuildSetting));
    if (isBuiltAnew) await this.#bundler.reset();
    const bundle = await this.#bundle();
    const variables = readVariables(envFiles, environment);
    const code = bundle.kind === 'bundled' ? JSON.stringify([bundle.hash, variables]) : '';
    if (bundle.kind === 'bundled' && cause.kind === 'change' && this.#wasTried(code, cause.files))
      return bundle.remove();
    if (cause.kind === 'change') report({ kind: 'starting', cause });
    if (bundle.kind === 'failed') {
      if (await this.#isSuperseded()) return;
      return report({ kind: 'failed', cause, failure: bundle.failure, stillServing: this.#supervisor.isServing });
    }
    this.#files = new Set(bundle.files);
    const outcome = await this.#supervisor.serve({ ...bundle, environment: variables }, signal);
    await bundle.remove();
    this.#lastServed = wanted;
    this.#tried = outcome.kind === 'abandoned' ? undefined : { code, endedAt: Date.now() };
    if (outcome.kind === 'failed')
      this.#watchInputs(withMissingFile(this.#inputs, outcome.error, project.root), bundle.builtAt);
    if (this.#isStopped) return;
    if (this.#options.watches) void this.#bundler.prepare();
    await this.#reportOutcome(outcome, wanted);
  }

  async #bundle(): ReturnType<ServerBundler['bundle']> {
    const beganAt = Date.now();
    this.#filter.begin();
    const bundle = await this.#bundler.bundle();
    this.#watchInputs(this.#bundler.inputs(), beganAt);
    this.#takeChange(this.#filter.end());
    return bundle;
  }

  #watchInputs(inputs: BuildInputs, since: number): void {
    this.#inputs = inputs;
    this.#watcher?.add([...inputs.files, ...toMissingPaths(inputs)], since);
  }

  /**
   * Whether this code was started last, and the files that it was made of have not changed since: one save may be seen as two, and a server
   * may write at its start what it imports. A later save that changes nothing starts it all the same.
   */
  #wasTried(code: string, files: readonly string[]): boolean {
    if (code !== this.#tried?.code) return false;
    const { endedAt } = this.#tried;
    const { root } = this.#options.project;
    return files
      .map((file) => resolve(root, file))
      .every((file) => {
        const changedAt = findStats(file)?.ctimeMs ?? Number.POSITIVE_INFINITY;
        return changedAt < endedAt && isBuildInput(file, this.#inputs, this.#options.envFiles);
      });
  }

  async #reportOutcome(outcome: ServeOutcome, { cause, since }: Wanted): Promise<void> {
    const { project, report } = this.#options;
    const stillServing = this.#supervisor.isServing;
    if (outcome.kind === 'ready') {
      const durationMs = performance.now() - since;
      const told = outcome.running.flatMap(({ url }) => url ?? []);
      const urls = told.length > 0 ? told : outcome.ports.map((port) => `http://localhost:${port}`);
      const open = outcome.running.flatMap(({ networkUrls: own }) => (own === undefined ? [] : [own]));
      const networkUrls = open.length === 0 ? undefined : open.flat();
      const routes = outcome.running.flatMap(({ routes }) => routes);
      for (const { key, path } of routes) this.#paths.set(key, path);
      return report({ kind: 'ready', cause, durationMs, urls, networkUrls, routes });
    }
    if (outcome.kind === 'abandoned') return;
    if (outcome.error?.code === 'EADDRINUSE' && outcome.error.port !== undefined) {
      const { port } = outcome.error;
      return report({ kind: 'port-taken', cause, port, owner: await findPortOwner(port), stillServing });
    }
    report({
      kind: 'failed',
      cause,
      failure: toStartFailure(outcome, { project, files: [...this.#files] }),
      stillServing,
    });
  }

  #withRoute(request: RequestRecord): RoutedRequest {
    const route = request.capability === undefined ? undefined : this.#paths.get(request.capability);
    return route === undefined ? request : { ...request, route };
  }

  /** Whether a save that is still being written is the reason for a fault. */
  async #isSuperseded(): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    return this.#wanted !== undefined;
  }
}

/** The server is told where it listens, whatever shell and env file say. */
function withListenVariables({ environment, port, host }: DevOptions): DevOptions['environment'] {
  return {
    ...environment,
    ...(port === undefined ? {} : { PORT: String(port) }),
    ...(host === undefined ? {} : { HOST: host }),
  };
}

/** A start that failed for a file that is not there may come to another end when it is. */
function withMissingFile(inputs: BuildInputs, error: ThrownError | undefined, root: string): BuildInputs {
  if (error?.code !== 'ENOENT' || error.path === undefined) return inputs;
  const file = resolve(root, error.path);
  if (relative(root, file).startsWith('..')) return inputs;
  return { ...inputs, missing: [...inputs.missing, { text: file, folder: root }] };
}

function joinCauses(before: StartCause | undefined, cause: StartCause): StartCause {
  if (before?.kind === 'change' && cause.kind === 'change')
    return { kind: 'change', files: [...new Set([...before.files, ...cause.files])] };
  return before?.kind === 'start' ? before : cause;
}
