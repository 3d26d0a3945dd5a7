import { describeCommand } from '../../source/cli/describe-command.ts';

export const alias = 'g';

export const description = describeCommand({
  summary: 'Write a capability or a group',
  group: 'Project',
  examples: ['capix generate capability users getUser --input', 'capix g group users'],
});
