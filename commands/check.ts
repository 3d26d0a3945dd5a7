import { option } from 'pastel';
import * as z from 'zod';
import { command } from '../source/cli/command.ts';
import { commonOptions, probeOptions } from '../source/cli/common-options.ts';
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
    "capix check --probe -H 'authorization: Bearer abc'",
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
  ...probeOptions,
  fix: z.boolean().default(false).describe('Fix the problems that have a mechanical fix, and list the changes'),
  dryRun: z.boolean().default(false).describe('With --fix: show what would be changed, and write nothing'),
  format: z
    .enum(['github', 'sarif', 'junit'])
    .optional()
    .describe(option({ description: 'Print in a format of CI systems', valueDescription: 'format' })),
});

const toRoute = (_: unknown, { strict }: z.infer<typeof options>) => ({ screen: 'check', strict }) as const;

export default command({
  options,
  plain: () => import('../source/app/whole-check-command.ts'),
  // The screen shows a project as it is while it is edited: it calls nothing, and mends one problem at a time.
  isComplete: ({ options: { format, live, agents, fix, dryRun, probe, probeMutations, seed, header, context } }) =>
    [agents, fix, dryRun, probe, probeMutations, header.length > 0].includes(true) ||
    [live, format, seed, context].some((value) => value !== undefined),
  begin: async () => (await import('../source/app/begin-at.ts')).beginAt(),
  screen: async () => (await import('../source/app/start-at.tsx')).startAt(toRoute),
});
