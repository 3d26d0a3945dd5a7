import { CliError } from '../cli/cli-error.ts';
import { toReportText } from '../cli/report-failure.ts';
import type { McpValues } from '../flags/mcp-flags.ts';
import { toEnvFiles } from '../load/env-files.ts';
import { expectProject } from '../load/expect-project.ts';
import { WatchedCode } from '../load/watched-code.ts';
import { waitWithin } from '../system/timing.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toCount } from '../values/count.ts';
import { type LoadedOffers, startToolsProcess, type ToolsProcess } from './tools-process.ts';

/** The time that calls under way have after Ctrl-C, milliseconds. */
const GRACE_MS = 1_000;

interface Waiting {
  readonly resolve: (process: ToolsProcess) => void;
  readonly reject: (reason: Error) => void;
}

/** The tools of a project after each save: one process has the newest code, earlier ones only finish. */
export class LiveTools {
  /** Called when other code has been loaded over that of before. Gives the lists whose changes clients hear of. */
  onChange: (before: LoadedOffers, now: LoadedOffers) => readonly string[] = () => [];
  /** Called with what clients should find in their log. */
  onTrouble: (text: string) => void = () => {};
  readonly #options: McpValues;
  readonly #terminal: Terminal;
  readonly #secret: string;
  readonly #project: ReturnType<typeof expectProject>;
  readonly #watched: WatchedCode;
  /** All that run; the last one was started last. */
  readonly #processes = new Set<ToolsProcess>();
  #current: ToolsProcess | undefined;
  #offers: LoadedOffers | undefined;
  #isLoading = true;
  /** Requests that wait for code. */
  #waiting: Waiting[] = [];

  /** @throws CliError `NoProject`, `NoEnvFile` */
  constructor(options: McpValues, terminal: Terminal, secret: string) {
    const place = { ...options, workingDirectory: terminal.workingDirectory() };
    this.#options = options;
    this.#terminal = terminal;
    this.#secret = secret;
    this.#project = expectProject(place);
    this.#watched = new WatchedCode({
      project: this.#project,
      envFiles: toEnvFiles(this.#project.root, place),
      load: ({ files }) => this.#load(files),
      onTrouble: ({ message, hint }) => terminal.writeError(`[capix] ${message} ${hint}\n`),
    });
    void this.#watched.watch();
    this.#watched.load('start');
  }

  /** The tools of the newest code. Only once `take` has resolved. */
  get offers(): LoadedOffers {
    return this.#offers as LoadedOffers;
  }

  /** Absolute path of the project. */
  get root(): string {
    return this.#project.root;
  }

  /** The process with the newest code, started again where it has ended. Rejects where the code does not load. */
  async take(): Promise<ToolsProcess> {
    if (this.#current !== undefined) return this.#current;
    const found = new Promise<ToolsProcess>(
      (resolve, reject) => void this.#waiting.push({ resolve, reject }),
    );
    if (!this.#isLoading) this.#watched.load('restart');
    return found;
  }

  async close(): Promise<void> {
    this.#current = undefined;
    const processes = [...this.#processes];
    for (const each of processes) each.end();
    await waitWithin(GRACE_MS, Promise.all(processes.map(({ exited }) => exited)));
    for (const each of processes) each.kill();
    await this.#watched.close();
  }

  async #load(files: readonly string[]): Promise<void> {
    this.#isLoading = true;
    const process = this.#startProcess();
    const { header, context, only, readOnly } = this.#options;
    const options = { header, context, only, readOnly };
    const answer = await this.#watched.code.load((variables) =>
      process.load({ project: this.#project, variables, options, secret: this.#secret }),
    );
    if (answer.kind === 'loaded') this.#use(process, answer.offers, files.length);
    else {
      process.kill();
      this.#fail(new CliError(answer.error));
    }
    this.#isLoading = false;
  }

  #startProcess(): ToolsProcess {
    const process: ToolsProcess = startToolsProcess((notes) => {
      if ([...this.#processes].at(-1) === process) this.#watched.take(notes);
    });
    this.#processes.add(process);
    void process.exited.then((reason) => {
      this.#processes.delete(process);
      // This process ended it, or the load reports it.
      if (this.#current !== process) return;
      this.#current = undefined;
      const text = `The project's code ${reason}. It is started again with the next request or save.`;
      this.#terminal.writeError(`[capix] ${text}\n`);
      this.onTrouble(text);
    });
    return process;
  }

  #use(process: ToolsProcess, offers: LoadedOffers, count: number): void {
    const before = this.#current;
    const known = this.#offers;
    this.#current = process;
    this.#offers = offers;
    for (const { resolve } of this.#waiting.splice(0)) resolve(process);
    before?.end();
    if (known === undefined) return;
    const changed = this.onChange(known, offers);
    const cause = count === 0 ? '' : ` after a change of ${toCount(count, 'file')}`;
    const effect = changed.length === 0 ? '' : `; clients are told of other ${changed.join(', ')}`;
    this.#terminal.writeError(`[capix] Loaded again${cause}${effect}.\n`);
  }

  /** Code that cannot be loaded ends a session that has not begun; later the tools of before stay. */
  #fail(failure: CliError): void {
    const isFirst = this.#offers === undefined;
    const reason = isFirst
      ? failure
      : new Error(`The project could not be loaded: ${failure.message}`);
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
    if (isFirst) return;
    this.#terminal.writeError(toReportText(failure));
    this.onTrouble(
      `The project could not be loaded again; the tools are those of before. ${failure.message}`,
    );
  }
}
