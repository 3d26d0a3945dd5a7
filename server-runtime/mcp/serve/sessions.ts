import { randomUUID } from 'node:crypto';
import type { HandleRequestOptions, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { ServerMaker } from '../load-server-maker.ts';
import type { Closing } from './closing.ts';
import { type Reload, startWith, toStart } from './open-news.ts';
import type { SessionOwner } from './session-owner.ts';

/** A conversation, and the one it belongs to. */
export interface McpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly owner: SessionOwner;
}

/** The conversations over HTTP that began with `initialize`. */
export interface Sessions {
  /** The session that a request names; undefined where it names none, or one that has been let go of. */
  readonly find: (request: Request) => McpSession | undefined;
  /** Whether a request names a session that its client has ended. */
  readonly hasEnded: (request: Request) => boolean;
  /** Opens one, and answers the request that asked for it. */
  readonly open: (request: Request, owner: SessionOwner, options: HandleRequestOptions) => Promise<Response>;
  /** Answers a message of a session. */
  readonly take: (session: McpSession, request: Request, options: HandleRequestOptions) => Promise<Response>;
  /** Answers a request for the messages that belong to no call, and one for the end of the session. */
  readonly listen: (session: McpSession, request: Request) => Promise<Response>;
}

interface CancelMessage {
  readonly method?: unknown;
  readonly params?: { readonly requestId?: string | number };
}

export interface SessionParts {
  readonly createMcpServer: ServerMaker;
  readonly closing: Closing;
  /** Undefined for code that stays. */
  readonly reload: Reload | undefined;
}

/** A session that ends costs its client nothing but cancelling: it is answered without one from then on. */
const MAX_SESSIONS = 1000;
const MAX_IDLE_MS = 3_600_000;
/** A name takes about 100 bytes. */
const MAX_ENDED = 10_000;

/** Keeps at most 1,000 sessions, each for an hour after its last message. */
export async function createSessions({ createMcpServer, closing, reload }: SessionParts): Promise<Sessions> {
  const [{ WebStandardStreamableHTTPServerTransport: Transport }, { LRUCache }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('lru-cache'),
  ]);
  const sessions = new LRUCache<string, McpSession>({
    max: MAX_SESSIONS,
    ttl: MAX_IDLE_MS,
    updateAgeOnGet: true,
    dispose: ({ transport }, _id, reason) => {
      if (reason !== 'delete') void transport.close();
    },
  });
  const ended = new LRUCache<string, true>({ max: MAX_ENDED, ttl: MAX_IDLE_MS });
  return {
    find: (request) => sessions.get(toSessionId(request)),
    hasEnded: (request) => ended.has(toSessionId(request)),
    open: async (request, owner, options) => {
      const transport = new Transport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => {
          sessions.set(id, { transport, owner });
        },
        onsessionclosed: (id) => {
          sessions.delete(id);
          ended.set(id, true);
        },
      });
      const server = createMcpServer(closing, 'session');
      await server.connect(transport);
      return transport.handleRequest(request, options);
    },
    take: async ({ transport }, request, options) => {
      const { method, params } = Object(options.parsedBody) as CancelMessage;
      const response = await transport.handleRequest(request, options);
      // The protocol sends no answer to a cancelled call, and its response would stay open.
      if (method === 'notifications/cancelled' && params?.requestId !== undefined)
        transport.closeSSEStream(params.requestId);
      return response;
    },
    listen: async ({ transport }, request) => {
      const response = await transport.handleRequest(request);
      const isStream = request.method === 'GET' && response.ok;
      if (!isStream) return response;
      const ends = [request.signal, closing.signal, ...(reload === undefined ? [] : [reload.replaced])];
      whenAny(ends, () => transport.closeStandaloneSSEStream());
      return reload === undefined ? response : startWith(toStart(reload.offers), response);
    },
  };
}

function toSessionId({ headers }: Request): string {
  return headers.get('mcp-session-id') ?? '';
}

function whenAny(signals: readonly AbortSignal[], act: () => void): void {
  AbortSignal.any([...signals]).addEventListener('abort', act, { once: true });
}
