import { usageError } from '../cli/cli-error.ts';
import type { PlainProps } from '../cli/command.ts';
import { toCapabilityName } from './capability-name.ts';
import { type RunGenerateOptions, runGenerate } from './run-generate.ts';

export interface CapabilityOptions extends RunGenerateOptions {
  readonly input: boolean;
  readonly force: boolean;
}

/** `<name>`, or `<group> <name>`. */
export type CapabilityArgs = readonly [first?: string | undefined, second?: string | undefined];

export default async function capabilityCommand({
  options,
  args: [first, second],
  terminal,
}: PlainProps<CapabilityOptions, CapabilityArgs>): Promise<void> {
  if (first === undefined)
    throw usageError(
      'The name of the capability is missing.',
      'For example `capix generate capability users getUser`.',
    );
  const name = second === undefined ? toCapabilityName(undefined, first) : toCapabilityName(first, second);
  await runGenerate({ ...name, withInput: options.input, force: options.force }, options, terminal);
}
