import { command } from '../source/app/define-command.ts';
import { openApiFlags } from '../source/flags/document-flags.ts';

export default command({
  summary: 'Write the OpenAPI 3.1 document',
  group: 'Generate',
  page: 'openapi.md',
  examples: [
    'capix openapi > openapi.json',
    'capix openapi --output openapi.yaml --server https://api.example.org',
  ],
  options: openApiFlags,
  plain: () => import('../source/written/openapi-command.ts'),
  // A user who names a file wants it written.
  isComplete: ({ options: { output, format } }) => output !== undefined || format !== undefined,
  opens: (_, options) => ({ screen: 'openapi', options }),
});
