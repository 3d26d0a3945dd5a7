import * as z from 'zod';
import { command, describeCommand } from '../source/cli/command.ts';
import { choiceOption, commonOptions, flagOption } from '../source/cli/common-options.ts';

export const description = describeCommand({
  summary: 'Check routes, names, schemas, overrides and guards',
  group: 'Inspect',
  details:
    'Exits with 1 where it finds an error, with --strict also where it finds a warning. docs/check-rules.md ' +
    'lists the rules, docs/gate.md says how to ' +
    'switch one off, with a reason.',
  examples: ['capix check --strict', 'capix check --agents'],
});

export const options = z.object({
  ...commonOptions,
  strict: flagOption('Fail on warnings too'),
  agents: flagOption('Look for what keeps AI agents from using the tools, too'),
  format: choiceOption(['github'], 'Print annotations for a build on GitHub', 'format'),
});

const toRoute = (_: unknown, { strict }: z.infer<typeof options>) => ({ screen: 'check', strict }) as const;

export default command({
  options,
  plain: () => import('../source/app/whole-check-command.ts'),
  isComplete: ({ options: { format, agents } }) => agents || format !== undefined,
  begin: async () => (await import('../source/app/begin-at.ts')).beginAt(),
  screen: async () => (await import('../source/app/start-at.tsx')).startAt(toRoute),
});
