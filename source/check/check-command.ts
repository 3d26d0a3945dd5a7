import type { PlainProps } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { readSettings } from '../load/read-settings.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import { checkProject, failsCheck } from './check-project.ts';
import { toCheckText } from './check-text.ts';

export interface CheckOptions {
  readonly config?: string | undefined;
  readonly envFile: readonly string[];
  readonly json: boolean;
  readonly strict: boolean;
  readonly agents: boolean;
  readonly live?: string | undefined;
  readonly format?: 'github' | 'sarif' | 'junit' | undefined;
}

/** `capix check`: the findings are data and go to stdout, also where they make it fail. */
export default async function checkCommand({ options, terminal }: PlainProps<CheckOptions>): Promise<number> {
  const { live, format, agents, strict } = options;
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  const { project } = loaded;
  const manifest = await loadManifest(loaded, live === undefined ? {} : { document: {} });
  const liveProblems =
    live === undefined
      ? []
      : await (await import('./load-live-problems.ts')).loadLiveProblems({ project, manifest, url: live });
  const all = { ...manifest, problems: [...manifest.problems, ...liveProblems] };
  const checked = checkProject(all, { settings: readSettings(project.root).check, agents });
  if (format !== undefined) {
    const { toCheckFormat } = await import('./check-format.ts');
    const keys = manifest.capabilities.map(({ key }) => key);
    terminal.writeOut(toCheckFormat(checked.problems, { format, strict, keys }));
  } else terminal.writeOut(options.json ? toJsonOutput(checked) : toCheckText(checked));
  return failsCheck(checked, options) ? exitCodes.failed : exitCodes.done;
}
