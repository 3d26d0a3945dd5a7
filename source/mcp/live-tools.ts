import { CliError, type CliErrorOptions } from '../cli/cli-error.ts';
import { toReportText } from '../cli/report-failure.ts';
import type { CodeInputs } from '../load/code-inputs.ts';
import { toEnvFiles } from '../load/env-files.ts';
import { expectProject } from '../load/expect-project.ts';
import { createLoadedCode, type LoadedCode } from '../load/loaded-code.ts';
import { type InputsWatch, type LoadCause, watchInputs } from '../load/watch-inputs.ts';
import type { Project } from '../manifest/project.ts';
import { waitWithin } from '../system/timing.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { McpCommandOptions } from './mcp-command.ts';
import { type LoadedOffers, ToolsProcess } from './tools-process.ts';

/** The time that calls under way have after Ctrl-C, milliseconds. */
const GRACE_MS = 1_000;

/** The tools of a project after each save: one process has the newest code, earlier ones only finish. */
export class LiveTools {
  /** Resolves when the code is loaded; rejects with a CliError where it cannot be at first. */
  readonly loaded: Promise<void>;
  /** Called when other code has been loaded over that of before. Gives the lists that clients are told of. */
  onChange: (before: LoadedOffers, now: LoadedOffers) => readonly string[] = () => [];
  /** Called with what clients should find in their log. */
  onTrouble: (text: string) => void = () => {};
  readonly #options: McpCommandOptions;
  readonly #terminal: Terminal;
  readonly #secret: string;
  readonly #project: Project;
  readonly #envFiles: readonly string[];
  readonly #loaded: LoadedCode;
  readonly #watch: InputsWatch;
  /** All that run. */
  readonly #processes = new Set<ToolsProcess>();
  #current: ToolsProcess | undefined;
  /** The one that was started last. */
  #newest: ToolsProcess | undefined;
  #offers: LoadedOffers | undefined;
  #isLoading = false;
  /** Requests that wait for code. */
  #waiting: { readonly resolve: (process: ToolsProcess) => void; readonly reject: (reason: Error) => void }[] = [];
  #onLoaded = (): void => {};
  #onFailed = (_error: CliError): void => {};

  /**
   * `secret` signs what clients hold between a question to their user and the answer.
   *
   * @throws CliError `NoProject`, `NoEnvFile`
   */
  constructor(options: McpCommandOptions, terminal: Terminal, secret: string) {
    const place = { ...options, workingDirectory: terminal.workingDirectory() };
    this.#options = options;
    this.#terminal = terminal;
    this.#secret = secret;
    this.#project = expectProject(place);
    this.#envFiles = toEnvFiles(this.#project.root, place);
    this.#loaded = createLoadedCode({ project: this.#project, envFiles: this.#envFiles });
    this.loaded = new Promise((resolve, reject) => {
      this.#onLoaded = resolve;
      this.#onFailed = reject;
    });
    this.#watch = watchInputs({
      project: this.#project,
      envFiles: this.#envFiles,
      load: (cause) => this.#load(cause),
      onTrouble: ({ message, hint }) => terminal.writeError(`[capix] ${message} ${hint}\n`),
    });
  }

  /** The tools of the newest code. Only once `loaded` has resolved. */
  get offers(): LoadedOffers {
    return this.#offers as LoadedOffers;
  }

  /** The process with the newest code, started again where it has ended. Rejects where the code does not load. */
  async take(): Promise<ToolsProcess> {
    if (this.#current !== undefined) return this.#current;
    const found = new Promise<ToolsProcess>((resolve, reject) => void this.#waiting.push({ resolve, reject }));
    if (!this.#isLoading) this.#watch.load();
    return found;
  }

  /** No client asks any more; what was asked is answered. */
  finish(): void {
    for (const each of this.#processes) each.finish();
  }

  /** Ends what still runs. */
  async close(): Promise<void> {
    const processes = [...this.#processes];
    for (const each of processes) each.end();
    await waitWithin(GRACE_MS, Promise.all(processes.map((each) => each.gone())));
    for (const each of processes) each.kill();
    await this.#watch.close();
  }

  async #load({ files, mayBeSame }: LoadCause): Promise<CodeInputs> {
    this.#isLoading = true;
    await this.#loadCode(files, mayBeSame);
    this.#isLoading = false;
    return this.#loaded.inputs();
  }

  async #loadCode(files: readonly string[], mayBeSame: boolean): Promise<void> {
    if (mayBeSame && this.#current !== undefined && this.#loaded.isSame()) return;
    const variables = this.#loaded.begin();
    const process = this.#startProcess();
    const { header, context, only, tag, readOnly } = this.#options;
    const answer = await process.load({
      project: this.#project,
      variables,
      options: { header, context, only, tag, readOnly },
      secret: this.#secret,
    });
    this.#loaded.end(answer.kind === 'loaded');
    if (answer.kind === 'loaded') return this.#use(process, answer.offers, files);
    process.kill();
    this.#fail(answer.error);
  }

  #startProcess(): ToolsProcess {
    const process: ToolsProcess = new ToolsProcess((notes) => {
      if (this.#newest !== process) return;
      const stale = this.#loaded.take(notes);
      if (!this.#isLoading) this.#watch.take(this.#loaded.inputs(), stale);
    });
    this.#newest = process;
    this.#processes.add(process);
    void process.gone().then((reason) => this.#drop(process, reason));
    return process;
  }

  #use(process: ToolsProcess, offers: LoadedOffers, files: readonly string[]): void {
    const [before, known] = [this.#current, this.#offers];
    this.#current = process;
    this.#offers = offers;
    for (const { resolve } of this.#waiting.splice(0)) resolve(process);
    before?.retire();
    this.#onLoaded();
    if (known === undefined) return;
    const changed = this.onChange(known, offers);
    const cause =
      files.length === 0 ? '' : ` after a change of ${files.length} ${files.length === 1 ? 'file' : 'files'}`;
    const news = changed.length === 0 ? '' : `; clients are told of other ${changed.join(', ')}`;
    this.#terminal.writeError(`[capix] Loaded again${cause}${news}.\n`);
  }

  #drop(process: ToolsProcess, reason: string | undefined): void {
    this.#processes.delete(process);
    // Of one that ends while it is loaded, the load tells.
    if (this.#current !== process) return;
    this.#current = undefined;
    if (reason !== undefined)
      this.#tell(`The project's code ${reason}. It is started again with the next request or save.`);
  }

  #tell(text: string): void {
    this.#terminal.writeError(`[capix] ${text}\n`);
    this.onTrouble(text);
  }

  /** Code that cannot be loaded ends a session that has not begun; later the tools of before stay. */
  #fail(error: Omit<CliErrorOptions, 'cause'>): void {
    const failure = new CliError(error);
    if (this.#offers === undefined) return this.#onFailed(failure);
    this.#terminal.writeError(toReportText(failure));
    this.onTrouble(`The project could not be loaded again; the tools are those of before. ${failure.message}`);
    for (const { reject } of this.#waiting.splice(0))
      reject(new Error(`The project could not be loaded: ${failure.message}`));
  }
}
