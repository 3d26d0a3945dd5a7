import { command } from '../source/app/define-command.ts';
import { option } from '../source/cli/common-options.ts';
import { newFlags } from '../source/flags/new-flags.ts';

export default command({
  summary: 'Create a project',
  group: 'Project',
  details:
    'Create a project: a folder with an API of three capabilities, its types, tests and scripts, installed and ' +
    'ready for `capix dev`. Nothing that is there is replaced without --force.',
  page: 'projects.md',
  examples: ['capix new my-api', 'capix new my-api --template minimal', 'capix new . --no-install'],
  args: [option.operand('name', 'Folder and name of the project; `.` for this folder')],
  options: newFlags,
  plain: () => import('../source/new/new-command.ts'),
  // The name is all that the command needs.
  isComplete: ({ args: [name] }) => name !== undefined,
  opens: (_, options) => ({ screen: 'new', options }),
});
