import { option } from 'pastel';
import * as z from 'zod';
import { command } from '../source/cli/command.ts';
import { commonOptions } from '../source/cli/common-options.ts';
import { describeCommand } from '../source/cli/describe-command.ts';

export const description = describeCommand({
  summary: 'Check routes, names, schemas, overrides and guards',
  group: 'Inspect',
  details:
    'Exits with 1 where it finds an error, with --strict also where it finds a warning. docs/check-rules.md lists the rules, docs/gate.md says how to ' +
    'switch one off, with a reason.',
  examples: [
    'capix check --strict',
    'capix check --fix --dry-run',
    'capix check --agents',
    'capix check --probe',
    'capix check --live https://api.example.org',
  ],
});

export const options = z.object({
  ...commonOptions,
  strict: z.boolean().default(false).describe('Fail on warnings too'),
  agents: z.boolean().default(false).describe('Look for what keeps AI agents from using the tools, too'),
  live: z
    .string()
    .optional()
    .describe(option({ description: 'A running server that should have this contract', valueDescription: 'url' })),
  probe: z
    .boolean()
    .default(false)
    .describe('Call the queries with generated inputs, and tell what is not answered as declared'),
  probeMutations: z.boolean().default(false).describe('With --probe: call what changes something, too'),
  seed: z.coerce
    .number()
    .int()
    .optional()
    .describe(
      option({ description: 'With --probe: the inputs of a run that had this seed', valueDescription: 'number' }),
    ),
  fix: z.boolean().default(false).describe('Mend what is mechanical, and say what was changed'),
  dryRun: z.boolean().default(false).describe('With --fix: show what would be changed, and write nothing'),
  format: z
    .enum(['github', 'sarif', 'junit'])
    .optional()
    .describe(option({ description: 'Print for a build machine', valueDescription: 'format' })),
});

export default command({
  options,
  plain: () => import('../source/app/whole-check-command.ts'),
  isComplete: ({ options: { format, live, agents, fix } }) =>
    agents || fix || live !== undefined || format !== undefined,
  screen: async () =>
    (await import('../source/app/start-at.tsx')).startAt<z.infer<typeof options>>((_, { strict }) => ({
      screen: 'check',
      strict,
    })),
});
