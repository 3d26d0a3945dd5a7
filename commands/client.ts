import * as z from 'zod';
import { command, describeCommand } from '../source/cli/command.ts';
import { documentOptions, flagOption } from '../source/cli/common-options.ts';

export const description = describeCommand({
  summary: 'Write a typed client that calls the API with fetch',
  group: 'Generate',
  examples: ['capix client --output src/client.ts', 'capix client --output web/client.ts --standalone'],
});

export const options = z.object({
  ...documentOptions,
  standalone: flagOption("Carry the runtime in the file, in place of importing it from 'capix/client'"),
});

export default command({
  options,
  plain: () => import('../source/client/client-command.ts'),
});
