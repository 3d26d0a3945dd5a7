#!/usr/bin/env bash
# LangChain: of a tagged union in the input of an MCP tool only the last tag is taken
#
# @langchain/mcp-adapters 1.1.4. It merges the branches of a choice of objects into one object before it makes a tool:
# of a property that several have, such as the tag, the last one stands. An argument with another tag, which the
# server's schema takes, is refused before anything is sent.
#
# Needs Node 20.10 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @langchain/mcp-adapters@1.1.4 @langchain/core@1.4.0 @langchain/langgraph@1.7.3 @modelcontextprotocol/sdk@1.32.2

cat > server.mjs <<'JS'
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const toBranch = (kind) => ({
  type: 'object',
  properties: { kind: { type: 'string', const: kind } },
  required: ['kind'],
});
const pet = { anyOf: [toBranch('cat'), toBranch('dog')] };
const inputSchema = { type: 'object', properties: { pet }, required: ['pet'] };
const server = new Server({ name: 'pets', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'save', inputSchema }] }));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  content: [{ type: 'text', text: `saved a ${params.arguments.pet.kind}` }],
}));
await server.connect(new StdioServerTransport());
JS
cat > run.mjs <<'JS'
import { MultiServerMCPClient } from '@langchain/mcp-adapters';

const client = new MultiServerMCPClient({
  mcpServers: { pets: { transport: 'stdio', command: 'node', args: ['server.mjs'] } },
});
const [save] = await client.getTools();
console.log('taken for the tag:', JSON.stringify(save.schema.properties.pet.properties.kind));
for (const kind of ['dog', 'cat']) {
  const answer = await save.invoke({ pet: { kind } }).catch((error) => error.message.split('\n')[0]);
  console.log(`${kind}:`, answer);
}
await client.close();
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
taken for the tag: {"type":"string","const":"dog"}
dog: saved a dog
cat: Received tool input did not match expected schema
TXT
diff -u expected.txt actual.txt && echo "as stated"
