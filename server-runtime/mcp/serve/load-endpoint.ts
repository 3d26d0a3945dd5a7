import type { AuthInfo, ServerEventBus } from '@modelcontextprotocol/server';
import type { ServerMaker } from '../load-server-maker.ts';
import type { ResourceChanges } from '../offers/resource-changes.ts';
import { offeredLists } from '../offers/to-offers.ts';
import type { Closing } from './closing.ts';
import { openNews, type Reload } from './open-news.ts';
import { readMessage } from './read-message.ts';
import { isSameOwner, toOwner } from './session-owner.ts';
import { createSessions } from './sessions.ts';

/** Answers one HTTP request that speaks the protocol, of either era. */
export type AnswerWeb = (request: Request, authInfo: AuthInfo) => Promise<Response>;

export interface EndpointParts {
  readonly createMcpServer: ServerMaker;
  /** Says which resources have changed; undefined where nobody does. */
  readonly changes: ResourceChanges | undefined;
  readonly closing: Closing;
  /** Undefined for code that stays. */
  readonly reload: Reload | undefined;
  /** Tells subscribers of 2026-07-28 of other lists; given where the code is replaced and this endpoint stays. */
  readonly bus?: ServerEventBus | undefined;
}

/**
 * One endpoint for both eras. A request of the revision 2026-07-28 is a conversation of its own. Those before begin
 * with `initialize`, which opens a session; a request without one, or of one that is not known here, is answered alone.
 */
export async function loadEndpoint(parts: EndpointParts): Promise<AnswerWeb> {
  const { createMcpServer, changes, closing, reload, bus } = parts;
  const { createMcpHandler, isInitializeRequest, isJsonContentType, isLegacyRequest, ...sdk } = await import(
    '@modelcontextprotocol/server'
  );
  const sessions = await createSessions({ createMcpServer, closing, reload });
  const hasNews = changes !== undefined || reload !== undefined;
  const stateless = createMcpHandler(() => createMcpServer(closing, 'request'), {
    legacy: 'reject',
    ...(hasNews ? { bus: toBus(changes, reload) } : bus && { bus }),
  });

  const over = reload === undefined ? closing.signal : AbortSignal.any([closing.signal, afterNews(reload)]);

  async function answerAlone(request: Request, body: unknown, authInfo: AuthInfo): Promise<Response> {
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !asksForProgress(body) });
    const server = createMcpServer(closing, 'request');
    await server.connect(transport);
    request.signal.addEventListener('abort', () => void server.close(), { once: true });
    return transport.handleRequest(request, { authInfo, parsedBody: body });
  }

  return async (request, authInfo) => {
    if (sessions.hasEnded(request))
      return refuse(404, { code: -32_001, message: 'The session has ended. Open another.' });
    const session = sessions.find(request);
    const owner = toOwner(request, authInfo);
    if (session !== undefined && !isSameOwner(session.owner, owner)) return refuse(404, unknownSession);
    if (request.method !== 'POST') {
      if (session !== undefined) return sessions.listen(session, request);
      const isOlder = request.method === 'GET' && request.headers.has('mcp-session-id');
      if (isOlder && bus !== undefined) return refuse(404, unknownSession);
      return isOlder && reload !== undefined ? openNews(request, reload, closing.signal) : refuseMethod();
    }
    if (!isJsonContentType(request.headers.get('content-type'))) return stateless.fetch(request);
    const read = readMessage(await request.text());
    if (!read.ok) return Response.json(read.refusal, { status: 400 });
    const body = read.message;
    if (!(await isLegacyRequest(request, body))) {
      return stateless.fetch(endsWith(request, body, over), { authInfo, parsedBody: body });
    }
    if (session !== undefined) return sessions.take(session, request, { authInfo, parsedBody: body });
    if (isInitializeRequest(body)) return sessions.open(request, owner, { authInfo, parsedBody: body });
    return answerAlone(request, body, authInfo);
  };
}

const unknownSession = { code: -32_001, message: 'There is no such session. Open another.' };

/** Changes as the SDK listens to them: of resources, and of all lists when the code is replaced. */
function toBus(changes: ResourceChanges | undefined, reload: Reload | undefined): ServerEventBus {
  return {
    publish: () => {},
    subscribe: (listener) => {
      const stop = changes?.subscribe((uri) => listener({ kind: 'resource_updated', uri }));
      const tell = (): void => {
        for (const list of offeredLists) listener({ kind: `${list}_list_changed` });
      };
      reload?.replaced.addEventListener('abort', tell, { once: true });
      return () => {
        stop?.();
        reload?.replaced.removeEventListener('abort', tell);
      };
    },
  };
}

/** The time in which the last news of code that was replaced leave it, milliseconds. */
const NEWS_MS = 100;

/** Fires when clients have been told that the code is replaced: they subscribe to that of then. */
function afterNews({ replaced }: Reload): AbortSignal {
  const told = new AbortController();
  replaced.addEventListener('abort', () => void setTimeout(() => told.abort(), NEWS_MS), { once: true });
  return told.signal;
}

/** A subscription has no end of its own: it ends with the server, or its code. */
function endsWith(request: Request, body: unknown, closing: AbortSignal): Request {
  const { method } = body as { readonly method?: unknown };
  if (method !== 'subscriptions/listen') return request;
  const { url, headers } = request;
  return new Request(url, { method: 'POST', headers, signal: AbortSignal.any([request.signal, closing]) });
}

/** Only whoever asks for progress needs more than one message for an answer. */
function asksForProgress(body: unknown): boolean {
  const { params } = body as { readonly params?: { readonly _meta?: { readonly progressToken?: unknown } } };
  return params?._meta?.progressToken !== undefined;
}

function refuseMethod(): Response {
  return refuse(405, { code: -32_000, message: 'Method not allowed. Messages are sent by POST.' }, { allow: 'POST' });
}

function refuse(status: number, error: object, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status, headers });
}
