import { usageError } from '../cli/cli-error.ts';
import type { PlainProps } from '../cli/command.ts';
import { findProject } from '../project/find-project.ts';
import { toNameParts } from './capability-name.ts';
import { generateGroup } from './generate-group.ts';
import { runGenerate } from './run-generate.ts';

export interface GroupOptions {
  readonly dryRun: boolean;
  readonly config?: string | undefined;
  readonly json: boolean;
  readonly plain: boolean;
}

export default async function runGroup({
  options,
  args,
  terminal,
}: PlainProps<GroupOptions, readonly [name: string]>): Promise<void> {
  const { dryRun, config, json } = options;
  const groups = toNameParts(args[0]);
  if (groups.length === 0)
    throw usageError('The name of the group is empty.', 'For example `capix generate group users`.');
  const project = findProject({ config, workingDirectory: terminal.workingDirectory() });
  await runGenerate(await generateGroup(project, groups), { project, dryRun, json, terminal });
}
