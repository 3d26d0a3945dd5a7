import * as z from 'zod';
import { command } from '../source/app/define-command.ts';
import { callerOptions, commonOptions, option, portNumber } from '../source/cli/common-options.ts';

export default command({
  summary: 'Serve the capabilities to AI agents as MCP tools',
  group: 'Serve',
  details:
    'Speaks MCP over stdin and stdout, or with --port over Streamable HTTP; open sessions get the code of every ' +
    'save. Capabilities run with a stub context, with --header in that of the project, built for those headers.',
  page: 'mcp.md',
  examples: [
    'capix mcp --print-config claude',
    "capix mcp --read-only --header 'authorization: Bearer ${TOKEN}'",
    "capix mcp --list --only 'items.*'",
    'capix mcp --port 3001',
  ],
  options: {
    ...commonOptions,
    port: option.number('Serve Streamable HTTP at this port in place of stdio', 'port', portNumber),
    name: option.filled('Name of the server', 'name', 'capix'),
    ...callerOptions,
    only: option.list('Serve these keys alone, once or more: users.*', 'key'),
    readOnly: option.flag('Serve only what changes nothing'),
    list: option.flag('List the tools with the tokens that they take, the largest first'),
    budget: option.number(
      'Tokens that the list may take: beyond it --list exits with 1',
      'tokens',
      z.number().int().min(1),
    ),
    printConfig: option.choice(
      ['claude', 'cursor', 'vscode', 'codex'],
      'Print the settings with which claude, cursor, vscode or codex starts this command',
      'host',
    ),
    apiVersion: option.filled('Version of the server', 'version', '0.1.0'),
  },
  plain: () => import('../source/mcp/mcp-command.ts'),
});
