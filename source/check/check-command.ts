import type { PlainProps } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import { checkProject, failsCheck } from './check-project.ts';
import { toCheckText } from './check-text.ts';

export interface CheckOptions {
  readonly config?: string | undefined;
  readonly envFile: readonly string[];
  readonly json: boolean;
  readonly strict: boolean;
}

/** `capix check`: the findings are data and go to stdout, also where they make it fail. */
export default async function checkCommand({ options, terminal }: PlainProps<CheckOptions>): Promise<number> {
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  const checked = checkProject(await loadManifest(loaded));
  terminal.writeOut(options.json ? toJsonOutput(checked) : toCheckText(checked));
  return failsCheck(checked, options) ? exitCodes.failed : exitCodes.done;
}
