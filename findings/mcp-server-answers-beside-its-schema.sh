#!/usr/bin/env bash
# MCP SDK: its server sends what its own client refuses
#
# @modelcontextprotocol/sdk 1.32.2. The server checks `structuredContent` against the output schema
# and then sends the value as it was: a default is not filled in and an undeclared field stays,
# while the listed schema requires the one and forbids the other. The client of the same package
# throws the answer away. A step of 0.01 is refused for 19.99, too.
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

const server = new McpServer({ name: 'server', version: '1' });
const offer = (name, outputSchema, structuredContent) =>
  server.registerTool(name, { inputSchema: {}, outputSchema }, () => ({
    content: [],
    structuredContent,
  }));
offer('exact', { size: z.number() }, { size: 1 });
offer('default', { size: z.number().default(1) }, {});
offer('undeclared', { size: z.number() }, { size: 1, color: 'red' });
offer('step', { price: z.number().multipleOf(0.01) }, { price: 19.99 });

const client = new Client({ name: 'client', version: '1' });
const [serverSide, clientSide] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
await client.listTools();
for (const name of ['exact', 'default', 'undeclared', 'step']) {
  const said = await client.callTool({ name, arguments: {} }).then(
    ({ structuredContent }) => JSON.stringify(structuredContent),
    (error) => error.message.replace(/^.*schema: /, ''),
  );
  console.log(`${name}: ${said}`);
}
process.exit();
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
exact: {"size":1}
default: data must have required property 'size'
undeclared: data must NOT have additional properties
step: data/price must be multiple of 0.01
TXT
diff -u expected.txt actual.txt && echo "as stated"
