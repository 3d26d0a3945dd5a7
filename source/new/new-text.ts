import type { CreatedProject } from './project/create-project.ts';
import { packageManagerCommands } from './project/package-manager.ts';

/** The text of `capix new` when it is done: the files, and what to do next. */
export function toNewText(project: CreatedProject): string {
  const where = project.path === '.' ? 'this folder' : `./${project.path}`;
  const lines = [
    `Created ${project.name} in ${where}`,
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
