import { command } from '../../source/app/define-command.ts';
import { commonOptions } from '../../source/cli/common-options.ts';

export default command({
  alias: 'g',
  summary: 'Write a capability or a group',
  group: 'Project',
  page: 'projects.md',
  examples: ['capix generate capability users getUser --input', 'capix g group users'],
  options: commonOptions,
  plain: async () => ({
    default: (await import('../../source/generate/generate-command.ts')).choiceCommand,
  }),
  opens: () => ({ screen: 'generate' }),
});
