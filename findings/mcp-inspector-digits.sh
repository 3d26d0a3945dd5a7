#!/usr/bin/env bash
# MCP inspector: digits on the command line are a number where the tool declares a text
#
# @modelcontextprotocol/inspector 2.12.0 with `--cli`. `--tool-arg code=7` is sent as the number 7,
# although the input schema of the tool, which the inspector has read, says `type: string`; the
# server refuses it. There is no other spelling for the text.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @modelcontextprotocol/inspector@2.12.0 @modelcontextprotocol/sdk@1.32.2 zod@4.6.7

cat > server.mjs <<'JS'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
const server = new McpServer({ name: 'server', version: '1' });
server.registerTool('find', { inputSchema: { code: z.string() } }, ({ code }) => ({
  content: [{ type: 'text', text: `found ${code}` }],
}));
await server.connect(new StdioServerTransport());
JS
for code in a7 7; do
  npx mcp-inspector --cli node server.mjs --method tools/call --tool-name find --tool-arg "code=$code" 2>&1 |
    grep -oE 'found a7|expected string, received number' | head -n 1 || true
done > actual.txt
cat > expected.txt <<'TXT'
found a7
expected string, received number
TXT
diff -u expected.txt actual.txt && echo "as stated"
