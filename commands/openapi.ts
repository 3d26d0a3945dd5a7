import { option } from 'pastel';
import * as z from 'zod';
import { command } from '../source/cli/command.ts';
import { commonOptions, forceOption, outputOption } from '../source/cli/common-options.ts';
import { describeCommand } from '../source/cli/describe-command.ts';

export const description = describeCommand({
  summary: 'Write the OpenAPI 3.1 document',
  group: 'Generate',
  examples: ['capix openapi > openapi.json', 'capix openapi --output openapi.yaml --server https://api.example.org'],
});

const text = (name: string, valueDescription: string) => option({ description: name, valueDescription });

export const options = z.object({
  ...commonOptions,
  output: outputOption,
  force: forceOption,
  format: z
    .enum(['json', 'yaml'])
    .optional()
    .describe(text('Format (default: by the name of the file, else json)', 'format')),
  title: z.string().optional().describe(text('API title (default: restOptions.docs.title, else Capix API)', 'title')),
  apiVersion: z
    .string()
    .optional()
    .describe(text('API version (default: restOptions.docs.version, else 0.1.0)', 'version')),
  description: z.string().optional().describe(text('API description', 'text')),
  server: z.string().optional().describe(text('Server URL in the document', 'url')),
  urlCase: z
    .enum(['kebab', 'camel', 'snake'])
    .optional()
    .describe(text('Case of paths, as the server has it (default: restOptions.urlCase, else kebab)', 'case')),
});

const toRoute = (_: unknown, { server, ...given }: z.infer<typeof options>) =>
  ({
    screen: 'openapi',
    document: {
      title: given.title,
      version: given.apiVersion,
      description: given.description,
      servers: server === undefined ? undefined : [{ url: server }],
      urlCase: given.urlCase,
    },
  }) as const;

export default command({
  options,
  plain: () => import('../source/openapi/openapi-command.ts'),
  // Who names a file wants it written.
  isComplete: ({ options: { output, format } }) => output !== undefined || format !== undefined,
  begin: async () => (await import('../source/app/begin-at.ts')).beginAt(),
  screen: async () => (await import('../source/app/start-at.tsx')).startAt(toRoute),
});
