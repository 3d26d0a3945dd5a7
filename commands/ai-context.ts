import * as z from 'zod';
import { command, describeCommand } from '../source/cli/command.ts';
import { documentOptions } from '../source/cli/common-options.ts';

export const description = describeCommand({
  summary: 'Write what AI assistants should know of the project, as JSON',
  group: 'Generate',
  examples: ['capix ai-context', 'capix ai-context --output context.json'],
});

export const options = z.object(documentOptions);

export default command({
  options,
  plain: () => import('../source/ai-context/ai-context-command.ts'),
});
