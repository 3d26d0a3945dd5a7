import * as z from 'zod';
import { command } from '../source/app/define-command.ts';
import {
  commonOptions,
  nodeOption,
  option,
  portNumber,
  secondsNumber,
} from '../source/cli/common-options.ts';

export default command({
  summary: 'Run the server and restart it on change',
  group: 'Project',
  details:
    'Run the server in a process of its own, and put new code in its place on every change: the port stays open, ' +
    'requests under way are finished, and code that cannot start leaves what ran before. Variables of .env are ' +
    'set.',
  page: 'dev.md',
  examples: ['capix dev', 'capix dev src/admin-server.ts --port 4000', 'capix dev --json'],
  args: [option.operand('entry', 'File that starts the server (default: src/server.ts)')],
  options: {
    port: option.number(
      "Port in place of the server's own; 0 takes a free one",
      'port',
      portNumber,
    ),
    host: option.text('Address to listen at (default: this machine only)', 'address'),
    open: option.flag('Open the server in the browser'),
    inspect: option.flag('Let a debugger connect, on port 9229'),
    inspectWait: option.flag('Let a debugger connect, and wait for it'),
    inspectBrk: option.flag('Let a debugger connect, wait for it, and pause in the first file'),
    inspectPort: option.number('Let a debugger connect on this port', 'port', portNumber),
    nodeOption,
    stopFirst: option.flag('Stop the server before its new code starts'),
    stopGrace: option.number(
      'Seconds that a server has to end (default: 3)',
      'seconds',
      secondsNumber,
    ),
    watch: option.list(
      'Files that the server reads without importing them, once or more: a change restarts it',
      'glob',
    ),
    noWatch: option.flag('Do not restart on change'),
    requests: z.boolean().default(true).describe('Do not write a line for each request'),
    config: commonOptions.config,
    envFile: commonOptions.envFile,
    json: option.flag('Print one JSON document per line'),
    plain: commonOptions.plain,
  },
  plain: () => import('../source/dev/dev-command.ts'),
  opens: ([entry], options) => ({ screen: 'dev', entry, options }),
});
