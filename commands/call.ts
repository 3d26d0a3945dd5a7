import { argument } from 'pastel';
import * as z from 'zod';
import { command } from '../source/cli/command.ts';
import { commonOptions } from '../source/cli/common-options.ts';
import { describeCommand } from '../source/cli/describe-command.ts';

export const description = describeCommand({
  summary: 'Call a capability without a server',
  group: 'Inspect',
  details:
    'Runs guards, validation and handler in this process, with a stub context: { requestId, signal }, without a user or a database. The value is written to stdout as JSON, what the handler prints to stderr.',
  examples: [`capix call items.createItem '{"name": "Pen"}'`, 'capix call items.createItem - < item.json'],
});

export const options = z.object({ ...commonOptions });

export const args = z.tuple([
  z.string().describe(argument({ name: 'capability', description: 'Key, such as `items.getItem`' })),
  z
    .string()
    .optional()
    .describe(argument({ name: 'input', description: 'JSON; - reads it from stdin (default: {})' })),
]);

export default command({
  options,
  args,
  plain: () => import('../source/call/call-command.ts'),
  screen: async () =>
    (await import('../source/app/start-at.tsx')).startAt(([key = '', input]) => ({ screen: 'call', key, input })),
});
