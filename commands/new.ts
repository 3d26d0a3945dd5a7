import * as z from 'zod';
import { command } from '../source/app/define-command.ts';
import { commonOptions, option } from '../source/cli/common-options.ts';

export default command({
  summary: 'Create a project',
  group: 'Project',
  details:
    'Create a project: a folder with an API of three capabilities, its types, tests and scripts, installed and ' +
    'ready for `capix dev`. Nothing that is there is replaced without --force.',
  page: 'projects.md',
  examples: ['capix new my-api', 'capix new my-api --javascript', 'capix new . --no-install'],
  args: [option.operand('name', 'Folder and name of the project; `.` for this folder')],
  options: {
    force: option.flag(
      'Write into a folder that is not empty; only files of a new project are replaced',
    ),
    install: z.boolean().default(true).describe('Do not install the dependencies'),
    git: z.boolean().default(true).describe('Do not create a git repository'),
    javascript: option.flag('Write JavaScript in place of TypeScript'),
    packageManager: option.choice(
      ['npm', 'pnpm', 'yarn', 'bun'],
      'Package manager that installs the dependencies (default: the one that runs this command)',
      'name',
    ),
    json: commonOptions.json,
    plain: commonOptions.plain,
  },
  plain: () => import('../source/new/new-command.ts'),
  // The name is all that the command needs.
  isComplete: ({ args: [name] }) => name !== undefined,
  opens: (_, options) => ({ screen: 'new', options }),
});
