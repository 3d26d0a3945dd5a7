import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import { followsClose } from '../http/exchange.ts';
import { createHttpServerCloser } from '../http/http-server-closer.ts';
import { nodeHttp } from '../http/node-http.ts';
import type { CallerFinder } from '../http/trust-proxy.ts';
import { replacedSignal } from '../server/dev-link.ts';
import { mount, type TakeRequest } from '../server/mount.ts';
import { authorizeCaller, findMetadata } from './authorize.ts';
import { toAuthInfo } from './caller.ts';
import { type EndpointParts, loadEndpoint, type RespondToWeb } from './load-endpoint.ts';
import type { McpOptions } from './options.ts';

/** The place of an endpoint, and who may ask there. */
export interface HttpOptions extends Omit<McpOptions, 'stdio' | 'trustProxy'> {
  /** Finds the address of a caller behind proxies. @default that of the connection */
  readonly findCaller?: CallerFinder | undefined;
  /** Told of what `authorize` throws. */
  readonly onFault?: (error: unknown) => void;
}

export interface HttpServing {
  /** `http://127.0.0.1:3001/mcp`; undefined where the owner's server does not listen at a port yet. */
  readonly url: string | undefined;
  readonly stop: (graceMs: number) => Promise<void>;
}

/** Streamable HTTP, on a server of its own or at a path of somebody else's. */
export async function serveHttp(options: HttpOptions, parts: EndpointParts): Promise<HttpServing> {
  const { server: owned, path = '/mcp', resourceMetadata } = options;
  const over = new AbortController();
  // Under `capix dev` a stream that has no end must not keep the code that was replaced.
  const respond = await loadEndpoint(parts, AbortSignal.any([over.signal, replacedSignal()]));
  const take = await loadRequestTaker({ ...options, path }, respond, over.signal);
  const takes = (request: IncomingMessage): boolean =>
    toPath(request) === path || findMetadata(toPath(request), resourceMetadata) !== undefined;
  const { origin, close } = owned === undefined ? await listen(take, options) : mount(owned, { takes, take });
  return {
    url: origin && origin + path,
    stop: async (graceMs) => {
      over.abort();
      await close(graceMs);
    },
  };
}

/** The methods of the protocol; a request of fetch cannot have some of the others. */
const methods = ['GET', 'POST', 'DELETE'];

async function loadRequestTaker(
  options: HttpOptions & { readonly path: string },
  respond: RespondToWeb,
  over: AbortSignal,
): Promise<TakeRequest> {
  const { path, findCaller = ({ remoteAddress }) => remoteAddress, onFault = () => {} } = options;
  const { toNodeHandler } = await import('@modelcontextprotocol/node');

  async function admit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, socket } = request;
    const remoteAddress = findCaller({ headers, remoteAddress: socket.remoteAddress });
    const caller = await authorizeCaller({ headers, remoteAddress }, options, onFault);
    if (!caller.ok) {
      if (caller.challenge !== undefined) response.setHeader('www-authenticate', caller.challenge);
      return refuse(response, caller.status, caller.message);
    }
    const authInfo = toAuthInfo(headers.authorization ?? '', { remoteAddress, identity: caller.identity });
    // The adapter's type has no undefined in it, as those of Node have.
    await toNodeHandler({ fetch: (asked) => respond(asked, authInfo) })(request as NodeIncomingMessageLike, response);
  }

  return (request, response) => {
    const { headers, method = '' } = request;
    const [status, reason] = findRefusal(headers, options) ?? [];
    if (status !== undefined) return refuse(response, status, reason);
    if (headers.origin !== undefined) {
      // Lets the page that asks read the answer, and ask with whatever headers: its origin has been checked.
      response.setHeader('access-control-allow-origin', headers.origin);
      response.setHeader('access-control-expose-headers', 'mcp-session-id, mcp-protocol-version, www-authenticate');
      response.setHeader('vary', 'Origin');
      if (method === 'OPTIONS' && 'access-control-request-method' in headers) {
        response.setHeader('access-control-allow-methods', 'POST, GET, DELETE');
        response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '');
        return void response.writeHead(204, { 'access-control-max-age': '600' }).end();
      }
    }
    if (over.aborted) return refuse(response.setHeader('connection', 'close'), 503, 'The server is stopping.');
    const document = findMetadata(toPath(request), options.resourceMetadata);
    if (document !== undefined)
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(document);
    if (toPath(request) !== path) return refuse(response, 404, `Not found. MCP is spoken at ${path}.`);
    if (methods.includes(method)) return void admit(request, response);
    response.setHeader('allow', methods.join(', '));
    refuse(response, 405, 'Method not allowed. Messages are sent by POST.');
  };
}

/** Without the query. */
function toPath({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? url;
}

async function listen(take: TakeRequest, { port = 3001, host = '127.0.0.1' }: HttpOptions) {
  const server = nodeHttp().createServer((request, response) => {
    if (followsClose(request.socket, response)) return void response.emit('close');
    take(request, response);
  });
  const close = createHttpServerCloser(server);
  await once(server.listen({ port, host }), 'listening');
  const name = host.includes(':') ? `[${host}]` : host;
  return { origin: `http://${name}:${(server.address() as AddressInfo).port}`, close };
}

function refuse(response: ServerResponse, status: number, message = ''): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Why a request is refused before it is read; undefined where it is not. A page on the internet can make a browser ask
 * this machine, under a name of its own (DNS rebinding) or with its own origin: neither is let in.
 */
function findRefusal(
  { host = '', origin }: IncomingHttpHeaders,
  { allowedHosts = [], allowedOrigins = [] }: HttpOptions,
): readonly [status: number, reason: string] | undefined {
  const name = findHostname(`http://${host}`);
  if (host !== '' && (name === undefined || /[@/?#\\\s]/.test(host)))
    return [400, 'The Host is not a name with or without a port.'];
  if (![...loopbackNames, ...allowedHosts].includes(name ?? ''))
    return [403, `The Host '${host}' is not one of this server. Name it in allowedHosts.`];
  const isAllowed = origin === undefined || allowedOrigins.includes(origin);
  return isAllowed || loopbackNames.includes(findHostname(origin) ?? '')
    ? undefined
    : [403, `The Origin '${origin}' may not ask this server. Name it in allowedOrigins.`];
}

function findHostname(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
