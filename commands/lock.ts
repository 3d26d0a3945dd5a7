import { command } from '../source/app/define-command.ts';
import { commonOptions, option } from '../source/cli/common-options.ts';

export default command({
  summary: 'Keep the contract in capix.lock.json',
  group: 'Generate',
  details:
    'Writes what callers see of the capabilities, so that a review shows how it changes, and `capix diff ' +
    'capix.lock.json` compares with it. `capix check` warns where it is stale.',
  page: 'gate.md',
  examples: ['capix lock', 'capix lock --check'],
  options: {
    config: commonOptions.config,
    envFile: commonOptions.envFile,
    json: commonOptions.json,
    check: option.flag('Write nothing, and exit with 1 where the file is stale or missing'),
  },
  plain: () => import('../source/lock/lock-command.ts'),
});
