import * as z from 'zod';
import { command } from '../source/app/define-command.ts';
import {
  commonOptions,
  flagOption,
  listOption,
  numberOption,
  portNumber,
  secondsNumber,
  textOperand,
  textOption,
} from '../source/cli/common-options.ts';

export default command({
  summary: 'Run the server and restart it on change',
  group: 'Project',
  details:
    'Run the server in a process of its own, and put new code in its place on every change: the port stays open, ' +
    'requests under way are finished, and code that cannot start leaves what ran before. Variables of .env are ' +
    'set.',
  examples: ['capix dev', 'capix dev src/admin-server.ts --port 4000', 'capix dev --json'],
  args: [textOperand('entry', 'File that starts the server (default: src/server.ts)')],
  options: {
    port: numberOption("Port in place of the server's own; 0 takes a free one", 'port', portNumber),
    host: textOption('Address to listen at (default: this machine only)', 'address'),
    open: flagOption('Open the server in the browser'),
    inspect: flagOption('Let a debugger connect, on port 9229'),
    inspectWait: flagOption('Let a debugger connect, and wait for it'),
    inspectBrk: flagOption('Let a debugger connect, wait for it, and pause in the first file'),
    inspectPort: numberOption('Let a debugger connect on this port', 'port', portNumber),
    nodeOption: listOption('Option of Node for the server, once or more; also everything after --', 'option'),
    stopFirst: flagOption('Stop the server before its new code starts'),
    stopGrace: numberOption('Seconds that a server has to end (default: 3)', 'seconds', secondsNumber),
    watch: listOption('Files that the server reads without importing them, once or more: a change restarts it', 'glob'),
    noWatch: flagOption('Do not restart on change'),
    requests: z.boolean().default(true).describe('Do not write a line for each request'),
    config: commonOptions.config,
    envFile: commonOptions.envFile,
    json: flagOption('Print one JSON document per line'),
    plain: commonOptions.plain,
  },
  plain: () => import('../source/dev/dev-command.ts'),
  opens: ([entry], options) => ({ screen: 'dev', entry, options }),
});
