import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as sdk from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import { readMessage } from './read-message.ts';
import type { ServerMaker } from './server-maker.ts';

export interface EndpointParts {
  readonly createMcpServer: ServerMaker;
  readonly bus?: sdk.ServerEventBus | undefined;
  readonly onFault?: (error: unknown) => void;
}

/**
 * Responds to requests of both eras by the handler of the SDK, each as a conversation of its own, and in the sessions
 * that clients of the revisions before 2026-07-28 open. `over` ends what has no end.
 */
export function createEndpoint({ createMcpServer, bus }: EndpointParts, over: AbortSignal) {
  const handler = sdk.createMcpHandler(() => createMcpServer('request'), bus && { bus });
  const sessions = new LRUCache<
    string,
    { transport: sdk.WebStandardStreamableHTTPServerTransport; owner: sdk.AuthInfo }
  >({
    max: 1000,
    ttl: 3_600_000,
    updateAgeOnGet: true,
    dispose: ({ transport }) => void transport.close(),
  });
  over.addEventListener('abort', () => {
    for (const { transport } of sessions.values()) transport.closeStandaloneSSEStream();
  });

  return async (request: Request, authInfo: sdk.AuthInfo): Promise<Response> => {
    const { headers, method: verb, url } = request;
    const session = sessions.get(headers.get('mcp-session-id') ?? '');
    const transport = session && isSame(session.owner, authInfo) ? session.transport : undefined;
    // A message of an unknown session is responded to without one: another instance may know it.
    const mayBeElsewhere = session === undefined && (verb === 'POST' || !headers.has('mcp-session-id'));
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
        onsessioninitialized: (id) => void sessions.set(id, { transport: opened, owner: authInfo }),
      });
      await createMcpServer('session').connect(opened);
      return opened.handleRequest(request, options);
    }
    if (method !== 'subscriptions/listen') return handler.fetch(request, options);
    const signal = AbortSignal.any([request.signal, over]);
    return handler.fetch(new Request(url, { method: verb, headers, signal }), options);
  };
}

/** Whether two messages are of the same caller: by the token, or by an identity that says the same. */
function isSame(one: sdk.AuthInfo, other: sdk.AuthInfo): boolean {
  if (one.token !== '' && one.token === other.token) return true;
  const [identity, otherIdentity] = [one.extra?.['identity'], other.extra?.['identity']];
  const facts = toLastingFacts(identity);
  return Object.is(identity, otherIdentity) || (!!facts && isDeepStrictEqual(facts, toLastingFacts(otherIdentity)));
}

/** Without the claims that change with each token of a person. A class may hide what tells two of them apart. */
function toLastingFacts(identity: unknown): object | undefined {
  if (typeof identity !== 'object' || identity === null) return undefined;
  if (Object.getPrototypeOf(identity) !== Object.prototype) return undefined;
  const { exp: _exp, iat: _iat, nbf: _nbf, jti: _jti, auth_time: _at, ...facts } = identity as Record<string, unknown>;
  return facts;
}
