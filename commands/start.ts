import * as z from 'zod';
import { command, describeCommand } from '../source/cli/command.ts';
import { commonOptions, flagOption, textOperand, workerOptions } from '../source/cli/common-options.ts';

export const description = describeCommand({
  summary: 'Run the built server in several processes',
  group: 'Serve',
  details:
    'Run the built server on all cores, behind one port. A process that ends, or hangs, is replaced. SIGHUP ' +
    'replaces the processes one by one with the code that is there then, and no request is lost; code that ' +
    'cannot start leaves those that run. SIGTERM lets requests under way end; the exit code is 0 if they do so ' +
    'in time, else 143. Variables of .env are set, and NODE_ENV is production unless it is set.',
  examples: ['capix start', 'capix start dist/main.js --workers 4', 'kill -HUP <process of capix start>'],
});

export const args = z.tuple([textOperand('entry', 'Built file that starts the server (default: dist/server.js)')]);

export const options = z.object({
  ...workerOptions,
  envFile: commonOptions.envFile,
  json: flagOption('Print one JSON document per line'),
});

export default command({ options, args, plain: () => import('../source/start/start-command.ts') });
