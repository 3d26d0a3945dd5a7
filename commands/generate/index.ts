import * as z from 'zod';
import { command, describeCommand } from '../../source/cli/command.ts';
import { commonOptions } from '../../source/cli/common-options.ts';

export const alias = 'g';

export const description = describeCommand({
  summary: 'Write a capability or a group',
  group: 'Project',
  examples: ['capix generate capability users getUser --input', 'capix g group users'],
});

export const options = z.object(commonOptions);

export default command({
  options,
  plain: async () => ({ default: (await import('../../source/generate/generate-command.ts')).choiceCommand }),
  screen: async () => (await import('../../source/app/start-at.tsx')).startAt(() => ({ screen: 'generate' })),
});
