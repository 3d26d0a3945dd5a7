import { command } from '../source/app/define-command.ts';
import { commonOptions } from '../source/cli/common-options.ts';

export default command({
  summary: 'Bring .capix-context.json up to date',
  group: 'Generate',
  page: 'commands.md',
  examples: ['capix sync-ai-context'],
  options: commonOptions,
  plain: () => import('../source/written/sync-ai-context-command.ts'),
});
