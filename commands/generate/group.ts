import * as z from 'zod';
import { command, describeCommand } from '../../source/cli/command.ts';
import { commonOptions, flagOption, textOperand } from '../../source/cli/common-options.ts';

export const description = describeCommand({
  summary: 'Write an empty group and list it',
  usage: '<name>',
  details: 'Write an empty group, src/capabilities/<name>/index.ts, and add its line to the index above it.',
  examples: ['capix generate group users', 'capix g group products/variants'],
});

export const args = z.tuple([textOperand('name', 'Group, such as `users` or `products/variants`')]);

export const options = z.object({
  dryRun: flagOption('Show what would be written, and write nothing'),
  ...commonOptions,
});

export default command({
  options,
  args,
  plain: async () => ({ default: (await import('../../source/generate/generate-command.ts')).groupCommand }),
  screen: async () =>
    (await import('../../source/app/start-at.tsx')).startAt<z.infer<typeof options>>((_, { dryRun }) => ({
      screen: 'generate',
      kind: 'group',
      options: { dryRun },
    })),
  isComplete: ({ args: [name] }) => name !== undefined,
});
