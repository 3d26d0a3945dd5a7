import { command } from '../../source/app/define-command.ts';
import { option } from '../../source/cli/common-options.ts';
import { capabilityFlags } from '../../source/flags/generate-flags.ts';

export default command({
  alias: 'c',
  summary: 'Write a capability and list it in its group',
  usage: '[group] <name>',
  details:
    'Write a capability, src/capabilities/<group>/<kebab-name>.ts, and add its line to the index of the group. ' +
    'Group and line are made where they are missing. Slashes in either name are groups.',
  page: 'projects.md',
  examples: [
    'capix generate capability users getUser --input',
    'capix generate capability products/variants list',
    'capix g c health --dry-run',
  ],
  args: [
    option.operand('group', 'Group, such as `users` or `products/variants` (default: the root)'),
    option.operand('name', 'Name, such as `getUser`; the method and the path follow from it'),
  ],
  options: capabilityFlags,
  plain: async () => ({
    default: (await import('../../source/generate/generate-command.ts')).capabilityCommand,
  }),
  isComplete: ({ args: [first] }) => first !== undefined,
  opens: (_, options) => ({ screen: 'generate', kind: 'capability', options }),
});
