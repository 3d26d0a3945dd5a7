import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { createHttpServerCloser } from '../server/http-server-closer.ts';
import { mount, type TakeRequest } from '../server/mount.ts';
import { Closing } from './closing.ts';
import { type CallerRules, findRefusal } from './find-refusal.ts';
import type { ServerMaker } from './load-server-maker.ts';

export interface HttpOptions {
  readonly port: number;
  readonly host: string;
  /** The path at which the protocol is spoken: `/mcp`. */
  readonly path: string;
  /** A server that is its owner's, in place of one at `host` and `port`. */
  readonly server: HttpServer | undefined;
  readonly callers: CallerRules;
  readonly createMcpServer: ServerMaker;
}

export interface HttpServing {
  /** `http://127.0.0.1:3001/mcp`; undefined where the owner's server does not listen at a port yet. */
  readonly url: string | undefined;
  readonly stop: (graceMs: number) => Promise<void>;
}

/** Streamable HTTP without sessions: each POST is a whole conversation, so that nothing is kept between them. */
export async function serveHttp(options: HttpOptions): Promise<HttpServing> {
  const { server: mountedAt, path } = options;
  const closing = new Closing();
  const take = await createRequestTaker(options, closing);
  const { url, close } = mountedAt === undefined ? await listen(take, options) : listenAtPath(mountedAt, take, path);
  return {
    url,
    stop: async (graceMs) => {
      closing.begin();
      await close(graceMs);
      await closing.cleaned();
    },
  };
}

async function createRequestTaker(options: HttpOptions, closing: Closing): Promise<TakeRequest> {
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = findRefusal(request.headers, options.callers);
    if (refusal !== undefined) return refuse(response, 403, refusal);
    if (closing.signal.aborted)
      return refuse(response.setHeader('connection', 'close'), 503, 'The server is stopping.');
    if (toPath(request) !== options.path) return refuse(response, 404, `Not found. MCP is spoken at ${options.path}.`);
    if (request.method !== 'POST')
      return refuse(response.setHeader('allow', 'POST'), 405, 'Method not allowed. Messages are sent by POST.');

    const server = options.createMcpServer({ closing, remoteAddress: request.socket.remoteAddress });
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.once('close', () => void server.close());
    // The SDK's own class does not fit its interface under exactOptionalPropertyTypes.
    await server.connect(transport as Parameters<Server['connect']>[0]);
    await transport.handleRequest(request, response);
  };

  return (request, response) => {
    answer(request, response).catch(() => {
      if (!response.headersSent) refuse(response, 500, 'Internal server error');
    });
  };
}

interface Listening {
  readonly url: string | undefined;
  readonly close: (graceMs: number) => Promise<void>;
}

function listenAtPath(server: HttpServer, take: TakeRequest, path: string): Listening {
  const takes = (request: IncomingMessage): boolean => toPath(request) === path;
  const { origin, close } = mount(server, { takes, take, takesRest: false });
  return { url: origin === undefined ? undefined : origin + path, close };
}

/** Without the query. */
function toPath({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? url;
}

async function listen(take: TakeRequest, { port, host, path }: HttpOptions): Promise<Listening> {
  const server = createServer(take);
  const close = createHttpServerCloser(server);
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${await listenAt(server, { port, host })}${path}`, close };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}

async function listenAt(server: HttpServer, { port, host }: Pick<HttpOptions, 'port' | 'host'>): Promise<number> {
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
