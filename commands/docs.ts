import { command } from '../source/app/define-command.ts';
import { documentOptions } from '../source/cli/common-options.ts';

export default command({
  summary: 'Write the API documentation as Markdown',
  group: 'Generate',
  page: 'openapi.md',
  examples: ['capix docs > API.md', 'capix docs --output docs/api.md'],
  options: documentOptions,
  plain: () => import('../source/docs/docs-command.ts'),
});
