import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import * as sdk from '@modelcontextprotocol/server';
import { defaultErrors } from '../errors/default-errors.ts';
import { toFailure } from '../errors/failure.ts';
import { followsClose } from '../http/exchange.ts';
import { createHttpServerCloser, nodeHttp } from '../http/node-http.ts';
import { toCallerFinder } from '../http/trust-proxy.ts';
import { replacedSignal } from '../server/dev-link.ts';
import { createEndpoint, type EndpointParts } from './create-endpoint.ts';
import type { McpOptions, ResourceMetadata } from './options.ts';

/** False for a request at a path that is not of the protocol. */
type Take = (request: IncomingMessage, response: ServerResponse) => boolean;

interface HttpServing {
  readonly url: string | undefined;
  readonly take: Take;
  readonly stop: (graceMs: number) => Promise<void>;
}

/** Streamable HTTP, on a server of its own, or by `take` on one of the application. */
export async function serveHttp(options: McpOptions, parts: EndpointParts): Promise<HttpServing> {
  const { port = 3001, path = '/mcp', authorize, resourceMetadata } = options;
  const metadata = resourceMetadata && toMetadata(resourceMetadata);
  const paths = [path, ...(metadata?.paths ?? [])];
  const findCaller = toCallerFinder(options.trustProxy, 'mcpTransport') ?? ((caller) => caller.remoteAddress);
  const over = new AbortController();
  // Under `capix dev` a stream that has no end must not keep the code that was replaced.
  const respond = createEndpoint(parts, AbortSignal.any([over.signal, replacedSignal()]));

  const take: Take = (request, response) => {
    const [asked = ''] = (request.url ?? '/').split('?', 1);
    if (!paths.includes(asked)) return false;
    const refusal = findRefusal(request.headers, options);
    if (refusal !== undefined) refuse(response, ...refusal);
    else if (isPreflight(request, response)) response.writeHead(204).end();
    else if (over.signal.aborted) refuse(response.setHeader('connection', 'close'), 503, 'The server is stopping.');
    else if (metadata?.paths.includes(asked)) response.writeHead(200, JSON_HEAD).end(metadata.document);
    else if (['GET', 'POST', 'DELETE'].includes(request.method ?? '')) void admit(request, response);
    else refuse(response.setHeader('allow', METHODS), 405, 'Method not allowed. Messages are sent by POST.');
    return true;
  };

  async function admit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, socket } = request;
    const remoteAddress = findCaller({ headers, remoteAddress: socket.remoteAddress });
    const [, token] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    let identity: unknown;
    try {
      identity = await authorize?.({ headers, remoteAddress, token });
      if (authorize !== undefined && (identity === undefined || identity === null || identity === false))
        throw defaultErrors.Unauthorized(token ? 'The bearer token is not accepted.' : 'A bearer token is needed.');
    } catch (error) {
      const { status, message, cause, unexpected } = toFailure(error);
      if (unexpected === true) parts.onFault?.(cause);
      if (status === 401 || status === 403)
        response.setHeader('www-authenticate', toChallenge(status, token, metadata));
      return refuse(response, status, message);
    }
    const extra = { remoteAddress, identity };
    const authInfo = { token: headers.authorization ?? '', clientId: '', scopes: [], extra };
    await toNodeHandler({ fetch: (asked) => respond(asked, authInfo) })(request as NodeIncomingMessageLike, response);
  }

  const listening = port === false ? undefined : await listen({ ...options, port, path }, take);
  const stop = async (graceMs: number): Promise<void> => {
    over.abort();
    await listening?.close(graceMs);
  };
  return { url: listening?.url, take, stop };
}

function toChallenge(status: number, token: string | undefined, metadata: Partial<ReturnType<typeof toMetadata>> = {}) {
  const error = status === 403 ? 'insufficient_scope' : token && 'invalid_token';
  const facts = { error, scope: metadata.scope, resource_metadata: metadata.url };
  const said = Object.entries(facts).flatMap(([name, value]) => (value ? [`${name}="${value}"`] : []));
  return `Bearer ${said.join(', ')}`.trim();
}

/** The document of RFC 9728, and where it is. Some clients look without the path of the endpoint. */
function toMetadata({ resource, authorizationServers, scopes, name, documentation }: ResourceMetadata) {
  const url = sdk.getOAuthProtectedResourceMetadataUrl(new URL(resource));
  const document = JSON.stringify({
    resource,
    authorization_servers: authorizationServers,
    bearer_methods_supported: ['header'],
    scopes_supported: scopes,
    resource_name: name,
    resource_documentation: documentation,
  });
  const paths = ['/.well-known/oauth-protected-resource', new URL(url).pathname];
  return { url, paths, scope: scopes?.join(' '), document };
}

const METHODS = 'GET, POST, DELETE';
const JSON_HEAD = { 'content-type': 'application/json' };

/** Lets the page that asks read the answer, and ask with whatever headers: its origin has been checked. */
function isPreflight({ headers, method }: IncomingMessage, response: ServerResponse): boolean {
  if (headers.origin === undefined) return false;
  response.setHeader('access-control-allow-origin', headers.origin);
  response.setHeader('access-control-expose-headers', 'mcp-session-id, mcp-protocol-version, www-authenticate');
  response.setHeader('vary', 'Origin');
  if (method !== 'OPTIONS' || !('access-control-request-method' in headers)) return false;
  response.setHeader('access-control-allow-methods', METHODS);
  response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '');
  response.setHeader('access-control-max-age', '600');
  return true;
}

async function listen({ port, host = '127.0.0.1', path }: McpOptions & { readonly port: number }, take: Take) {
  const server = nodeHttp().createServer((request, response) => {
    if (followsClose(request.socket, response)) response.emit('close');
    else if (!take(request, response)) refuse(response, 404, `Not found. MCP is spoken at ${path}.`);
  });
  const close = createHttpServerCloser(server);
  await once(server.listen({ port, host }), 'listening');
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${(server.address() as AddressInfo).port}${path}`, close };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, JSON_HEAD);
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
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
  if (allowedOrigins.includes(origin) || sdk.validateOriginHeader(origin, names).ok) return undefined;
  return [403, `The Origin '${origin}' may not ask this server. Name it in allowedOrigins.`];
}
