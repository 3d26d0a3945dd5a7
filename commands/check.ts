import * as z from 'zod';
import { command } from '../source/cli/command.ts';
import { commonOptions } from '../source/cli/common-options.ts';
import { describeCommand } from '../source/cli/describe-command.ts';

export const description = describeCommand({
  summary: 'Check routes, names, schemas, overrides and guards',
  group: 'Inspect',
  details: 'Exits with 1 where it finds an error, with --strict also where it finds a warning.',
  examples: ['capix check', 'capix check --strict'],
});

export const options = z.object({
  ...commonOptions,
  strict: z.boolean().default(false).describe('Fail on warnings too'),
});

export default command({
  options,
  plain: () => import('../source/check/check-command.ts'),
  screen: async () =>
    (await import('../source/app/start-at.tsx')).startAt<z.infer<typeof options>>((_, { strict }) => ({
      screen: 'check',
      strict,
    })),
});
