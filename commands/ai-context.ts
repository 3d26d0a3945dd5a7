import { command } from '../source/app/define-command.ts';
import { documentOptions } from '../source/cli/common-options.ts';

export default command({
  summary: 'Write what AI assistants should know of the project, as JSON',
  group: 'Generate',
  page: 'commands.md',
  examples: ['capix ai-context', 'capix ai-context --output context.json'],
  options: documentOptions,
  plain: () => import('../source/ai-context/ai-context-command.ts'),
});
