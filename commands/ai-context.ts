import { command } from '../source/app/define-command.ts';
import { documentFlags } from '../source/flags/document-flags.ts';

export default command({
  summary: 'Write what AI assistants should know of the project, as JSON',
  group: 'Generate',
  page: 'commands.md',
  examples: ['capix ai-context', 'capix ai-context --output context.json'],
  options: documentFlags,
  plain: () => import('../source/written/ai-context-command.ts'),
});
