import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type {
  HandleRequestOptions,
  WebStandardStreamableHTTPServerTransport as SessionTransport,
} from '@modelcontextprotocol/server';
import type { ServerMaker } from './handlers.ts';

/** The conversations over HTTP of the revisions before 2026-07-28, which begin with `initialize`. */
export interface Sessions {
  /**
   * The session that a request names: `'gone'` where it has ended or is somebody else's, undefined where the request
   * names none, or one that is not known here.
   */
  readonly find: (request: Request, options: HandleRequestOptions) => SessionTransport | 'gone' | undefined;
  /** Opens one, and responds to the request that asked for it. */
  readonly open: (request: Request, options: HandleRequestOptions) => Promise<Response>;
}

interface Session {
  /** Undefined once it has ended. */
  readonly transport: SessionTransport | undefined;
  readonly owner: Owner;
}

/** Who opened a session, or sends a message of it. */
interface Owner {
  readonly authorization: string | null;
  /** The value that `authorize` gave; undefined where everybody may ask. */
  readonly identity: unknown;
}

/** A session that ends costs its client nothing but cancelling: it is responded to without one from then on. */
const MAX_SESSIONS = 1000;
const MAX_IDLE_MS = 3_600_000;

/**
 * Keeps at most 1,000 sessions, each for an hour after its last message. The SDK speaks with each; that there are
 * several, and whose they are, is ours: its handler of both eras serves the older one without sessions, so that nobody
 * could be asked. `over` ends the streams that belong to no call.
 */
export async function loadSessions(createMcpServer: ServerMaker, over: AbortSignal): Promise<Sessions> {
  const [sdk, { LRUCache }] = await Promise.all([import('@modelcontextprotocol/server'), import('lru-cache')]);
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
  return {
    find: (request, options) => {
      const session = sessions.get(request.headers.get('mcp-session-id') ?? '');
      if (session === undefined) return undefined;
      return isSame(session.owner, toOwner(request, options)) ? (session.transport ?? 'gone') : 'gone';
    },
    open: async (request, options) => {
      const owner = toOwner(request, options);
      const transport = new sdk.WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, { transport, owner }),
        onsessionclosed: (id) => void sessions.set(id, { transport: undefined, owner }),
      });
      await createMcpServer('session').connect(transport);
      return transport.handleRequest(request, options);
    },
  };
}

function toOwner({ headers }: Request, { authInfo }: HandleRequestOptions): Owner {
  return { authorization: headers.get('authorization'), identity: authInfo?.extra?.['identity'] };
}

/**
 * Whether two messages are of the same caller: by the token, or by an identity that says the same. An instance of a
 * class may hide what tells two callers apart, so that it is equal to itself alone.
 */
function isSame(one: Owner, other: Owner): boolean {
  if (one.authorization !== null && one.authorization === other.authorization) return true;
  if (Object.is(one.identity, other.identity)) return true;
  const facts = toLastingFacts(one.identity);
  return facts !== undefined && isDeepStrictEqual(facts, toLastingFacts(other.identity));
}

/** The claims of a JSON Web Token that another token of the same person has others of. */
const CLAIMS_OF_A_TOKEN: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'jti', 'auth_time']);

/** Undefined for what is not a plain object. */
function toLastingFacts(identity: unknown): object | undefined {
  if (typeof identity !== 'object' || identity === null) return undefined;
  if (![Object.prototype, null].includes(Object.getPrototypeOf(identity) as object | null)) return undefined;
  return Object.fromEntries(Object.entries(identity).filter(([name]) => !CLAIMS_OF_A_TOKEN.has(name)));
}
