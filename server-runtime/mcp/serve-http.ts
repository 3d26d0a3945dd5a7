import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { defaultErrors } from '../errors/default-errors.ts';
import { failure, type Outcome, toFailure } from '../errors/failure.ts';
import { followsClose } from '../http/exchange.ts';
import { createHttpServerCloser } from '../http/http-server-closer.ts';
import { nodeHttp } from '../http/node-http.ts';
import { toCallerFinder } from '../http/trust-proxy.ts';
import { replacedSignal } from '../server/dev-link.ts';
import { createEndpoint, type EndpointParts } from './create-endpoint.ts';
import type { Authorize, AuthorizeRequest, McpOptions, ResourceMetadata } from './options.ts';

export interface HttpServing {
  readonly url: string | undefined;
  readonly take: Take;
  readonly stop: (graceMs: number) => Promise<void>;
}

/** False for a request at a path that is not of the protocol. */
type Take = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Streamable HTTP, on a server of its own, or by `take` on one of the application. */
export async function serveHttp(options: McpOptions, parts: EndpointParts): Promise<HttpServing> {
  const { port = 3001, path = '/mcp', authorize, resourceMetadata } = options;
  const metadata = resourceMetadata && toMetadata(resourceMetadata);
  const findCaller = toCallerFinder(options.trustProxy, 'mcpTransport') ?? ((caller) => caller.remoteAddress);
  const over = new AbortController();
  // Under `capix dev` a stream that has no end must not keep the code that was replaced.
  const respond = createEndpoint(parts, AbortSignal.any([over.signal, replacedSignal()]));

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const [status, reason] = findRefusal(request.headers, options) ?? [];
    if (status !== undefined) return refuse(response, status, reason);
    if (isPreflight(request, response)) return;
    if (over.signal.aborted) return refuse(response.setHeader('connection', 'close'), 503, 'The server is stopping.');
    if (metadata?.paths.includes(toPath(request)))
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(metadata.document);
    if (/^(GET|POST|DELETE)$/.test(request.method ?? '')) return void admit(request, response);
    refuse(response.setHeader('allow', 'GET, POST, DELETE'), 405, 'Method not allowed. Messages are sent by POST.');
  }

  async function admit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, socket } = request;
    const remoteAddress = findCaller({ headers, remoteAddress: socket.remoteAddress });
    const [, token] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    const caller = await authorizeCaller({ headers, remoteAddress, token }, authorize);
    if (!caller.ok) {
      const { status, message, cause, unexpected } = caller.failure;
      if (unexpected === true) parts.onFault?.(cause);
      const challenge = toChallenge(status, token, metadata);
      if (challenge !== undefined) response.setHeader('www-authenticate', challenge);
      return refuse(response, status, message);
    }
    const extra = { remoteAddress, identity: caller.value };
    const authInfo = { token: headers.authorization ?? '', clientId: '', scopes: [], extra };
    await toNodeHandler({ fetch: (asked) => respond(asked, authInfo) })(request as NodeIncomingMessageLike, response);
  }

  const take: Take = (request, response) => {
    const isOurs = [path, ...(metadata?.paths ?? [])].includes(toPath(request));
    if (isOurs) answer(request, response);
    return isOurs;
  };

  const listening = port === false ? undefined : await listen({ ...options, port, path }, take);
  return {
    url: listening?.url,
    take,
    stop: async (graceMs) => {
      over.abort();
      await listening?.close(graceMs);
    },
  };
}

async function authorizeCaller(caller: AuthorizeRequest, authorize: Authorize | undefined): Promise<Outcome> {
  try {
    const value: unknown = await authorize?.(caller);
    if (authorize === undefined || (value !== undefined && value !== null && value !== false))
      return { ok: true, value };
    const message = caller.token === undefined ? 'A bearer token is needed.' : 'The bearer token is not accepted.';
    return { ok: false, failure: failure(defaultErrors.Unauthorized, message) };
  } catch (error) {
    return { ok: false, failure: toFailure(error) };
  }
}

function toChallenge(status: number, token: string | undefined, metadata: Partial<ReturnType<typeof toMetadata>> = {}) {
  if (status !== 401 && status !== 403) return undefined;
  const error = status === 403 ? 'insufficient_scope' : token && 'invalid_token';
  const facts = { error, scope: metadata.scope, resource_metadata: metadata.url };
  const said = Object.entries(facts).flatMap(([name, value]) => (value ? [`${name}="${value}"`] : []));
  return `Bearer ${said.join(', ')}`.trim();
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The document of RFC 9728, and where it is: the path of the endpoint comes behind that of the document. */
function toMetadata({ resource, authorizationServers, scopes, name, documentation }: ResourceMetadata) {
  const { origin, pathname } = new URL(resource);
  const url = new URL(origin + WELL_KNOWN + (pathname === '/' ? '' : pathname));
  const document = JSON.stringify({
    resource,
    authorization_servers: authorizationServers,
    bearer_methods_supported: ['header'],
    scopes_supported: scopes,
    resource_name: name,
    resource_documentation: documentation,
  });
  // Some clients look without the path of the endpoint.
  return { url: url.href, paths: [WELL_KNOWN, url.pathname], scope: scopes?.join(' '), document };
}

/** Lets the page that asks read the answer, and ask with whatever headers: its origin has been checked. */
function isPreflight({ headers, method }: IncomingMessage, response: ServerResponse): boolean {
  if (headers.origin === undefined) return false;
  response.setHeader('access-control-allow-origin', headers.origin);
  response.setHeader('access-control-expose-headers', 'mcp-session-id, mcp-protocol-version, www-authenticate');
  response.setHeader('vary', 'Origin');
  if (method !== 'OPTIONS' || !('access-control-request-method' in headers)) return false;
  response.setHeader('access-control-allow-methods', 'POST, GET, DELETE');
  response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '');
  response.writeHead(204, { 'access-control-max-age': '600' }).end();
  return true;
}

function toPath({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? url;
}

async function listen({ port, host = '127.0.0.1', path }: McpOptions & { readonly port: number }, take: Take) {
  const server = nodeHttp().createServer((request, response) => {
    if (followsClose(request.socket, response)) return void response.emit('close');
    if (!take(request, response)) refuse(response, 404, `Not found. MCP is spoken at ${path}.`);
  });
  const close = createHttpServerCloser(server);
  await once(server.listen({ port, host }), 'listening');
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${(server.address() as AddressInfo).port}${path}`, close };
}

function refuse(response: ServerResponse, status: number, message = ''): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** A page elsewhere can make a browser ask this machine, under a name of its own (DNS rebinding): it is refused. */
function findRefusal(
  { host = '', origin }: IncomingHttpHeaders,
  { allowedHosts = [], allowedOrigins = [] }: McpOptions,
) {
  if (/[@/?#\\\s]/.test(host)) return [400, 'The Host is not a name with or without a port.'] as const;
  if (![...loopbackNames, ...allowedHosts].includes(toHostname(`http://${host}`)))
    return [403, `The Host '${host}' is not one of this server. Name it in allowedHosts.`] as const;
  if (origin === undefined || allowedOrigins.includes(origin) || loopbackNames.includes(toHostname(origin)))
    return undefined;
  return [403, `The Origin '${origin}' may not ask this server. Name it in allowedOrigins.`] as const;
}

function toHostname(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
