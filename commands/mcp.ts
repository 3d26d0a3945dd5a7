import { option } from 'pastel';
import * as z from 'zod';
import { command, describeCommand } from '../source/cli/command.ts';
import {
  callerOptions,
  choiceOption,
  commonOptions,
  flagOption,
  numberOption,
  toolOptions,
} from '../source/cli/common-options.ts';

export const description = describeCommand({
  summary: 'Serve the capabilities to AI agents as MCP tools',
  group: 'Serve',
  details:
    'Speaks MCP over stdin and stdout until stdin ends, or over Streamable HTTP at http://127.0.0.1:<port>/mcp, ' +
    'and open sessions get the code of every save. Capabilities run with a stub context, { requestId, signal }; ' +
    'with --header the context is that of the project, built for those headers. A server that needs its own ' +
    'mounts mcpTransport from capix/mcp.',
  examples: [
    'capix mcp --print-config claude',
    "capix mcp --read-only --header 'authorization: Bearer ${TOKEN}'",
    "capix mcp --list --only 'items.*'",
    'capix mcp --project',
    'capix mcp --port 3001',
  ],
});

const text = (name: string, valueDescription: string) => option({ description: name, valueDescription });

export const options = z.object({
  ...commonOptions,
  port: numberOption(
    'Serve Streamable HTTP at this port in place of stdio',
    'port',
    z.number().int().min(0).max(65_535),
  ),
  name: z.string().min(1).default('capix').describe(text('Name of the server', 'name')),
  header: callerOptions.header,
  context: callerOptions.context,
  ...toolOptions,
  project: flagOption('Serve the commands of this tool, for an agent that works on the project'),
  printConfig: choiceOption(
    ['claude', 'cursor', 'vscode', 'codex'],
    'Print the settings with which claude, cursor, vscode or codex starts this command',
    'host',
  ),
  apiVersion: z.string().min(1).default('0.1.0').describe(text('Version of the server', 'version')),
});

export default command({
  options,
  plain: () => import('../source/mcp/mcp-command.ts'),
});
