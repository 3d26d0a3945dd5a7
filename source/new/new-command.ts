import { type CliError, createCliError, usageError } from '../cli/cli-error.ts';
import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import type { NewRouteOptions } from '../screens/location.ts';
import { type CreatedProject, createProject } from './create-project.ts';
import { inferPackageManager, packageManagerCommands } from './package-manager.ts';

export interface NewOptions extends NewRouteOptions {
  readonly json: boolean;
  readonly plain: boolean;
}

/** `capix new <name>`. */
export default async function newCommand({
  options,
  args: [name],
  terminal,
}: PlainProps<NewOptions, readonly [name?: string | undefined]>): Promise<void> {
  if (name === undefined)
    throw usageError(
      'The name of the new project is missing.',
      'For example `capix new my-api`, or `capix new .` for this folder.',
    );
  const { javascript, packageManager, force, install, git, json } = options;
  const project = await createProject({
    name,
    workingDirectory: terminal.workingDirectory(),
    packageManager: packageManager ?? inferPackageManager(terminal.environment['npm_config_user_agent']),
    language: javascript ? 'javascript' : 'typescript',
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
  const { packageName, folder, files, capix, packageManager, git, installation } = project;
  return {
    name: packageName,
    folder,
    files: files.map(({ path }) => path),
    capix,
    packageManager,
    git,
    installed: installation.kind === 'done',
    next: toNextSteps(project),
  };
}

/** The text of `capix new` when it is done: the files, and what to do next. */
export function toNewText(project: CreatedProject): string {
  const lines = [
    `Created ${project.packageName} in ${toFolderText(project)}`,
    '',
    ...project.files.map(({ path }) => `  ${path}`),
    '',
    toNextText(project),
  ];
  return `${lines.join('\n')}\n`;
}

export function toNextText(project: CreatedProject): string {
  const steps = toNextSteps(project).map((step) => `  ${step}`);
  return ['Next:', ...steps, '', 'Then http://localhost:3000/items answers.'].join('\n');
}

/** The command lines that lead from where `capix new` ran to a running server. */
function toNextSteps({ path, packageManager, installation }: CreatedProject): readonly string[] {
  return [
    ...(path === '.' ? [] : [`cd ${path}`]),
    ...(installation.kind === 'done' ? [] : [`${packageManager} install`]),
    `${packageManagerCommands[packageManager].run} dev`,
  ];
}

/** The error of a project that is there, but could not be installed; undefined where all went well. */
export function toInstallError(project: CreatedProject): CliError | undefined {
  const { installation, packageManager } = project;
  if (installation.kind !== 'failed') return undefined;
  const hint = ['Fix the problem above, then run:', ...toNextSteps(project).map((step) => `  ${step}`)].join('\n');
  const values = { folder: toFolderText(project), packageManager };
  return createCliError('InstallFailed', values, { frame: installation.reason, hint });
}

/** The folder as a sentence names it. */
export function toFolderText({ path }: Pick<CreatedProject, 'path'>): string {
  return path === '.' ? 'this folder' : `./${path}`;
}
