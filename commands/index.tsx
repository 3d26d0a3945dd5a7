import { command } from '../source/cli/command.ts';
import { describeCommand } from '../source/cli/describe-command.ts';

export const description = describeCommand({
  summary: 'Declare an operation once; get an HTTP API, OpenAPI, a typed client, MCP tools and a terminal application',
  examples: ['capix new my-api'],
});

export default command({
  plain: () => import('../source/home/home-command.ts'),
  screen: async () => (await import('../source/app/start-at.tsx')).startAt(() => ({ screen: 'home' })),
});
