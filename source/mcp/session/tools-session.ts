import { randomBytes } from 'node:crypto';
import { type OfferPrints, offeredLists } from '../../../server-runtime/mcp/offers/to-offers.ts';
import { CliError, type CliErrorOptions } from '../../cli/errors/cli-error.ts';
import { toReportText } from '../../cli/errors/report-failure.ts';
import { createServerBundler, type ServerBundle, type ServerBundler } from '../../load/bundle/server-bundler.ts';
import { toEnvFiles } from '../../load/env-files.ts';
import { expectProject } from '../../load/expect-project.ts';
import { toRetriedFailure } from '../../load/watch/to-retry-ms.ts';
import { type InputsWatch, type LoadCause, type LoadedInputs, watchInputs } from '../../load/watch/watch-inputs.ts';
import type { Project } from '../../manifest/project.ts';
import { readVariables, type Variables } from '../../system/read-variables.ts';
import { waitWithin } from '../../system/wait-within.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { McpCommandOptions } from '../mcp-command.ts';
import type { SessionFront } from './session-front.ts';
import { startToolsProcess, type ToolsProcess } from './start-tools-process.ts';
import type { ToolsAnswer } from './tools-protocol.ts';

/** The time that calls under way have after Ctrl-C, milliseconds. */
const GRACE_MS = 1_000;

/** One session of a client, over the states that the project's code has meanwhile. */
export class ToolsSession {
  /** Resolves when tools are served; rejects with a CliError where the code cannot be loaded at first. */
  readonly loaded: Promise<void>;
  /** Resolves when the input has ended and everything that was asked has been answered. */
  readonly over: Promise<void>;
  readonly #options: McpCommandOptions;
  readonly #terminal: Terminal;
  readonly #project: Project;
  readonly #envFiles: readonly string[];
  readonly #secret = randomBytes(32).toString('hex');
  readonly #bundler: ServerBundler;
  readonly #watch: InputsWatch;
  readonly #front: SessionFront;
  /** All that run. */
  readonly #children = new Set<ToolsProcess>();
  /** The processes that the client's messages go to, or went to. */
  readonly #serving = new Set<ToolsProcess>();
  #offers: OfferPrints | undefined;
  /** The code that was loaded last, and its variables. */
  #code = '';
  #isLoading = false;
  #onLoaded = (): void => {};
  #onFailed = (_error: CliError): void => {};
  #onOver = (): void => {};

  /**
   * `createFront` makes the side that clients see; what it is given is called when there is no process for a request.
   *
   * @throws CliError `NoProject`, `NoEnvFile`
   */
  constructor(options: McpCommandOptions, terminal: Terminal, createFront: (onWanted: () => void) => SessionFront) {
    const place = { ...options, workingDirectory: terminal.workingDirectory() };
    this.#options = options;
    this.#terminal = terminal;
    this.#project = expectProject(place);
    this.#envFiles = toEnvFiles(this.#project.root, place);
    this.#bundler = createServerBundler(this.#project);
    this.loaded = new Promise((resolve, reject) => {
      this.#onLoaded = resolve;
      this.#onFailed = reject;
    });
    this.over = new Promise((resolve) => {
      this.#onOver = resolve;
    });
    this.#front = createFront(() => this.#isLoading || void this.#watch.load());
    this.#watch = watchInputs({
      project: this.#project,
      envFiles: this.#envFiles,
      load: (cause) => this.#load(cause),
      onTrouble: ({ message, hint }) => terminal.writeError(`[capix] ${message} ${hint}\n`),
    });
  }

  /** Ends the session where everything is answered, and nothing more comes. */
  endWhenOver(): void {
    if (this.#front.isOver) this.#onOver();
  }

  /** Ends what is still there. */
  async close(): Promise<void> {
    const children = [...this.#children];
    for (const { server } of children) server.end();
    await waitWithin(GRACE_MS, Promise.all(children.map(({ gone }) => gone)));
    for (const child of children) child.kill();
    await this.#watch.close();
    await this.#bundler.close();
  }

  async #load({ files, mayBeSame, isAgain }: LoadCause): Promise<LoadedInputs> {
    this.#isLoading = true;
    // It starts while the code is bundled.
    const early = mayBeSame ? undefined : this.#startChild();
    const bundle = await this.#bundler.bundle();
    if (bundle.kind === 'failed') {
      early?.kill();
      this.#fail(toRetriedFailure(bundle), isAgain);
    } else {
      await this.#loadBundle(bundle, { child: early, files });
    }
    this.#isLoading = false;
    return { inputs: this.#bundler.inputs(), mayPass: bundle.kind === 'failed' && bundle.isDiskFull };
  }

  async #loadBundle(bundle: ServerBundle, { child: early, files }: Loading): Promise<void> {
    const variables = readVariables(this.#envFiles);
    const code = JSON.stringify([bundle.hash, variables]);
    if (early === undefined && code === this.#code) return bundle.remove();
    this.#code = code;
    const child = early ?? this.#startChild();
    const answer = await this.#ask(child, bundle, variables);
    await bundle.remove();
    if (answer.kind === 'failed') {
      child.kill();
      return this.#fail(answer.error);
    }
    this.#serving.add(child);
    this.#front.use(child.server, answer.url);
    this.#tellChange(answer.offers, files);
    this.#onLoaded();
  }

  #ask(child: ToolsProcess, bundle: ServerBundle, variables: Variables): Promise<ToolsAnswer> {
    const { outFile, files, isCommonJs } = bundle;
    const { name, apiVersion, header, context, only, tag, readOnly, search } = this.#options;
    return child.load({
      project: this.#project,
      bundle: { outFile, files, isCommonJs },
      variables,
      options: { name, apiVersion, header, context, only, tag, readOnly, search },
      secret: this.#secret,
      overHttp: this.#options.port !== undefined,
    });
  }

  #startChild(): ToolsProcess {
    const child = startToolsProcess((message) => this.#front.take(child.server, message));
    this.#children.add(child);
    void child.gone.then((reason) => this.#drop(child, reason));
    return child;
  }

  #drop(child: ToolsProcess, reason: string | undefined): void {
    this.#children.delete(child);
    // Of one that ends while it is loaded, the load tells.
    if (this.#serving.delete(child) && reason !== undefined) {
      const said = `The project's code ${reason}. It is started again with the next request or save.`;
      this.#terminal.writeError(`[capix] ${said}\n`);
      this.#front.log(said);
    }
    this.#front.drop(child.server, `The project's code ${reason ?? 'was ended'} before it answered.`);
    this.endWhenOver();
  }

  #tellChange(offers: OfferPrints, files: readonly string[]): void {
    const before = this.#offers;
    this.#offers = offers;
    if (before === undefined) return;
    const changed = offeredLists.filter((list) => before[list] !== offers[list]);
    this.#front.tellChange(changed);
    const cause =
      files.length === 0 ? '' : ` after a change of ${files.length} ${files.length === 1 ? 'file' : 'files'}`;
    const news = changed.length === 0 ? '' : `; clients are told of other ${changed.join(', ')}`;
    this.#terminal.writeError(`[capix] Loaded again${cause}${news}.\n`);
  }

  /** Code that cannot be loaded ends a session that has not begun; later the tools of before stay. `isKnown`: whether people were told. */
  #fail(error: Omit<CliErrorOptions, 'cause'>, isKnown = false): void {
    const failure = new CliError(error);
    this.#code = '';
    if (this.#offers === undefined) return this.#onFailed(failure);
    if (!isKnown) {
      this.#terminal.writeError(toReportText(failure));
      this.#front.log(`The project could not be loaded again; the tools are those of before. ${failure.message}`);
    }
    this.#front.refuse(`The project could not be loaded: ${failure.message}`);
    this.endWhenOver();
  }
}

interface Loading {
  /** Undefined where the code may be what was loaded last. */
  readonly child: ToolsProcess | undefined;
  readonly files: readonly string[];
}
