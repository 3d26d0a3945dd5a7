import { command } from '../source/app/define-command.ts';
import { commonOptions } from '../source/cli/common-options.ts';

export default command({
  summary:
    'Declare an operation once; get an HTTP API, OpenAPI, a typed client, MCP tools and a terminal application',
  page: 'README.md',
  examples: ['capix new my-api', 'capix --plain'],
  options: commonOptions,
  plain: () => import('../source/app/home-command.ts'),
  opens: () => ({ screen: 'home' }),
});
