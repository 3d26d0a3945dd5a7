import { CliError } from '../cli/cli-error.ts';
import { toReportText } from '../cli/report-failure.ts';
import { toEnvFiles } from '../load/env-files.ts';
import { expectProject } from '../load/expect-project.ts';
import { LoadedCode } from '../load/loaded-code.ts';
import { watchInputs } from '../load/watch-inputs.ts';
import { waitWithin } from '../system/timing.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { McpCommandOptions } from './mcp-command.ts';
import { type LoadedOffers, startToolsProcess, type ToolsProcess } from './tools-process.ts';

/** The time that calls under way have after Ctrl-C, milliseconds. */
const GRACE_MS = 1_000;

interface Waiting {
  readonly resolve: (process: ToolsProcess) => void;
  readonly reject: (reason: Error) => void;
}

export type LiveTools = ReturnType<typeof openLiveTools>;

/**
 * The tools of a project after each save: one process has the newest code, earlier ones only finish.
 *
 * @throws CliError `NoProject`, `NoEnvFile`
 */
export function openLiveTools(
  { header, context, only, readOnly, ...options }: McpCommandOptions,
  terminal: Terminal,
  secret: string,
) {
  const place = { ...options, workingDirectory: terminal.workingDirectory() };
  const project = expectProject(place);
  const code = new LoadedCode({ project, envFiles: toEnvFiles(project.root, place) });
  /** All that run; the last one was started last. */
  const processes = new Set<ToolsProcess>();
  let current: ToolsProcess | undefined;
  let offers: LoadedOffers | undefined;
  let isLoading = true;
  let waiting: Waiting[] = [];

  const tools = {
    /** Called when other code has been loaded over that of before. Gives the lists that clients are told of. */
    onChange: (_before: LoadedOffers, _now: LoadedOffers): readonly string[] => [],
    /** Called with what clients should find in their log. */
    onTrouble: (_text: string): void => {},
    /** The tools of the newest code. Only once `take` has resolved. */
    offers: (): LoadedOffers => offers as LoadedOffers,
    /** The process with the newest code, started again where it has ended. Rejects where the code does not load. */
    take: async (): Promise<ToolsProcess> => {
      if (current !== undefined) return current;
      const found = new Promise<ToolsProcess>((resolve, reject) => void waiting.push({ resolve, reject }));
      if (!isLoading) watch.load();
      return found;
    },
    close: async (): Promise<void> => {
      current = undefined;
      const ending = [...processes];
      for (const each of ending) each.end();
      await waitWithin(GRACE_MS, Promise.all(ending.map(({ gone }) => gone)));
      for (const each of ending) each.kill();
      await watch.close();
    },
  };

  function start(): ToolsProcess {
    const process = startToolsProcess((notes) => {
      if ([...processes].at(-1) === process) watch.take(notes);
    });
    processes.add(process);
    void process.gone.then((reason) => {
      processes.delete(process);
      // It was told to end, or the load tells of it.
      if (current !== process) return;
      current = undefined;
      const text = `The project's code ${reason}. It is started again with the next request or save.`;
      terminal.writeError(`[capix] ${text}\n`);
      tools.onTrouble(text);
    });
    return process;
  }

  async function load(files: readonly string[]): Promise<void> {
    isLoading = true;
    const variables = code.begin();
    const process = start();
    const answer = await process.load({ project, variables, options: { header, context, only, readOnly }, secret });
    code.end(answer.kind === 'loaded');
    if (answer.kind === 'loaded') use(process, answer.offers, files.length);
    else {
      process.kill();
      fail(new CliError(answer.error));
    }
    waiting = [];
    isLoading = false;
  }

  function use(process: ToolsProcess, loaded: LoadedOffers, count: number): void {
    const [before, known] = [current, offers];
    current = process;
    offers = loaded;
    for (const { resolve } of waiting) resolve(process);
    before?.end();
    if (known === undefined) return;
    const changed = tools.onChange(known, loaded);
    const cause = count === 0 ? '' : ` after a change of ${count} ${count === 1 ? 'file' : 'files'}`;
    const news = changed.length === 0 ? '' : `; clients are told of other ${changed.join(', ')}`;
    terminal.writeError(`[capix] Loaded again${cause}${news}.\n`);
  }

  /** Code that cannot be loaded ends a session that has not begun; later the tools of before stay. */
  function fail(failure: CliError): void {
    const isFirst = offers === undefined;
    const reason = isFirst ? failure : new Error(`The project could not be loaded: ${failure.message}`);
    for (const { reject } of waiting) reject(reason);
    if (isFirst) return;
    terminal.writeError(toReportText(failure));
    tools.onTrouble(`The project could not be loaded again; the tools are those of before. ${failure.message}`);
  }

  const watch = watchInputs({
    project,
    code,
    load,
    onTrouble: ({ message, hint }) => terminal.writeError(`[capix] ${message} ${hint}\n`),
  });
  return tools;
}
