import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import type { ServerEventBus } from '@modelcontextprotocol/server';
import { createHttpServerCloser } from '../../http/http-server-closer.ts';
import { followsClose, nodeHttp } from '../../http/node-http.ts';
import type { CallerFinder } from '../../http/trust-proxy.ts';
import { mount, type TakeRequest } from '../../server/mount.ts';
import type { ServerMaker } from '../load-server-maker.ts';
import type { ResourceChanges } from '../offers/resource-changes.ts';
import { authorizeCaller, type Gate, toMetadataDocument, toMetadataPaths } from './authorize.ts';
import { toAuthInfo } from './caller.ts';
import { Closing } from './closing.ts';
import { type CallerRules, findRefusal, isHost } from './find-refusal.ts';
import { loadEndpoint } from './load-endpoint.ts';
import type { Reload } from './open-news.ts';

export interface HttpOptions {
  readonly port: number;
  readonly host: string;
  /** The path at which the protocol is spoken: `/mcp`. */
  readonly path: string;
  /** A server that is its owner's, in place of one at `host` and `port`. */
  readonly server: HttpServer | undefined;
  readonly callers: CallerRules;
  /** Lets callers in; undefined lets in everybody who may ask. */
  readonly gate: Gate | undefined;
  /** Finds the address of a caller behind proxies; undefined where it is that of the connection. */
  readonly findCaller: CallerFinder | undefined;
  readonly createMcpServer: ServerMaker;
  /** Says which resources have changed; undefined where nobody does. */
  readonly changes: ResourceChanges | undefined;
  /** Undefined for code that stays. */
  readonly reload: Reload | undefined;
  /** Tells subscribers of other lists, where the code is replaced and this server stays. */
  readonly bus?: ServerEventBus | undefined;
}

export interface HttpServing {
  /** `http://127.0.0.1:3001/mcp`; undefined where the owner's server does not listen at a port yet. */
  readonly url: string | undefined;
  readonly stop: (graceMs: number) => Promise<void>;
}

/** Streamable HTTP, on a server of its own or at a path of somebody else's. */
export async function serveHttp(options: HttpOptions): Promise<HttpServing> {
  const { server: mountedAt } = options;
  const closing = new Closing();
  const take = await createRequestTaker(options, closing);
  const { url, close } = mountedAt === undefined ? await listen(take, options) : listenAtPath(mountedAt, take, options);
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
  const { callers, gate, findCaller = addressOf, createMcpServer, changes, reload, bus, path } = options;
  const [{ toNodeHandler }, answer] = await Promise.all([
    import('@modelcontextprotocol/node'),
    loadEndpoint({ createMcpServer, changes, closing, reload, bus }),
  ]);
  const documentPaths = toDocumentPaths(gate);
  const document = gate?.metadata === undefined ? '' : JSON.stringify(toMetadataDocument(gate.metadata));

  async function admit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, socket } = request;
    const remoteAddress = findCaller({ headers, remoteAddress: socket.remoteAddress });
    const caller = gate === undefined ? EVERYBODY : await authorizeCaller({ headers, remoteAddress }, gate);
    if (!caller.ok) {
      if (caller.challenge !== undefined) response.setHeader('www-authenticate', caller.challenge);
      return refuse(response, caller.status, caller.message);
    }
    const authInfo = toAuthInfo(remoteAddress, caller.identity);
    // The adapter's type has no undefined in it, as those of Node have.
    await toNodeHandler({ fetch: (asked) => answer(asked, authInfo) })(request as NodeIncomingMessageLike, response);
  }

  return (request, response) => {
    if (!isHost(request.headers.host)) return refuse(response, 400, 'The Host is not a name with or without a port.');
    const refusal = findRefusal(request.headers, callers);
    if (refusal !== undefined) return refuse(response, 403, refusal);
    allowPage(request, response);
    if (isPreflight(request)) return answerPreflight(request, response);
    if (closing.signal.aborted)
      return refuse(response.setHeader('connection', 'close'), 503, 'The server is stopping.');
    const asked = toPath(request);
    if (documentPaths.has(asked)) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(document);
      return;
    }
    if (asked !== path) return refuse(response, 404, `Not found. MCP is spoken at ${path}.`);
    if (!methods.includes(request.method ?? ''))
      return refuse(
        response.setHeader('allow', methods.join(', ')),
        405,
        'Method not allowed. Messages are sent by POST.',
      );
    void admit(request, response);
  };
}

/** The methods of the protocol; a request of fetch cannot have some of the others. */
const methods = ['GET', 'POST', 'DELETE'];

/** The address of the connection. */
const addressOf: CallerFinder = ({ remoteAddress }) => remoteAddress;

const EVERYBODY = { ok: true, identity: undefined } as const;

function toDocumentPaths(gate: Gate | undefined): ReadonlySet<string> {
  return gate?.metadata === undefined ? new Set() : toMetadataPaths(gate.metadata);
}

interface Listening {
  readonly url: string | undefined;
  readonly close: (graceMs: number) => Promise<void>;
}

function listenAtPath(server: HttpServer, take: TakeRequest, { path, gate }: HttpOptions): Listening {
  const paths = new Set([path, ...toDocumentPaths(gate)]);
  const takes = (request: IncomingMessage): boolean => paths.has(toPath(request));
  const { origin, close } = mount(server, { takes, take });
  return { url: origin === undefined ? undefined : origin + path, close };
}

/** Without the query. */
function toPath({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? url;
}

async function listen(take: TakeRequest, { port, host, path }: HttpOptions): Promise<Listening> {
  const server = nodeHttp().createServer((request, response) => {
    if (followsClose(request.socket, response)) return void response.emit('close');
    take(request, response);
  });
  const { close } = createHttpServerCloser(server);
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

/** The headers of answers that a page may read. */
const EXPOSED = 'mcp-session-id, mcp-protocol-version, www-authenticate';
const MAX_AGE_SECONDS = '600';

/** Lets the page that asks read the answer. Its origin has been checked. */
function allowPage({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.origin === undefined) return;
  response.setHeader('access-control-allow-origin', headers.origin);
  response.setHeader('access-control-expose-headers', EXPOSED);
  response.setHeader('vary', 'Origin');
}

/** Whether a browser asks if a page may send a request. */
function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers;
}

/** Tells a browser that it may send the request of a page, with whatever headers. */
function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-methods': 'POST, GET, DELETE',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
    'access-control-max-age': MAX_AGE_SECONDS,
  });
  response.end();
}
