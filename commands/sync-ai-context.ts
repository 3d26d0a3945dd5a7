import * as z from 'zod';
import { command, describeCommand } from '../source/cli/command.ts';
import { commonOptions } from '../source/cli/common-options.ts';

export const description = describeCommand({
  summary: 'Bring .capix-context.json up to date',
  group: 'Generate',
  examples: ['capix sync-ai-context'],
});

export const options = z.object(commonOptions);

export default command({
  options,
  plain: () => import('../source/ai-context/sync-ai-context-command.ts'),
});
