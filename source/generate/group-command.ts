import { usageError } from '../cli/cli-error.ts';
import type { PlainProps } from '../cli/command.ts';
import { toGroupName } from './capability-name.ts';
import { type RunGenerateOptions, runGenerate } from './run-generate.ts';

export default async function groupCommand({
  options,
  args: [name],
  terminal,
}: PlainProps<RunGenerateOptions, readonly [name?: string | undefined]>): Promise<void> {
  if (name === undefined)
    throw usageError('The name of the group is missing.', 'For example `capix generate group users`.');
  const wish = { groups: toGroupName(name), name: undefined, withInput: false, force: false };
  await runGenerate(wish, options, terminal);
}
