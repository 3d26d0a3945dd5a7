import { command } from '../source/app/define-command.ts';
import { commonOptions, option } from '../source/cli/common-options.ts';

export default command({
  summary: 'Show one capability: input, output, route and why, guards',
  usage: '<capability>',
  group: 'Inspect',
  page: 'screens.md',
  examples: ['capix show items.getItem', 'capix show items.getItem --json'],
  options: commonOptions,
  args: [option.operand('capability', 'Key, such as `items.getItem`')],
  plain: () => import('../source/list/show-command.ts'),
  opens: ([key]) => (key === undefined ? { screen: 'list' } : { screen: 'show', key }),
});
