import { command } from '../source/app/define-command.ts';
import { mcpFlags } from '../source/flags/mcp-flags.ts';

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
  options: mcpFlags,
  plain: () => import('../source/mcp/mcp-command.ts'),
});
