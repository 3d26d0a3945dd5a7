import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type {
  AuthInfo,
  HandleRequestOptions,
  ServerEventBus,
  WebStandardStreamableHTTPServerTransport as SessionTransport,
} from '@modelcontextprotocol/server';
import type { ServerMaker } from './handlers.ts';
import { readMessage } from './read-message.ts';

/** Responds to one HTTP request that speaks the protocol, of either era. */
export type RespondToWeb = (request: Request, authInfo: AuthInfo) => Promise<Response>;

export interface EndpointParts {
  readonly createMcpServer: ServerMaker;
  /** Tells subscribers of 2026-07-28 of other lists. */
  readonly bus?: ServerEventBus | undefined;
}

/** A conversation of the revisions before 2026-07-28, and who opened it. */
interface Session {
  /** Undefined once it has ended. */
  readonly transport: SessionTransport | undefined;
  readonly owner: AuthInfo;
}

/** A session that ends costs its client nothing but cancelling: it is responded to without one from then on. */
const MAX_SESSIONS = 1000;
const MAX_IDLE_MS = 3_600_000;

/**
 * One endpoint for both eras, by the handler of the SDK: each request is a conversation of its own. Beside it stand the
 * sessions that `initialize` opens, in which calls can be cancelled and users asked. `over` ends what has no end.
 */
export async function loadEndpoint({ createMcpServer, bus }: EndpointParts, over: AbortSignal): Promise<RespondToWeb> {
  const [sdk, { LRUCache }] = await Promise.all([import('@modelcontextprotocol/server'), import('lru-cache')]);
  const handler = sdk.createMcpHandler(() => createMcpServer('request'), bus && { bus });
  const sessions = new LRUCache<string, Session>({
    max: MAX_SESSIONS,
    ttl: MAX_IDLE_MS,
    updateAgeOnGet: true,
    dispose: ({ transport }, _id, reason) => {
      if (reason !== 'set') void transport?.close();
    },
  });
  over.addEventListener('abort', () => {
    for (const { transport } of sessions.values()) transport?.closeStandaloneSSEStream();
  });

  async function open(request: Request, owner: AuthInfo, options: HandleRequestOptions): Promise<Response> {
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { transport, owner }),
      onsessionclosed: (id) => void sessions.set(id, { transport: undefined, owner }),
    });
    await createMcpServer('session').connect(transport);
    return transport.handleRequest(request, options);
  }

  return async (request, authInfo) => {
    const { headers, method: verb, url } = request;
    const session = sessions.get(headers.get('mcp-session-id') ?? '');
    const transport = session && isSame(session.owner, authInfo) ? session.transport : undefined;
    // A message of an unknown session is responded to without one: another instance may know it.
    const mayBeElsewhere = session === undefined && (verb === 'POST' || !headers.has('mcp-session-id'));
    if (transport === undefined && !mayBeElsewhere)
      return Response.json(
        { jsonrpc: '2.0', error: { code: -32_001, message: 'There is no such session. Open another.' }, id: null },
        { status: 404 },
      );
    if (verb !== 'POST' || !sdk.isJsonContentType(headers.get('content-type')))
      return transport === undefined ? handler.fetch(request) : transport.handleRequest(request);
    const read = readMessage(await request.text());
    if (!read.ok) return Response.json(read.refusal, { status: 400 });
    const options = { authInfo, parsedBody: read.message };
    const { method, params } = read.message as Told;
    if (transport !== undefined && (await sdk.isLegacyRequest(request, read.message))) {
      const response = await transport.handleRequest(request, options);
      // The protocol sends nothing for a cancelled call, whose response would stay open.
      if (method === 'notifications/cancelled' && params?.requestId !== undefined)
        transport.closeSSEStream(params.requestId);
      return response;
    }
    if (sdk.isInitializeRequest(read.message)) return open(request, authInfo, options);
    if (method !== 'subscriptions/listen') return handler.fetch(request, options);
    const signal = AbortSignal.any([request.signal, over]);
    return handler.fetch(new Request(url, { method: verb, headers, signal }), options);
  };
}

interface Told {
  readonly method?: unknown;
  readonly params?: { readonly requestId?: string | number };
}

/**
 * Whether two messages are of the same caller: by the token, or by an identity that says the same. An instance of a
 * class may hide what tells two callers apart, so that it is equal to itself alone.
 */
function isSame(one: AuthInfo, other: AuthInfo): boolean {
  if (one.token !== '' && one.token === other.token) return true;
  const [identity, otherIdentity] = [one.extra?.['identity'], other.extra?.['identity']];
  const facts = toLastingFacts(identity);
  return Object.is(identity, otherIdentity) || (!!facts && isDeepStrictEqual(facts, toLastingFacts(otherIdentity)));
}

/** A plain object without the claims that change with each token of a person. */
function toLastingFacts(identity: unknown): object | undefined {
  if (typeof identity !== 'object' || identity === null) return undefined;
  if (Object.getPrototypeOf(identity) !== Object.prototype) return undefined;
  const { exp: _exp, iat: _iat, nbf: _nbf, jti: _jti, auth_time: _at, ...facts } = identity as Record<string, unknown>;
  return facts;
}
