import type { PlainProps } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { diffManifests } from '../contract/diff-manifests.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { toDiffText } from './diff-text.ts';
import { reachesClass } from './reaches-class.ts';

export interface DiffOptions {
  readonly envFile: readonly string[];
  readonly json: boolean;
  /** The class from which on the command fails. */
  readonly failOn?: 'breaking' | 'risky' | undefined;
}

/** `capix diff <config-a> <config-b>`: the differences are data and go to stdout, also where they make it fail. */
export default async function diffCommand({
  options,
  args: [before, after],
  terminal,
}: PlainProps<DiffOptions, [string, string]>): Promise<number> {
  const { envFile } = options;
  const workingDirectory = terminal.workingDirectory();
  const readManifest = async (config: string): Promise<Manifest> =>
    loadManifest(await loadRegistry({ config, envFile, workingDirectory }));
  const difference = diffManifests(await readManifest(before), await readManifest(after));
  terminal.writeOut(options.json ? toJsonOutput(difference) : toDiffText(difference));
  return reachesClass(difference, options.failOn) ? exitCodes.failed : exitCodes.done;
}
