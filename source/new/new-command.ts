import { type CliError, createCliError, usageError } from '../cli/cli-error.ts';
import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import type { NewValues } from '../flags/new-flags.ts';
import { toPlainShellWord } from '../terminal/shell-word.ts';
import { type CreatedProject, createProject } from './create-project.ts';
import { inferPackageManager, packageManagerCommands } from './package-manager.ts';
import { projectTemplates } from './project-templates.ts';

export default async function newCommand({
  options: { template, javascript, packageManager, json, ...options },
  args: [name],
  terminal,
}: PlainProps<NewValues, readonly [name?: string | undefined]>): Promise<void> {
  if (name === undefined)
    throw usageError(
      'The name of the new project is missing.',
      'For example `capix new my-api`, or `capix new .` for this folder.',
    );
  const project = await createProject({
    ...options,
    name,
    template: template ?? 'items',
    workingDirectory: terminal.workingDirectory(),
    packageManager:
      packageManager ?? inferPackageManager(terminal.environment['npm_config_user_agent']),
    language: javascript ? 'javascript' : 'typescript',
    // Progress is not data: it goes to stderr.
    onProgress: (line) => {
      if (!json) terminal.writeError(`${line}\n`);
    },
  });
  const installError = toInstallError(project);
  if (installError) throw installError;
  terminal.writeOut(json ? toJsonOutput(toNewData(project), toNotes(project)) : toNewText(project));
}

function toNewData(project: CreatedProject): unknown {
  const { packageName: name, folder, template, files, left, capix } = project;
  const { packageManager, git, installed } = project;
  const committed = git && project.uncommitted === undefined;
  const next = toNextSteps(project);
  const paths = files.map(({ path }) => path);
  return {
    name,
    folder,
    template,
    files: paths,
    left,
    capix,
    packageManager,
    git,
    committed,
    installed,
    next,
  };
}

/** What was not done, a sentence each. */
function toNotes({ left, uncommitted }: CreatedProject): readonly string[] {
  const stay = `${left.join(', ')} ${left.length === 1 ? 'was there, and is' : 'were there, and are'} as before.`;
  const commit = `There is no first commit: ${uncommitted}. Make it for \`capix diff\`.`;
  return [...(left.length > 0 ? [stay] : []), ...(uncommitted === undefined ? [] : [commit])];
}

/** The text of `capix new` when it is done: the files, and what to do next. */
export function toNewText(project: CreatedProject): string {
  const lines = [
    `Created ${project.packageName} in ${toFolderText(project)}`,
    '',
    ...project.files.map(({ path }) => `  ${path}`),
    '',
    'Next:',
    ...toNextSteps(project).map((step) => `  ${step}`),
    '',
    `Then http://localhost:3000${projectTemplates[project.template].answers} answers.`,
    ...toNotes(project).map((note) => `note: ${note}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The command lines that lead from where `capix new` ran to a running server. */
function toNextSteps({ path, packageManager, installed }: CreatedProject): readonly string[] {
  const enter = path === '.' ? [] : [`cd ${toPlainShellWord(path)}`];
  const install = installed ? [] : [`${packageManager} install`];
  return [...enter, ...install, `${packageManagerCommands[packageManager].run} dev`];
}

/** The error of a project that is there, but could not be installed; undefined where all went well. */
export function toInstallError(project: CreatedProject): CliError | undefined {
  const { problem, packageManager } = project;
  if (problem === undefined) return undefined;
  const hint = [
    'Fix the problem above, then run:',
    ...toNextSteps(project).map((step) => `  ${step}`),
    ...toNotes(project),
  ].join('\n');
  return createCliError(
    'InstallFailed',
    { folder: toFolderText(project), packageManager },
    { frame: problem, hint },
  );
}

export function toFolderText({ path }: Pick<CreatedProject, 'path'>): string {
  return path === '.' ? 'this folder' : `./${path}`;
}
