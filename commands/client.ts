import { option } from 'pastel';
import * as z from 'zod';
import { command } from '../source/cli/command.ts';
import { checkOption, commonOptions, forceOption, outputOption } from '../source/cli/common-options.ts';
import { describeCommand } from '../source/cli/describe-command.ts';

export const description = describeCommand({
  summary: 'Write a typed client that calls the API with fetch',
  group: 'Generate',
  examples: ['capix client --output src/client.ts', 'capix client --output src/client.ts --queries src/queries.ts'],
});

export const options = z.object({
  ...commonOptions,
  output: outputOption,
  force: forceOption,
  check: checkOption,
  typesFrom: z
    .string()
    .optional()
    .describe(
      option({
        description: 'Module of the capabilities, whose types stand for answers that are not declared',
        valueDescription: 'module',
      }),
    ),
  queries: z
    .string()
    .optional()
    .describe(option({ description: 'File to write for TanStack Query, beside the client', valueDescription: 'file' })),
});

export default command({
  options,
  plain: () => import('../source/client/client-command.ts'),
});
