import * as z from 'zod';
import { command, describeCommand } from '../source/cli/command.ts';
import { documentOptions } from '../source/cli/common-options.ts';

export const description = describeCommand({
  summary: 'Write the API documentation as Markdown',
  group: 'Generate',
  examples: ['capix docs > API.md', 'capix docs --output docs/api.md'],
});

export const options = z.object(documentOptions);

export default command({
  options,
  plain: () => import('../source/docs/docs-command.ts'),
});
