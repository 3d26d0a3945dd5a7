import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type {
  AuthInfo,
  HandleRequestOptions,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { ServerMaker } from './load-handlers.ts';

/** A conversation, and the one it belongs to. */
export interface McpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly owner: SessionOwner;
}

/** Who opened a session, or sends a message of it. */
export interface SessionOwner {
  readonly authorization: string | null;
  /** The value that `authorize` gave; undefined where everybody may ask. */
  readonly identity: unknown;
}

/** The conversations over HTTP that began with `initialize`. */
export interface Sessions {
  /** The session that a request names: undefined where it names none, or one that has been let go of. */
  readonly find: (request: Request) => McpSession | undefined;
  /** Whether a request names a session that its client has ended. */
  readonly hasEnded: (request: Request) => boolean;
  /** Opens one, and answers the request that asked for it. */
  readonly open: (request: Request, owner: SessionOwner, options: HandleRequestOptions) => Promise<Response>;
}

/** A session that ends costs its client nothing but cancelling: it is answered without one from then on. */
const MAX_SESSIONS = 1000;
const MAX_IDLE_MS = 3_600_000;
/** A name takes about 100 bytes. */
const MAX_ENDED = 10_000;

/**
 * Keeps at most 1,000 sessions, each for an hour after its last message. The SDK speaks with each; that there are
 * several, and whose they are, is ours: its handler of both eras serves the older one without sessions, so that nothing
 * could be cancelled.
 */
export async function loadSessions(createMcpServer: ServerMaker): Promise<Sessions> {
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
  const toId = ({ headers }: Request): string => headers.get('mcp-session-id') ?? '';
  return {
    find: (request) => sessions.get(toId(request)),
    hasEnded: (request) => ended.has(toId(request)),
    open: async (request, owner, options) => {
      const transport = new Transport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, { transport, owner }),
        onsessionclosed: (id) => {
          sessions.delete(id);
          ended.set(id, true);
        },
      });
      await createMcpServer('session').connect(transport);
      return transport.handleRequest(request, options);
    },
  };
}

export function toOwner({ headers }: Request, { extra }: AuthInfo): SessionOwner {
  return { authorization: headers.get('authorization'), identity: extra?.['identity'] };
}

/**
 * Whether two messages are of the same caller: by the token, or by an identity that says the same. An instance of a
 * class may hide what tells two callers apart, so that it is equal to itself alone.
 */
export function isSameOwner(one: SessionOwner, other: SessionOwner): boolean {
  if (one.authorization !== null && one.authorization === other.authorization) return true;
  if (Object.is(one.identity, other.identity)) return true;
  const [first, second] = [toLastingFacts(one.identity), toLastingFacts(other.identity)];
  return first !== undefined && isDeepStrictEqual(first, second);
}

/** The claims of a JSON Web Token that another token of the same person has others of. */
const CLAIMS_OF_A_TOKEN: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'jti', 'auth_time']);

/** Undefined for what is not a plain object. */
function toLastingFacts(identity: unknown): object | undefined {
  if (typeof identity !== 'object' || identity === null) return undefined;
  if (![Object.prototype, null].includes(Object.getPrototypeOf(identity) as object | null)) return undefined;
  return Object.fromEntries(Object.entries(identity).filter(([name]) => !CLAIMS_OF_A_TOKEN.has(name)));
}
