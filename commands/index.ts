import * as z from 'zod';
import { command, describeCommand } from '../source/cli/command.ts';
import { commonOptions } from '../source/cli/common-options.ts';

export const description = describeCommand({
  summary: 'Declare an operation once; get an HTTP API, OpenAPI, a typed client, MCP tools and a terminal application',
  examples: ['capix new my-api'],
});

export const options = z.object({
  config: commonOptions.config,
  envFile: commonOptions.envFile,
});

const toRoute = () => ({ screen: 'home' }) as const;

export default command({
  options,
  plain: () => import('../source/home/home-command.ts'),
  begin: async () => (await import('../source/app/begin-at.ts')).beginAt(),
  screen: async () => (await import('../source/app/start-at.tsx')).startAt(toRoute),
});
