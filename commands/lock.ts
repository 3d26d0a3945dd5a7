import { command } from '../source/app/define-command.ts';
import { lockFlags } from '../source/flags/document-flags.ts';

export default command({
  summary: 'Keep the contract in capix.lock.json',
  group: 'Generate',
  details:
    'Writes what callers see of the capabilities, so that a review shows how it changes, and `capix diff ' +
    'capix.lock.json` compares with it. `capix check` warns where it is stale.',
  page: 'gate.md',
  examples: ['capix lock', 'capix lock --check'],
  options: lockFlags,
  plain: () => import('../source/written/lock-command.ts'),
});
