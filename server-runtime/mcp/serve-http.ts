import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import * as sdk from '@modelcontextprotocol/server';
import { defaultErrors } from '../errors/define-error.ts';
import { toFailure } from '../errors/failure.ts';
import { followsClose } from '../http/exchange.ts';
import { createListener, nodeHttp } from '../http/node-http.ts';
import { toCallerFinder } from '../http/trust-proxy.ts';
import { replacedSignal } from '../server/dev-link.ts';
import type { Logger } from '../server/logger.ts';
import type { McpOptions, ResourceMetadata } from './options.ts';
import { readMessage } from './read-message.ts';
import type { ServerMaker } from './server-maker.ts';
import { Sessions } from './sessions.ts';

export interface EndpointParts {
  readonly createMcpServer: ServerMaker;
  readonly bus?: sdk.ServerEventBus | undefined;
  readonly logger?: Logger;
}

export interface HttpServing {
  readonly url: string | undefined;
  /** False for a request at a path that is not of the protocol. */
  readonly take: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly stop: (graceMs: number) => Promise<void>;
}

/** Streamable HTTP, on a server of its own, or by `take` on one of the application. */
export async function serveHttp(options: McpOptions, parts: EndpointParts): Promise<HttpServing> {
  const { port = 3001, host = '127.0.0.1', path = '/mcp', authorize, resourceMetadata } = options;
  const metadata = resourceMetadata && toMetadata(resourceMetadata);
  const paths = [path, ...(metadata?.paths ?? [])];
  const findCaller =
    toCallerFinder(options.trustProxy, 'mcpTransport') ?? ((caller) => caller.remoteAddress);
  const over = new AbortController();
  // Under `capix dev` a stream that has no end must not keep the code that was replaced.
  const respond = createEndpoint(parts, AbortSignal.any([over.signal, replacedSignal()]));

  const take: HttpServing['take'] = (request, response) => {
    const [asked = ''] = (request.url ?? '/').split('?', 1);
    if (!paths.includes(asked)) return false;
    const refusal = findRefusal(request.headers, options);
    if (refusal !== undefined) refuse(response, ...refusal);
    else if (isPreflight(request, response)) response.writeHead(204).end();
    else if (over.signal.aborted)
      refuse(response.setHeader('connection', 'close'), 503, 'The server is stopping.');
    else if (metadata?.paths.includes(asked)) send(response, 200, metadata.document);
    else if (['GET', 'POST', 'DELETE'].includes(request.method ?? ''))
      void admit(request, response);
    else
      refuse(
        response.setHeader('allow', METHODS),
        405,
        'Method not allowed. Messages are sent by POST.',
      );
    return true;
  };

  async function admit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, socket } = request;
    const remoteAddress = findCaller({ headers, remoteAddress: socket.remoteAddress });
    const [, token] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    let identity: unknown;
    try {
      identity = await authorize?.({ headers, remoteAddress, token });
      if (
        authorize !== undefined &&
        (identity === undefined || identity === null || identity === false)
      )
        throw defaultErrors.Unauthorized(
          token ? 'The bearer token is not accepted.' : 'A bearer token is needed.',
        );
    } catch (error) {
      const { status, message, cause, unexpected } = toFailure(error);
      if (unexpected === true)
        parts.logger?.error('[capix] authorize of mcpTransport failed', { error: cause });
      if (status === 401 || status === 403)
        response.setHeader('www-authenticate', toChallenge(status, token, metadata));
      return refuse(response, status, message);
    }
    const extra = { remoteAddress, identity };
    const authInfo = { token: headers.authorization ?? '', clientId: '', scopes: [], extra };
    await toNodeHandler({ fetch: (asked) => respond(asked, authInfo) })(
      request as NodeIncomingMessageLike,
      response,
    );
  }

  const listener =
    port === false ? undefined : await createListener(createPathServer(path, take), { port, host });
  return {
    url: listener && `${listener.address.url}${path}`,
    take,
    stop: async (graceMs) => {
      over.abort();
      await listener?.close(graceMs);
    },
  };
}

/** Each request is a conversation of its own, but for the sessions of older clients. `over` ends what has no end. */
function createEndpoint({ createMcpServer, bus }: EndpointParts, over: AbortSignal) {
  const handler = sdk.createMcpHandler(() => createMcpServer('request'), bus && { bus });
  const sessions = new Sessions();
  over.addEventListener('abort', () => sessions.closeStreams());

  return async (request: Request, authInfo: sdk.AuthInfo): Promise<Response> => {
    const { headers, method: verb, url } = request;
    const sessionId = headers.get('mcp-session-id');
    const transport = sessions.find(sessionId, authInfo);
    // A message of an unknown session is responded to without one: another instance may know it.
    const mayBeElsewhere = !sessions.has(sessionId) && (verb === 'POST' || sessionId === null);
    if (transport === undefined && !mayBeElsewhere) {
      const error = { code: -32_001, message: 'Session not found' };
      return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
    }
    if (verb !== 'POST' || !sdk.isJsonContentType(headers.get('content-type')))
      return transport === undefined ? handler.fetch(request) : transport.handleRequest(request);
    const read = readMessage(await request.text());
    if (!read.ok) return Response.json(read.refusal, { status: 400 });
    const options = { authInfo, parsedBody: read.message };
    const { method, params } = read.message;
    if (transport !== undefined && (await sdk.isLegacyRequest(request, read.message))) {
      const response = await transport.handleRequest(request, options);
      // The protocol sends nothing for a cancelled call, whose response would stay open.
      if (method === 'notifications/cancelled' && params?.requestId !== undefined)
        transport.closeSSEStream(params.requestId);
      return response;
    }
    if (sdk.isInitializeRequest(read.message)) {
      const opened = new sdk.WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.add(id, { transport: opened, owner: authInfo }),
      });
      await createMcpServer('session').connect(opened);
      return opened.handleRequest(request, options);
    }
    if (method !== 'subscriptions/listen') return handler.fetch(request, options);
    const signal = AbortSignal.any([request.signal, over]);
    return handler.fetch(new Request(url, { method: verb, headers, signal }), options);
  };
}

function toChallenge(
  status: number,
  token: string | undefined,
  metadata: Partial<ReturnType<typeof toMetadata>> = {},
) {
  const error = status === 403 ? 'insufficient_scope' : token && 'invalid_token';
  const facts = { error, scope: metadata.scope, resource_metadata: metadata.url };
  const said = Object.entries(facts).flatMap(([name, value]) =>
    value ? [`${name}="${value}"`] : [],
  );
  return `Bearer ${said.join(', ')}`.trim();
}

/** The document of RFC 9728, and where it is. Some clients look without the path of the endpoint. */
function toMetadata({
  resource,
  authorizationServers,
  scopes,
  name,
  documentation,
}: ResourceMetadata) {
  const url = sdk.getOAuthProtectedResourceMetadataUrl(new URL(resource));
  const document = {
    resource,
    authorization_servers: authorizationServers,
    bearer_methods_supported: ['header'],
    scopes_supported: scopes,
    resource_name: name,
    resource_documentation: documentation,
  };
  const paths = ['/.well-known/oauth-protected-resource', new URL(url).pathname];
  return { url, paths, scope: scopes?.join(' '), document };
}

const METHODS = 'GET, POST, DELETE';

/** Lets the page that asks read the answer, and ask with whatever headers: its origin has been checked. */
function isPreflight({ headers, method }: IncomingMessage, response: ServerResponse): boolean {
  if (headers.origin === undefined) return false;
  response.setHeader('access-control-allow-origin', headers.origin);
  response.setHeader(
    'access-control-expose-headers',
    'mcp-session-id, mcp-protocol-version, www-authenticate',
  );
  response.setHeader('vary', 'Origin');
  if (method !== 'OPTIONS' || !('access-control-request-method' in headers)) return false;
  response.setHeader('access-control-allow-methods', METHODS);
  response.setHeader(
    'access-control-allow-headers',
    headers['access-control-request-headers'] ?? '',
  );
  response.setHeader('access-control-max-age', '600');
  return true;
}

function createPathServer(path: string, take: HttpServing['take']) {
  return nodeHttp().createServer((request, response) => {
    if (followsClose(request.socket, response)) response.emit('close');
    else if (!take(request, response))
      refuse(response, 404, `Not found. MCP is spoken at ${path}.`);
  });
}

function refuse(response: ServerResponse, status: number, message: string): void {
  send(response, status, { jsonrpc: '2.0', error: { code: -32_000, message }, id: null });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A page elsewhere can make a browser ask this machine, under a name of its own (DNS rebinding): it is refused. */
function findRefusal(
  { host = '', origin = '' }: IncomingHttpHeaders,
  { allowedHosts = [], allowedOrigins = [] }: McpOptions,
): [status: number, message: string] | undefined {
  if (/[@/?#\\\s]/.test(host)) return [400, 'The Host is not a name with or without a port.'];
  const names = sdk.localhostAllowedHostnames();
  if (!sdk.validateHostHeader(host, [...names, ...allowedHosts]).ok)
    return [403, `The Host '${host}' is not one of this server. Name it in allowedHosts.`];
  if (allowedOrigins.includes(origin) || sdk.validateOriginHeader(origin, names).ok)
    return undefined;
  return [403, `The Origin '${origin}' may not ask this server. Name it in allowedOrigins.`];
}
