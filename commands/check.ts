import { command } from '../source/app/define-command.ts';
import { checkFlags } from '../source/flags/check-flags.ts';

export default command({
  summary: 'Check routes, names, schemas, overrides and guards',
  group: 'Inspect',
  details:
    'Exits with 1 where it finds an error, with --strict also where it finds a warning. docs/check-rules.md ' +
    'lists the rules, docs/gate.md says how to switch one off, with a reason.',
  page: 'gate.md',
  examples: ['capix check --strict', 'capix check --agents'],
  options: checkFlags,
  plain: () => import('../source/check/check-command.ts'),
  isComplete: ({ options: { format, agents } }) => agents || format !== undefined,
  opens: (_, { strict }) => ({ screen: 'check', strict }),
});
