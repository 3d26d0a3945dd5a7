import type { IncomingHttpHeaders } from 'node:http';
import * as sdk from '@modelcontextprotocol/server';
import type { Failure } from '../errors/failure.ts';
import { admitCaller, findBearerToken } from '../http/authorize.ts';
import { toCors } from '../http/cors.ts';
import type { RawHeaders } from '../http/exchange.ts';
import { isLocalOrigin, refuseForeignHost } from '../http/origin.ts';
import { toCallerFinder } from '../http/trust-proxy.ts';
import type { Logger } from '../server/logger.ts';
import { joinHeaders } from '../server/raw-headers.ts';
import type { McpOptions, ResourceMetadata } from './options.ts';

/** The head of a request, of node:http or of fetch. */
interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string | undefined;
}

/** An answer of the gate itself, before any message is read. */
export interface GateAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: string | undefined;
  /** Whether the connection ends with it. */
  readonly isLast?: boolean;
}

interface Admitted {
  readonly kind: 'admitted';
  readonly caller: sdk.AuthInfo;
}

interface Gate {
  /** Whether a path belongs to the protocol. */
  readonly isOwn: (path: string) => boolean;
  /**
   * Decides about a request before its messages are read: host, origin, preflight, and the identity of the caller.
   * Never rejects.
   */
  readonly enter: (head: RequestHead) => Promise<GateAnswer | Admitted>;
  /** The headers by which a page may read an answer. */
  readonly corsHeadersFor: (headers: IncomingHttpHeaders) => RawHeaders;
}

const METHODS = 'GET, POST, DELETE';

interface GateParts {
  readonly logger: Logger | undefined;
  /** Fires when the transport is stopped. */
  readonly over: AbortSignal;
}

export function createGate(options: McpOptions, { logger, over }: GateParts): Gate {
  const { path = '/mcp', authorize, resourceMetadata, allowedHosts = [] } = options;
  const { allowedOrigins = [] } = options;
  const metadata = resourceMetadata && toMetadata(resourceMetadata);
  const paths = [path, ...(metadata?.paths ?? [])].map(toBarePath);
  const findCaller =
    toCallerFinder(options.trustProxy, 'mcpTransport') ?? ((caller) => caller.remoteAddress);
  const trusts = (origin: string): boolean =>
    allowedOrigins.includes(origin) || isLocalOrigin(origin);
  const cors = toCors({
    origin: trusts,
    methods: METHODS,
    exposeHeaders: 'mcp-session-id, mcp-protocol-version, www-authenticate',
    maxAge: 600,
  })({ exposed: [], allowed: [] });

  /** The refusal of a host or an origin, or the answer to a request that needs no caller. */
  function answerAlone({ method, path: pathname, headers }: RequestHead): GateAnswer | undefined {
    const { host = '', origin = '' } = headers;
    const foreign = refuseForeignHost(host, allowedHosts);
    if (foreign !== undefined) return toRefusal(foreign);
    if (origin !== '' && !trusts(origin)) {
      const message = `The Origin '${origin}' may not ask this server. Name it in allowedOrigins.`;
      return toRefusal({ status: 403, message });
    }
    if (isPreflight(method, headers)) {
      // The headers of a message are many, and some have names of parameters.
      const sendable = headers['access-control-request-headers'] ?? '';
      const allowed = ['access-control-allow-headers', sendable];
      const preflight = joinHeaders(allowed, cors.preflightHeadersFor(origin));
      return { kind: 'answer', status: 204, headers: preflight, body: undefined };
    }
    if (over.aborted)
      return { ...toRefusal({ status: 503, message: 'The server is stopping.' }), isLast: true };
    if (metadata?.paths.includes(toBarePath(pathname)) === true)
      return toJsonAnswer(200, metadata.document);
    if (METHODS.split(', ').includes(method)) return undefined;
    const message = 'Method not allowed. Messages are sent by POST.';
    return toRefusal({ status: 405, message }, ['allow', METHODS]);
  }

  return {
    isOwn: (pathname) => paths.includes(toBarePath(pathname)),
    corsHeadersFor: ({ origin }) => cors.headersFor(origin),
    enter: async (head) => {
      const alone = answerAlone(head);
      if (alone !== undefined) return alone;
      const { headers } = head;
      const remoteAddress = findCaller(head);
      const token = findBearerToken(headers);
      const outcome = await admitCaller(
        authorize,
        { headers, remoteAddress, token },
        { owner: 'mcpTransport', logger },
      );
      if (!outcome.ok)
        return toRefusal(outcome.failure, toChallenge(outcome.failure, token, metadata));
      const extra = { remoteAddress, identity: outcome.value };
      const caller = { token: headers.authorization ?? '', clientId: '', scopes: [], extra };
      return { kind: 'admitted', caller };
    },
  };
}

/** The path without the slash behind it, which people paste or leave out as they like. */
function toBarePath(path: string): string {
  return path.replace(/(?<=.)\/+$/, '');
}

function isPreflight(method: string, headers: IncomingHttpHeaders): boolean {
  const asksFirst = 'access-control-request-method' in headers;
  return method === 'OPTIONS' && asksFirst && headers.origin !== undefined;
}

function toRefusal(
  { status, message }: Pick<Failure, 'status' | 'message'>,
  more: RawHeaders = [],
): GateAnswer {
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null };
  return toJsonAnswer(status, body, more);
}

export function toJsonAnswer(status: number, body: object, more: RawHeaders = []): GateAnswer {
  const headers = ['content-type', 'application/json', ...more];
  return { kind: 'answer', status, headers, body: JSON.stringify(body) };
}

/** Tells a client how to be admitted (RFC 9728); nothing for other failures. */
function toChallenge(
  { status }: Failure,
  token: string | undefined,
  metadata: Partial<ServedMetadata> = {},
): RawHeaders {
  if (status !== 401 && status !== 403) return [];
  const error = status === 403 ? 'insufficient_scope' : token && 'invalid_token';
  const facts = { error, scope: metadata.scope, resource_metadata: metadata.url };
  const parameters = Object.entries(facts).flatMap(([name, value]) =>
    value ? [`${name}="${value}"`] : [],
  );
  return ['www-authenticate', `Bearer ${parameters.join(', ')}`.trim()];
}

/** The document of RFC 9728, and where it is served. */
interface ServedMetadata {
  readonly url: string;
  /** The paths at which clients look: some leave out the path of the endpoint. */
  readonly paths: readonly string[];
  readonly scope: string | undefined;
  readonly document: Readonly<Record<string, unknown>>;
}

function toMetadata({
  resource,
  authorizationServers,
  scopes,
  name,
  documentation,
}: ResourceMetadata): ServedMetadata {
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
