import * as z from 'zod';
import { command, describeCommand } from '../source/cli/command.ts';
import { commonOptions } from '../source/cli/common-options.ts';

export const alias = 'ls';

export const description = describeCommand({
  summary: 'List the capabilities with their routes and guards',
  group: 'Inspect',
  examples: ['capix list', 'capix list --json'],
});

export const options = z.object(commonOptions);

const toRoute = () => ({ screen: 'list' }) as const;

export default command({
  options,
  plain: () => import('../source/list/list-command.ts'),
  begin: async () => (await import('../source/app/begin-at.ts')).beginAt(),
  screen: async () => (await import('../source/app/start-at.tsx')).startAt(toRoute),
});
