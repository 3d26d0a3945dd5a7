import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import { createServer, type ServerOptions, silentLogger } from '../../server-runtime/index.ts';
import { type McpOptions, mcpTransport } from '../../server-runtime/mcp/index.ts';
import { cleanEnvironment, cliEntry } from './run-capix.ts';

/** Serves capabilities to agents over HTTP on a free port, and connects. Both end with the test. */
export async function connectToTools(
  options: ServerOptions,
  headers: Record<string, string> = {},
): Promise<Client> {
  return connectToUrl(await serveTools(options), headers);
}

/** Serves capabilities to agents over HTTP on a free port, until the end of the test. Gives the address. */
export async function serveTools(options: ServerOptions, mcp: McpOptions = {}): Promise<string> {
  const transports = [mcpTransport({ ...mcp, port: 0 })];
  const server = createServer({ logger: silentLogger, ...options, transports });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return started?.url ?? '';
}

/** Connects to the tools at an address. The connection ends with the test. */
export function connectToUrl(url: string, headers: Record<string, string> = {}): Promise<Client> {
  return connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
}

/** Runs the built `capix mcp` in a project, and connects over stdio. It ends with the test. */
export function connectToCommand(folder: string, ...args: readonly string[]): Promise<Client> {
  const command = {
    command: process.execPath,
    args: [cliEntry, 'mcp', ...args],
    cwd: folder,
    env: cleanEnvironment(),
  };
  return connect(new StdioClientTransport(command));
}

async function connect(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  return client;
}
