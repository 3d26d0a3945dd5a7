import { command } from '../source/app/define-command.ts';
import { documentOptions } from '../source/cli/common-options.ts';

export default command({
  summary: 'Write the schema of GraphQL',
  group: 'Generate',
  page: 'graphql.md',
  examples: ['capix graphql', 'capix graphql --output schema.graphql'],
  options: documentOptions,
  plain: () => import('../source/graphql/graphql-command.ts'),
});
