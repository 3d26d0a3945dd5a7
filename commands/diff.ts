import { argument, option } from 'pastel';
import * as z from 'zod';
import { command } from '../source/cli/command.ts';
import { commonOptions } from '../source/cli/common-options.ts';
import { describeCommand } from '../source/cli/describe-command.ts';

export const description = describeCommand({
  summary: 'Compare the capabilities of two config files',
  group: 'Inspect',
  details:
    'Tells what was added, removed and changed from the first to the second, and for each change whether it is breaking, risky or safe, ' +
    'why, and for whom. Exits with 0 whatever it finds, unless --fail-on says otherwise.',
  examples: ['capix diff old/src/capabilities.ts src/capabilities.ts --fail-on breaking'],
});

export const options = z.object({
  envFile: commonOptions.envFile,
  json: commonOptions.json,
  plain: commonOptions.plain,
  failOn: z
    .enum(['breaking', 'risky'])
    .optional()
    .describe(
      option({ description: 'Exit with 1 where a change is of this class or a worse one', valueDescription: 'class' }),
    ),
});

export const args = z.tuple([
  z.string().describe(argument({ name: 'config-a', description: 'Capabilities file as it was' })),
  z.string().describe(argument({ name: 'config-b', description: 'Capabilities file as it is' })),
]);

export default command({
  options,
  args,
  plain: () => import('../source/diff/diff-command.ts'),
  screen: async () =>
    (await import('../source/app/start-at.tsx')).startAt<z.infer<typeof options>>(
      ([before], { failOn }) => ({ screen: 'diff', before, failOn }),
      { toConfig: ([, after]) => after },
    ),
});
