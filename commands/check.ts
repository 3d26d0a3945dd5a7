import { command } from '../source/app/define-command.ts';
import { commonOptions, option } from '../source/cli/common-options.ts';

export default command({
  summary: 'Check routes, names, schemas, overrides and guards',
  group: 'Inspect',
  details:
    'Exits with 1 where it finds an error, with --strict also where it finds a warning. docs/check-rules.md ' +
    'lists the rules, docs/gate.md says how to switch one off, with a reason.',
  page: 'gate.md',
  examples: ['capix check --strict', 'capix check --agents'],
  options: {
    ...commonOptions,
    strict: option.flag('Fail on warnings too'),
    agents: option.flag('Look for what keeps AI agents from using the tools, too'),
    format: option.choice(['github'], 'Print annotations for a build on GitHub', 'format'),
  },
  plain: async () => ({
    default: (await import('../source/app/sync-command.ts')).wholeCheckCommand,
  }),
  isComplete: ({ options: { format, agents } }) => agents || format !== undefined,
  opens: (_, { strict }) => ({ screen: 'check', strict }),
});
