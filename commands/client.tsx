import { option } from 'pastel';
import * as z from 'zod';
import { command } from '../source/cli/command.ts';
import { commonOptions } from '../source/cli/common-options.ts';
import { describeCommand } from '../source/cli/describe-command.ts';

export const description = describeCommand({
  summary: 'Write a typed client that calls the API with fetch',
  group: 'Generate',
  examples: ['capix client --output src/client.ts'],
});

export const options = z.object({
  ...commonOptions,
  output: z
    .string()
    .optional()
    .describe(
      option({ description: 'File to write, replaced if it exists (default: stdout)', valueDescription: 'file' }),
    ),
});

export default command({
  options,
  plain: () => import('../source/client/client-command.ts'),
});
