import type { PlainProps } from '../cli/command.ts';
import { usageError } from '../cli/errors/cli-error.ts';
import { expectProject } from '../load/expect-project.ts';
import { toCapabilityName } from './plan/capability-name.ts';
import { generateCapability } from './plan/generate-capability.ts';
import { runGenerate } from './run-generate.ts';

export interface CapabilityOptions {
  readonly input: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly config?: string | undefined;
  readonly json: boolean;
  readonly plain: boolean;
}

/** `<name>`, or `<group> <name>`. */
export type CapabilityArgs = readonly [first?: string | undefined, second?: string | undefined];

export default async function capabilityCommand({
  options,
  args,
  terminal,
}: PlainProps<CapabilityOptions, CapabilityArgs>): Promise<void> {
  const { input, force, dryRun, config, json } = options;
  const [first, second] = args;
  if (first === undefined)
    throw usageError(
      'The name of the capability is missing.',
      'For example `capix generate capability users getUser`.',
    );
  const name = second === undefined ? toCapabilityName(undefined, first) : toCapabilityName(first, second);
  const project = expectProject({ config, workingDirectory: terminal.workingDirectory() });
  const generated = await generateCapability({ project, name, withInput: input, force });
  await runGenerate(generated, { project, dryRun, json, terminal });
}
