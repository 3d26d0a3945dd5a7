import * as z from 'zod';
import { command, describeCommand } from '../source/cli/command.ts';
import { commonOptions, flagOption } from '../source/cli/common-options.ts';

export const description = describeCommand({
  summary: 'Keep the contract in capix.lock.json',
  group: 'Generate',
  details:
    'Writes what callers see of the capabilities, so that a review shows how it changes, and `capix diff ' +
    'capix.lock.json` compares with it. ' +
    '`capix check` warns where it is stale.',
  examples: ['capix lock', 'capix lock --check'],
});

export const options = z.object({
  config: commonOptions.config,
  envFile: commonOptions.envFile,
  json: commonOptions.json,
  check: flagOption('Write nothing, and exit with 1 where the file is stale or missing'),
});

export default command({ options, plain: () => import('../source/lock/lock-command.ts') });
