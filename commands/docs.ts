import { command } from '../source/app/define-command.ts';
import { documentFlags } from '../source/flags/document-flags.ts';

export default command({
  summary: 'Write the API documentation as Markdown',
  group: 'Generate',
  page: 'openapi.md',
  examples: ['capix docs > API.md', 'capix docs --output docs/api.md'],
  options: documentFlags,
  plain: () => import('../source/written/docs-command.ts'),
});
