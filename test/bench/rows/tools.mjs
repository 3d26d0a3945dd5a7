/** Tools over HTTP in a session, of capix and of the official SDK's server, and a client that costs little. */
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, request } from 'node:http';
import * as z from '../zod-of-capix.mjs';
import { listen } from './servers.mjs';

const input = z.object({ id: z.string() });
const output = z.object({ id: z.string(), name: z.string() });
const findItem = ({ id }) => ({ id, name: `item ${id}` });

export async function openCapixTools(count) {
  const { capability, createServer, silentLogger } = await import(
    '../../../dist/server-runtime/index.js'
  );
  const { mcpTransport } = await import('../../../dist/server-runtime/mcp/index.js');
  const items = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `getItem${at}`,
      capability(input, findItem).output(output),
    ]),
  );
  const server = createServer({
    capabilities: { items },
    transports: [mcpTransport({ port: 0, host: '127.0.0.1' })],
    logger: silentLogger,
  });
  const [{ url }] = await server.start();
  return { url };
}

export async function openSdkTools(count) {
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
  const { StreamableHTTPServerTransport } = await import(
    '@modelcontextprotocol/sdk/server/streamableHttp.js'
  );
  const makeServer = () => {
    const server = new McpServer({ name: 'bench', version: '1' });
    for (let at = 0; at < count; at++)
      server.registerTool(
        `items_getItem${at}`,
        { inputSchema: input, outputSchema: output },
        (asked) => {
          const found = findItem(asked);
          return {
            content: [{ type: 'text', text: JSON.stringify(found) }],
            structuredContent: found,
          };
        },
      );
    return server;
  };
  const sessions = new Map();
  const answer = async (incoming, response) => {
    let session = sessions.get(incoming.headers['mcp-session-id']);
    if (session === undefined) {
      session = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, session),
      });
      await makeServer().connect(session);
    }
    await session.handleRequest(incoming, response);
  };
  const { url } = await listen(
    createHttpServer((incoming, response) => void answer(incoming, response)),
  );
  return { url: `${url}/mcp` };
}

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const sessions = new Map();

/** Sends a message in the session of that server, which it opens first, and checks that the answer has a result. */
export async function ask(url, method, params) {
  if (!sessions.has(url)) sessions.set(url, openSession(url));
  const { text } = await post(
    url,
    { id: 2, method, params },
    { 'mcp-session-id': await sessions.get(url) },
  );
  if (!text.includes('"result"') || text.includes('"isError":true')) throw new Error(text);
}

async function openSession(url) {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  };
  const { session } = await post(url, { id: 1, method: 'initialize', params });
  const own = { 'mcp-session-id': session };
  await post(url, { method: 'notifications/initialized' }, own);
  return session;
}

function post(url, message, more = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { ...headers, ...more } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      const session = response.headers['mcp-session-id'];
      response.once('end', () => resolve({ text, session }));
    });
    sent.once('error', reject);
    sent.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
  });
}
