import { usageError } from '../cli/cli-error.ts';
import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { type CreatedProject, createProject } from './create-project.ts';
import { toInstallError, toNewText, toNextSteps } from './new-text.ts';
import { inferPackageManager, type PackageManager } from './package-manager.ts';

export interface NewOptions {
  readonly force: boolean;
  readonly install: boolean;
  readonly git: boolean;
  readonly packageManager?: PackageManager | undefined;
  readonly javascript?: boolean | undefined;
  readonly json: boolean;
  readonly plain: boolean;
}

export type NewArgs = readonly [name?: string | undefined];

export default async function newCommand({
  options,
  args: [name],
  terminal,
}: PlainProps<NewOptions, NewArgs>): Promise<void> {
  if (name === undefined) {
    throw usageError(
      'The name of the new project is missing.',
      'For example `capix new my-api`, or `capix new .` for this folder.',
    );
  }
  const { javascript, packageManager, force, install, git, json } = options;
  const project = await createProject({
    name,
    workingDirectory: terminal.workingDirectory(),
    packageManager: packageManager ?? inferPackageManager(terminal.environment['npm_config_user_agent']),
    language: javascript ? 'javascript' : 'typescript',
    tests: true,
    agents: true,
    force,
    install,
    git,
    // Progress is not data: it goes to stderr.
    onProgress: (line) => {
      if (!json) terminal.writeError(`${line}\n`);
    },
  });
  const installError = toInstallError(project);
  if (installError) throw installError;
  terminal.writeOut(json ? toJsonOutput(toNewData(project)) : toNewText(project));
}

function toNewData(project: CreatedProject): unknown {
  const { name, folder, files, capix, packageManager, git, installation } = project;
  const installed = installation.kind === 'done';
  return { name, folder, files, capix, packageManager, git, installed, next: toNextSteps(project) };
}
