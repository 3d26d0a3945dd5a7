import { command } from '../source/app/define-command.ts';
import { commonOptions } from '../source/cli/common-options.ts';

export default command({
  alias: 'ls',
  summary: 'List the capabilities with their routes and guards',
  group: 'Inspect',
  page: 'screens.md',
  examples: ['capix list', 'capix list --json'],
  options: commonOptions,
  plain: () => import('../source/list/list-command.ts'),
  opens: () => ({ screen: 'list' }),
});
