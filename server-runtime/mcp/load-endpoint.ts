import type { AuthInfo, HandleRequestOptions, ServerEventBus } from '@modelcontextprotocol/server';
import type { Closing } from './closing.ts';
import type { ServerMaker } from './load-handlers.ts';
import { readMessage } from './read-message.ts';
import type { ResourceChanges } from './resources.ts';
import { isSameOwner, loadSessions, type McpSession, toOwner } from './sessions.ts';

/** Answers one HTTP request that speaks the protocol, of either era. */
export type AnswerWeb = (request: Request, authInfo: AuthInfo) => Promise<Response>;

export interface EndpointParts {
  readonly createMcpServer: ServerMaker;
  readonly closing: Closing;
  /** Says which resources have changed; undefined where nobody does. */
  readonly changes?: ResourceChanges | undefined;
  /** Fires when newer code answers in place of this one while clients stay, as under `capix dev`. */
  readonly replaced?: AbortSignal | undefined;
  /** Tells subscribers of 2026-07-28 of other lists; given where the code is replaced and this endpoint stays. */
  readonly bus?: ServerEventBus | undefined;
}

/**
 * One endpoint for both eras. A request of the revision 2026-07-28 is a conversation of its own. Those before begin
 * with `initialize`, which opens a session; a request without one, or of one that is not known here, is answered alone.
 */
export async function loadEndpoint(parts: EndpointParts): Promise<AnswerWeb> {
  const { createMcpServer, closing, changes, replaced, bus = toBus(changes, replaced) } = parts;
  const [sdk, sessions] = await Promise.all([import('@modelcontextprotocol/server'), loadSessions(createMcpServer)]);
  const stateless = sdk.createMcpHandler(() => createMcpServer('request'), { legacy: 'reject', ...(bus && { bus }) });
  const isOver = AbortSignal.any([closing.signal, ...(replaced === undefined ? [] : [replaced])]);
  const isTold = AbortSignal.any([closing.signal, ...(replaced === undefined ? [] : [afterNews(replaced)])]);

  /** Unlike the handler of the SDK, as JSON: only whoever asks for progress needs more than one message. */
  async function answerAlone(request: Request, body: unknown, authInfo: AuthInfo): Promise<Response> {
    const { params } = body as { readonly params?: { readonly _meta?: { readonly progressToken?: unknown } } };
    const enableJsonResponse = params?._meta?.progressToken === undefined;
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse });
    const server = createMcpServer('request');
    await server.connect(transport);
    request.signal.addEventListener('abort', () => void server.close(), { once: true });
    return transport.handleRequest(request, { authInfo, parsedBody: body });
  }

  /** A message of a session. The protocol sends no answer to a cancelled call, whose response would stay open. */
  async function take({ transport }: McpSession, request: Request, options: HandleRequestOptions): Promise<Response> {
    const { method, params } = options.parsedBody as Cancelling;
    const response = await transport.handleRequest(request, options);
    if (method === 'notifications/cancelled' && params?.requestId !== undefined)
      transport.closeSSEStream(params.requestId);
    return response;
  }

  /** The stream of what belongs to no call, and the end of a session. */
  async function answerOther(session: McpSession | undefined, request: Request): Promise<Response> {
    if (session !== undefined) {
      const response = await session.transport.handleRequest(request);
      if (request.method === 'GET' && response.ok)
        AbortSignal.any([request.signal, isOver]).addEventListener('abort', () =>
          session.transport.closeStandaloneSSEStream(),
        );
      return response;
    }
    const isOlder = request.method === 'GET' && request.headers.has('mcp-session-id');
    if (isOlder && parts.bus !== undefined) return refuse(404, unknownSession);
    return isOlder && replaced !== undefined ? openNews(AbortSignal.any([request.signal, isOver])) : refuseMethod();
  }

  return async (request, authInfo) => {
    if (sessions.hasEnded(request))
      return refuse(404, { code: -32_001, message: 'The session has ended. Open another.' });
    const session = sessions.find(request);
    const owner = toOwner(request, authInfo);
    if (session !== undefined && !isSameOwner(session.owner, owner)) return refuse(404, unknownSession);
    if (request.method !== 'POST') return answerOther(session, request);
    if (!sdk.isJsonContentType(request.headers.get('content-type'))) return stateless.fetch(request);
    const read = readMessage(await request.text());
    if (!read.ok) return Response.json(read.refusal, { status: 400 });
    const body = read.message;
    if (!(await sdk.isLegacyRequest(request, body)))
      return stateless.fetch(endsWith(request, body, isTold), { authInfo, parsedBody: body });
    if (session !== undefined) return take(session, request, { authInfo, parsedBody: body });
    if (sdk.isInitializeRequest(body)) return sessions.open(request, owner, { authInfo, parsedBody: body });
    return answerAlone(request, body, authInfo);
  };
}

interface Cancelling {
  readonly method?: unknown;
  readonly params?: { readonly requestId?: string | number };
}

const unknownSession = { code: -32_001, message: 'There is no such session. Open another.' };

function refuseMethod(): Response {
  return refuse(405, { code: -32_000, message: 'Method not allowed. Messages are sent by POST.' }, { allow: 'POST' });
}

function refuse(status: number, error: object, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status, headers });
}

const lists = ['tools', 'resources', 'prompts'] as const;

/** Changes as the SDK listens to them: of resources, and of all lists when the code is replaced. */
function toBus(changes: ResourceChanges | undefined, replaced: AbortSignal | undefined): ServerEventBus | undefined {
  if (changes === undefined && replaced === undefined) return undefined;
  return {
    publish: () => {},
    subscribe: (listener) => {
      const stop = changes?.subscribe((uri) => listener({ kind: 'resource_updated', uri }));
      const tell = (): void => {
        for (const list of lists) listener({ kind: `${list}_list_changed` });
      };
      replaced?.addEventListener('abort', tell, { once: true });
      return () => {
        stop?.();
        replaced?.removeEventListener('abort', tell);
      };
    },
  };
}

/** The time in which the last news of code that was replaced leave it, milliseconds. */
const NEWS_MS = 100;

/** Fires when clients have been told that the code is replaced: they subscribe to that of then. */
function afterNews(replaced: AbortSignal): AbortSignal {
  const told = new AbortController();
  replaced.addEventListener('abort', () => void setTimeout(() => told.abort(), NEWS_MS), { once: true });
  return told.signal;
}

/** A subscription has no end of its own: it ends with the server, or its code. */
function endsWith(request: Request, body: unknown, over: AbortSignal): Request {
  const { method } = body as { readonly method?: unknown };
  if (method !== 'subscriptions/listen') return request;
  const { url, headers } = request;
  return new Request(url, { method: 'POST', headers, signal: AbortSignal.any([request.signal, over]) });
}

/** A stream for a session that the code before this one has opened: any of its lists may be another one now. */
function openNews(over: AbortSignal): Response {
  const news = lists.map((list) => ({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` }));
  const text = news.map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`).join('');
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(text));
      over.addEventListener('abort', () => controller.close(), { once: true });
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' } });
}
