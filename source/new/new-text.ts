import { type CliError, createCliError } from '../cli/cli-error.ts';
import type { CreatedProject } from './create-project.ts';
import { packageManagerCommands } from './package-manager.ts';

/** The text of `capix new` when it is done: the files, and what to do next. */
export function toNewText(project: CreatedProject): string {
  const lines = [
    `Created ${project.name} in ${toFolderText(project)}`,
    '',
    ...project.files.map((file) => `  ${file}`),
    '',
    'Next:',
    ...toNextSteps(project).map((step) => `  ${step}`),
    '',
    'Then http://localhost:3000/items answers.',
  ];
  return `${lines.join('\n')}\n`;
}

/** The command lines that lead from where `capix new` ran to a running server. */
export function toNextSteps({ path, packageManager, installation }: CreatedProject): readonly string[] {
  const steps = [`${packageManagerCommands[packageManager].run} dev`];
  if (installation.kind !== 'done') steps.unshift(`${packageManager} install`);
  if (path !== '.') steps.unshift(`cd ${path}`);
  return steps;
}

/** The error of a project that is there, but could not be installed; undefined where all went well. */
export function toInstallError(project: CreatedProject): CliError | undefined {
  const { installation, packageManager } = project;
  if (installation.kind !== 'failed') return undefined;
  const steps = toNextSteps(project).map((step) => `  ${step}`);
  const hint = `Fix the problem above, then run:\n${steps.join('\n')}`;
  const folder = toFolderText(project);
  return createCliError('InstallFailed', { folder, packageManager }, { frame: installation.reason, hint });
}

/** The folder as a sentence names it. */
export function toFolderText({ path }: { readonly path: string }): string {
  return path === '.' ? 'this folder' : `./${path}`;
}
