import { command } from '../source/app/define-command.ts';
import { documentOptions, option } from '../source/cli/common-options.ts';

export default command({
  summary: 'Write the OpenAPI 3.1 document',
  group: 'Generate',
  page: 'openapi.md',
  examples: [
    'capix openapi > openapi.json',
    'capix openapi --output openapi.yaml --server https://api.example.org',
  ],
  options: {
    ...documentOptions,
    format: option.choice(
      ['json', 'yaml'],
      'Format (default: by the name of the file, else json)',
      'format',
    ),
    title: option.text('API title (default: restOptions.docs.title, else Capix API)', 'title'),
    apiVersion: option.text(
      'API version (default: restOptions.docs.version, else 0.1.0)',
      'version',
    ),
    description: option.text('API description', 'text'),
    server: option.text('Server URL in the document', 'url'),
    urlCase: option.choice(
      ['kebab', 'camel', 'snake'],
      'Case of paths, as the server has it (default: restOptions.urlCase, else kebab)',
      'case',
    ),
  },
  plain: () => import('../source/openapi/openapi-command.ts'),
  // A user who names a file wants it written.
  isComplete: ({ options: { output, format } }) => output !== undefined || format !== undefined,
  opens: (_, { title, apiVersion, description, server, urlCase }) => ({
    screen: 'openapi',
    document: {
      title,
      version: apiVersion,
      description,
      servers: server === undefined ? undefined : [{ url: server }],
      urlCase,
    },
  }),
});
