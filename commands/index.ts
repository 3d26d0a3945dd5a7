import { command } from '../source/app/define-command.ts';

export default command({
  summary:
    'Declare an operation once; get an HTTP API, OpenAPI, a typed client, MCP tools and a terminal application',
  page: 'README.md',
  examples: ['capix new my-api'],
  plain: async () => ({ default: ({ terminal, help }) => terminal.writeOut(help.text) }),
  opens: () => ({ screen: 'home' }),
});
