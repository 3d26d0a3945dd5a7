import { command } from '../source/app/define-command.ts';
import { commonOptions } from '../source/cli/common-options.ts';

export default command({
  summary: 'Declare an operation once; get an HTTP API, OpenAPI, a typed client, MCP tools and a terminal application',
  examples: ['capix new my-api'],
  options: { config: commonOptions.config, envFile: commonOptions.envFile },
  plain: async () => ({ default: ({ terminal, help }) => terminal.writeOut(help.text) }),
  opens: () => ({ screen: 'home' }),
});
