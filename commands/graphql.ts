import { command } from '../source/app/define-command.ts';
import { documentFlags } from '../source/flags/document-flags.ts';

export default command({
  summary: 'Write the schema of GraphQL',
  group: 'Generate',
  page: 'graphql.md',
  examples: ['capix graphql', 'capix graphql --output schema.graphql'],
  options: documentFlags,
  plain: () => import('../source/written/graphql-command.ts'),
});
