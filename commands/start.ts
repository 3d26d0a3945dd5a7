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
  summary: 'Run the built server in several processes',
  group: 'Serve',
  details:
    'Run the built server on all cores, behind one port. A process that ends, or hangs, is replaced. SIGHUP ' +
    'replaces the processes one by one with the code that is there then. SIGTERM lets requests under way end.',
  page: 'scaling.md',
  examples: [
    'capix start',
    'capix start dist/main.js --workers 4',
    'capix start -- --import ./otel.mjs',
    'kill -HUP <process of capix start>',
  ],
  args: [option.operand('entry', 'Built file that starts the server (default: dist/server.js)')],
  options: {
    workers: option.number(
      'Number of processes (default: one for each core)',
      'number',
      z.number().int().min(1).max(1024),
    ),
    port: option.number('Sets PORT for the server; 0 takes a free one', 'port', portNumber),
    host: option.text('Sets HOST for the server', 'address'),
    startTimeout: option.number(
      'Seconds that a process has to serve (default: 30)',
      'seconds',
      secondsNumber,
    ),
    hangTimeout: option.number(
      'Seconds until a process that hangs is replaced (default: 30)',
      'seconds',
      secondsNumber,
    ),
    stopGrace: option.number(
      'Seconds that a process has to end (default: 15)',
      'seconds',
      secondsNumber,
    ),
    nodeOption,
    envFile: commonOptions.envFile,
    json: option.flag('Print one JSON document per line'),
  },
  plain: () => import('../source/start/start-command.ts'),
});
