import * as z from 'zod';
import { command } from '../source/app/define-command.ts';
import {
  callerOptions,
  choiceOption,
  commonOptions,
  flagOption,
  listOption,
  numberOption,
  portNumber,
  toValueWords,
} from '../source/cli/common-options.ts';

export default command({
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
    'capix mcp --port 3001',
  ],
  options: {
    ...commonOptions,
    port: numberOption('Serve Streamable HTTP at this port in place of stdio', 'port', portNumber),
    name: z.string().min(1).default('capix').describe(toValueWords('Name of the server', 'name')),
    ...callerOptions,
    only: listOption('Serve these keys alone, once or more: users.*', 'key'),
    readOnly: flagOption('Serve only what changes nothing'),
    list: flagOption('List the tools with the tokens that they take, the largest first'),
    budget: numberOption(
      'Tokens that the list may take: beyond it --list exits with 1',
      'tokens',
      z.number().int().min(1),
    ),
    printConfig: choiceOption(
      ['claude', 'cursor', 'vscode', 'codex'],
      'Print the settings with which claude, cursor, vscode or codex starts this command',
      'host',
    ),
    apiVersion: z.string().min(1).default('0.1.0').describe(toValueWords('Version of the server', 'version')),
  },
  plain: () => import('../source/mcp/mcp-command.ts'),
});
