import type { PlainProps } from '../cli/command.ts';
import { usageError } from '../cli/errors/cli-error.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toNewText, toNextSteps } from './new-text.ts';
import { type CreatedProject, type CreateStep, createProject } from './project/create-project.ts';
import { toInstallError } from './project/install-error.ts';
import { inferPackageManager, type PackageManager } from './project/package-manager.ts';
import { toProjectPlace } from './project/project-place.ts';

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
  const project = await createProject({
    place: toProjectPlace(name, terminal.workingDirectory()),
    workingDirectory: terminal.workingDirectory(),
    packageManager: options.packageManager ?? inferPackageManager(terminal.environment['npm_config_user_agent']),
    language: options.javascript ? 'javascript' : 'typescript',
    force: options.force,
    install: options.install,
    git: options.git,
    onStep: options.json ? () => {} : (step) => tell(step, terminal),
  });
  const installError = toInstallError(project);
  if (installError) throw installError;
  terminal.writeOut(options.json ? toJsonOutput(toNewData(project)) : toNewText(project));
}

/** Progress is not data: it goes to stderr. */
function tell(step: CreateStep, terminal: Terminal): void {
  switch (step.kind) {
    case 'written':
      return;
    case 'installing':
      return terminal.writeError('Installing …\n');
    case 'output':
      if (step.line !== '') terminal.writeError(`  ${step.line}\n`);
  }
}

function toNewData(project: CreatedProject): unknown {
  const { name, folder, files, capix, packageManager, git, installation } = project;
  const installed = installation.kind === 'done';
  return { name, folder, files, capix, packageManager, git, installed, next: toNextSteps(project) };
}
