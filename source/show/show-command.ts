import { usageError } from '../cli/cli-error.ts';
import type { PlainProps } from '../cli/command.ts';
import type { CommonValues } from '../cli/common-options.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { expectCapability } from '../manifest/expect-capability.ts';
import { toListed } from '../manifest/listed.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import { toCallableRegistry } from '../manifest/loaded-registry.ts';
import { describeCapability } from './describe-capability.ts';
import { toShowData, toShowText } from './show-text.ts';

/** `capix show <capability>`, as text or JSON. */
export default async function showCommand({
  options,
  args: [key],
  terminal,
}: PlainProps<CommonValues, readonly [key?: string | undefined]>): Promise<void> {
  if (key === undefined)
    throw usageError("missing required argument 'capability'", 'For example `capix show items.getItem`.');
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory(), withFaults: true });
  const { definition } = expectCapability(key, toCallableRegistry(loaded).operations);
  const manifest = await loadManifest(loaded);
  const capability = expectCapability(key, toListed(manifest));
  terminal.writeOut(
    options.json
      ? toJsonOutput(toShowData(capability, definition, manifest))
      : toShowText(describeCapability(capability, manifest)),
  );
}
