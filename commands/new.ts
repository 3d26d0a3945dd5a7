import * as z from 'zod';
import { command, describeCommand } from '../source/cli/command.ts';
import { choiceOption, commonOptions, flagOption, textOperand } from '../source/cli/common-options.ts';

export const description = describeCommand({
  summary: 'Create a project',
  group: 'Project',
  details:
    'Create a project: a folder with an API of three capabilities, its types, tests and scripts, installed and ' +
    'ready for `capix dev`. Nothing that is there is replaced without --force.',
  examples: ['capix new my-api', 'capix new my-api --javascript', 'capix new . --no-install'],
});

export const args = z.tuple([textOperand('name', 'Folder and name of the project; `.` for this folder')]);

export const options = z.object({
  force: flagOption('Write into a folder that is not empty; only files of a new project are replaced'),
  install: z.boolean().default(true).describe('Do not install the dependencies'),
  git: z.boolean().default(true).describe('Do not create a git repository'),
  javascript: flagOption('Write JavaScript in place of TypeScript'),
  packageManager: choiceOption(
    ['npm', 'pnpm', 'yarn', 'bun'],
    'Package manager that installs the dependencies (default: the one that runs this command)',
    'name',
  ),
  json: commonOptions.json,
  plain: commonOptions.plain,
});

export default command({
  options,
  args,
  plain: () => import('../source/new/new-command.ts'),
  // Who gives the name has said all that must be said.
  isComplete: ({ args: [name] }) => name !== undefined,
  screen: async () =>
    (await import('../source/app/start-at.tsx')).startAt<z.infer<typeof options>>((_, given) => ({
      screen: 'new',
      options: given,
    })),
});
