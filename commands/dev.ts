import { command } from '../source/app/define-command.ts';
import { option } from '../source/cli/common-options.ts';
import { devFlags } from '../source/flags/serve-flags.ts';

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
  options: devFlags,
  plain: () => import('../source/dev/dev-command.ts'),
  opens: ([entry], options) => ({ screen: 'dev', entry, options }),
});
