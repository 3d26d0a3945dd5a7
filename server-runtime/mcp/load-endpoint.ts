import type { AuthInfo, ServerEventBus } from '@modelcontextprotocol/server';
import type { ServerMaker } from './handlers.ts';
import { readMessage } from './read-message.ts';
import type { ResourceChanges } from './resources.ts';
import { loadSessions } from './sessions.ts';

/** Responds to one HTTP request that speaks the protocol, of either era. */
export type RespondToWeb = (request: Request, authInfo: AuthInfo) => Promise<Response>;

export interface EndpointParts {
  readonly createMcpServer: ServerMaker;
  /** Says which resources have changed; undefined where nobody does. */
  readonly changes?: ResourceChanges | undefined;
  /** Tells subscribers of 2026-07-28 of other lists. @default those of `changes` alone */
  readonly bus?: ServerEventBus | undefined;
}

/**
 * One endpoint for both eras, by the handler of the SDK: each request is a conversation of its own. Beside it stand the
 * sessions that `initialize` opens, in which calls can be cancelled and users asked. `over` ends what has no end.
 */
export async function loadEndpoint(parts: EndpointParts, over: AbortSignal): Promise<RespondToWeb> {
  const { createMcpServer, changes, bus = changes && toBus(changes) } = parts;
  const [sdk, sessions] = await Promise.all([
    import('@modelcontextprotocol/server'),
    loadSessions(createMcpServer, over),
  ]);
  const handler = sdk.createMcpHandler(() => createMcpServer('request'), bus && { bus });

  return async (request, authInfo) => {
    const session = sessions.find(request, { authInfo });
    const isUnknown = session === undefined && request.method !== 'POST' && request.headers.has('mcp-session-id');
    if (session === 'gone' || isUnknown)
      return Response.json(
        { jsonrpc: '2.0', error: { code: -32_001, message: 'There is no such session. Open another.' }, id: null },
        { status: 404 },
      );
    if (request.method !== 'POST' || !sdk.isJsonContentType(request.headers.get('content-type')))
      return session === undefined ? handler.fetch(request) : session.handleRequest(request);
    const read = readMessage(await request.text());
    if (!read.ok) return Response.json(read.refusal, { status: 400 });
    const options = { authInfo, parsedBody: read.message };
    const { method, params } = read.message as Told;
    if (session !== undefined && (await sdk.isLegacyRequest(request, read.message))) {
      const response = await session.handleRequest(request, options);
      // The protocol sends nothing for a cancelled call, whose response would stay open.
      if (method === 'notifications/cancelled' && params?.requestId !== undefined)
        session.closeSSEStream(params.requestId);
      return response;
    }
    if (sdk.isInitializeRequest(read.message)) return sessions.open(request, options);
    if (method !== 'subscriptions/listen') return handler.fetch(request, options);
    const { url, headers } = request;
    const signal = AbortSignal.any([request.signal, over]);
    return handler.fetch(new Request(url, { method: 'POST', headers, signal }), options);
  };
}

interface Told {
  readonly method?: unknown;
  readonly params?: { readonly requestId?: string | number };
}

/** The changes of resources as the SDK listens to them. */
function toBus(changes: ResourceChanges): ServerEventBus {
  return {
    publish: () => {},
    subscribe: (listener) => changes.subscribe((uri) => listener({ kind: 'resource_updated', uri })),
  };
}
