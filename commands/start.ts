import { command } from '../source/app/define-command.ts';
import { option } from '../source/cli/common-options.ts';
import { startFlags } from '../source/flags/serve-flags.ts';

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
  options: startFlags,
  plain: () => import('../source/start/start-command.ts'),
});
