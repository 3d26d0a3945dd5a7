import * as z from 'zod';
import { command, describeCommand } from '../source/cli/command.ts';
import { commonOptions, flagOption, serverOptions, textOperand } from '../source/cli/common-options.ts';
import type { DevRouteOptions } from '../source/screens/location.ts';

export const description = describeCommand({
  summary: 'Run the server and restart it on change',
  group: 'Project',
  details:
    'Run the server in a process of its own, and put new code in its place on every change: the port stays open, ' +
    'requests under way are finished, and code that cannot start leaves what ran before. Variables of .env are ' +
    'set.',
  examples: ['capix dev', 'capix dev src/admin-server.ts --port 4000', 'capix dev --json'],
});

export const args = z.tuple([textOperand('entry', 'File that starts the server (default: src/server.ts)')]);

export const options = z.object({
  ...serverOptions,
  requests: z.boolean().default(true).describe('Do not write a line for each request'),
  config: commonOptions.config,
  envFile: commonOptions.envFile,
  json: flagOption('Print one JSON document per line'),
  plain: commonOptions.plain,
});

export default command({
  options,
  args,
  plain: () => import('../source/dev/dev-command.ts'),
  screen: async () =>
    (await import('../source/app/start-at.tsx')).startAt<DevRouteOptions>(([entry], options) => ({
      screen: 'dev',
      entry,
      options,
    })),
});
