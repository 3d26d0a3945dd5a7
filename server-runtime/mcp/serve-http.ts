import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { type CallerRules, findRefusal } from './find-refusal.ts';

export interface HttpOptions {
  readonly port: number;
  readonly host: string;
  /** Where the protocol is spoken: `/mcp`. */
  readonly path: string;
  readonly callers: CallerRules;
  readonly createMcpServer: () => Server;
}

export interface HttpServing {
  /** `http://127.0.0.1:3001/mcp` */
  readonly url: string;
  readonly stop: (graceMs: number) => Promise<void>;
}

/** Streamable HTTP without sessions: each POST is a whole conversation, so that nothing is kept between them. */
export async function serveHttp(options: HttpOptions): Promise<HttpServing> {
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
  let isOpen = true;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = findRefusal(request.headers, options.callers);
    if (refusal !== undefined) return refuse(response, 403, refusal);
    if (!isOpen) return refuse(response.setHeader('connection', 'close'), 503, 'The server is stopping.');
    if (request.url?.split('?')[0] !== options.path)
      return refuse(response, 404, `Not found. MCP is spoken at ${options.path}.`);
    if (request.method !== 'POST')
      return refuse(response.setHeader('allow', 'POST'), 405, 'Method not allowed. Messages are sent by POST.');

    const server = options.createMcpServer();
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.once('close', () => void server.close());
    // The SDK's own class does not fit its interface under exactOptionalPropertyTypes.
    await server.connect(transport as Parameters<Server['connect']>[0]);
    await transport.handleRequest(request, response);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      if (!response.headersSent) refuse(response, 500, 'Internal server error');
    });
  });
  const port = await listen(server, options);
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}${options.path}`,
    stop: async (graceMs) => {
      isOpen = false;
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await new Promise<void>((resolve) => server.close(() => resolve()));
      clearTimeout(timer);
    },
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}

async function listen(server: HttpServer, { port, host }: HttpOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error);
      const clear = new Error(
        `Port ${port} is already in use. Stop the program that uses it, or choose another port.`,
        { cause: error },
      );
      reject(Object.assign(clear, { code: error.code }));
    });
    server.listen({ port, host }, resolve);
  });
  return (server.address() as AddressInfo).port;
}
