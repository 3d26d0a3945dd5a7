import * as z from 'zod';
import { command, describeCommand } from '../source/cli/command.ts';
import { commonOptions, textOperand } from '../source/cli/common-options.ts';

export const description = describeCommand({
  summary: 'Show one capability: input, output, route and why, guards',
  usage: '<capability>',
  group: 'Inspect',
  examples: ['capix show items.getItem', 'capix show items.getItem --json'],
});

export const options = z.object(commonOptions);

export const args = z.tuple([textOperand('capability', 'Key, such as `items.getItem`')]);

const toRoute = ([key]: readonly (string | undefined)[]) =>
  key === undefined ? ({ screen: 'list' } as const) : ({ screen: 'show', key } as const);

export default command({
  options,
  args,
  plain: () => import('../source/list/show-command.ts'),
  begin: async () => (await import('../source/app/begin-at.ts')).beginAt(),
  screen: async () => (await import('../source/app/start-at.tsx')).startAt(toRoute),
});
