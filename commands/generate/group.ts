import { command } from '../../source/app/define-command.ts';
import { option } from '../../source/cli/common-options.ts';
import { groupFlags } from '../../source/flags/generate-flags.ts';

export default command({
  summary: 'Write an empty group and list it',
  usage: '<name>',
  details:
    'Write an empty group, src/capabilities/<name>/index.ts, and add its line to the index above it.',
  page: 'projects.md',
  examples: ['capix generate group users', 'capix g group products/variants'],
  args: [option.operand('name', 'Group, such as `users` or `products/variants`')],
  options: groupFlags,
  plain: async () => ({
    default: (await import('../../source/generate/generate-command.ts')).groupCommand,
  }),
  isComplete: ({ args: [name] }) => name !== undefined,
  opens: (_, options) => ({ screen: 'generate', kind: 'group', options }),
});
