import type { PlainProps } from '../cli/command.ts';
import { usageError } from '../cli/errors/cli-error.ts';
import { expectProject } from '../load/expect-project.ts';
import { toGroupName } from './plan/capability-name.ts';
import { generateGroup } from './plan/generate-group.ts';
import { runGenerate } from './run-generate.ts';

export interface GroupOptions {
  readonly dryRun: boolean;
  readonly config?: string | undefined;
  readonly json: boolean;
  readonly plain: boolean;
}

export default async function groupCommand({
  options,
  args,
  terminal,
}: PlainProps<GroupOptions, readonly [name?: string | undefined]>): Promise<void> {
  const { dryRun, config, json } = options;
  const [name] = args;
  if (name === undefined)
    throw usageError('The name of the group is missing.', 'For example `capix generate group users`.');
  const groups = toGroupName(name);
  const project = expectProject({ config, workingDirectory: terminal.workingDirectory() });
  await runGenerate(await generateGroup(project, groups), { project, dryRun, json, terminal });
}
