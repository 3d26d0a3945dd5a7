#!/usr/bin/env bash
# MCP SDK: one pattern in the output of one tool makes the list of all tools fail
#
# @modelcontextprotocol/sdk 1.32.2. Its server lists an output whose pattern is a valid expression
# of JavaScript, but not one with the flag `u`. Its client compiles outputs while it lists:
# `listTools()` throws, and no tool of the server is known.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @modelcontextprotocol/sdk@1.32.2 zod@4.6.7

cat > run.mjs <<'JS'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

async function list(pattern) {
  const server = new McpServer({ name: 'server', version: '1' });
  const run = () => ({ content: [], structuredContent: { name: 'a' } });
  server.registerTool('plain', { outputSchema: { name: z.string() } }, run);
  server.registerTool('named', { outputSchema: { name: z.string().regex(pattern) } }, run);
  const client = new Client({ name: 'client', version: '1' });
  const [serverSide, clientSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  try {
    return `${(await client.listTools()).tools.length} tools`;
  } catch (error) {
    return error.message;
  }
}
console.log(await list(/^[\w.-]+$/));
console.log(await list(/^[\w-.]+$/));
process.exit();
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
2 tools
Invalid regular expression: /^[\w-.]+$/u: Invalid character class
TXT
diff -u expected.txt actual.txt && echo "as stated"
