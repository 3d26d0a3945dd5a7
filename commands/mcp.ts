import { option } from 'pastel';
import * as z from 'zod';
import { command } from '../source/cli/command.ts';
import { commonOptions } from '../source/cli/common-options.ts';
import { describeCommand } from '../source/cli/describe-command.ts';

export const description = describeCommand({
  summary: 'Serve the capabilities to AI agents as MCP tools',
  group: 'Serve',
  details:
    'Speaks MCP over stdin and stdout until stdin ends, or over Streamable HTTP at http://127.0.0.1:<port>/mcp. Capabilities run with a stub context, { requestId, signal }; a server that needs its own mounts mcpTransport from capix/mcp.',
  examples: ['capix mcp', 'capix mcp --port 3001'],
});

const text = (name: string, valueDescription: string) => option({ description: name, valueDescription });

export const options = z.object({
  config: commonOptions.config,
  envFile: commonOptions.envFile,
  port: z
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(text('Serve Streamable HTTP at this port in place of stdio', 'port')),
  name: z.string().min(1).default('capix').describe(text('Name of the server', 'name')),
  apiVersion: z.string().min(1).default('0.1.0').describe(text('Version of the server', 'version')),
});

export default command({
  options,
  plain: () => import('../source/mcp/mcp-command.ts'),
});
