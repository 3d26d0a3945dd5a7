import { usageError } from '../cli/cli-error.ts';
import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { findCapability } from '../manifest/find-capability.ts';
import { toManifest } from '../manifest/to-manifest.ts';
import { describeCapability } from './describe-capability.ts';
import { toShowText } from './show-text.ts';

export interface ShowOptions {
  readonly config?: string | undefined;
  readonly envFile: readonly string[];
  readonly json: boolean;
}

/** `capix show <capability>`, as text or JSON. */
export default async function show({
  options,
  args: [key],
  terminal,
}: PlainProps<ShowOptions, readonly [key?: string | undefined]>): Promise<void> {
  if (key === undefined)
    throw usageError("missing required argument 'capability'", 'For example `capix show items.getItem`.');
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  findCapability(key, loaded.registry.operations);
  const manifest = await toManifest(loaded);
  const capability = findCapability(key, manifest.capabilities);
  terminal.writeOut(options.json ? toJsonOutput(capability) : toShowText(describeCapability(capability, manifest)));
}
