/** What people get wrong, each in a line or a few, and what the compiler has to say: every text in `says` is in one of its messages. */
export interface TypeMistake {
  /** Unique; completes "the compiler tells of …". */
  readonly title: string;
  /** Follows `prelude`. */
  readonly code: string;
  /** The field, what was expected and found, or what to do. */
  readonly says: readonly string[];
  /** What TypeScript 5.4 says in place of that. */
  readonly saysIn54?: readonly string[];
}

/** What every mistake is written in: an application such as `capix new` makes. */
export const prelude = `
import * as z from 'zod';
import * as capix from 'capix';
import { capability, type ContextOf, createServer, defaultErrors, defineContext, defineError, defineGuard, defineInputGuard, defineMiddleware, definePlugin, type Enhancer, generateOpenAPI, group, type KeyOf, type MiddlewareCall, noContent, pageOf, reply, type RestOptions, restTransport, sse, stream, toFetchHandler, type Transport, uploadedFile, withCache, withCircuitBreaker, withRateLimit, withTimeout } from 'capix';
import { graphqlTransport } from 'capix/graphql';
import { mcpTransport } from 'capix/mcp';
import { mockContext, testServer } from 'capix/testing';

interface User { readonly id: string; readonly name: string; readonly role: 'admin' | 'member' }
interface Session { readonly token: string }
interface Db { readonly find: (id: string) => Promise<User | undefined> }
declare const db: Db;
const context = defineContext(({ requestId }) => ({ requestId, db, user: undefined as User | undefined }));
interface Context extends ContextOf<typeof context> {}
const Unauthorized = defineError(401, 'Unauthorized');
const EmailTaken = defineError(409, 'EmailTaken', { meta: z.object({ email: z.string() }) });
const mustBeUser = defineGuard((ctx: Context): asserts ctx is Context & { user: User } => {
  if (!ctx.user) throw Unauthorized();
});
const cap = capability.withContext<Context>();
const authCap = cap.guard(mustBeUser);
const ById = z.object({ id: z.string() });
const UserSchema = z.object({ id: z.string(), name: z.string(), role: z.enum(['admin', 'member']) });
const getUser = cap(ById, ({ id }) => ({ id, name: 'Ada' }));
const getPost = cap(ById, ({ id }) => ({ id, authorId: '1', pages: 3 }));
const capabilities = { users: { getUser } };
const server = createServer({ context, capabilities });
export { capix, capability, createServer, defaultErrors, defineContext, defineError, group, defineGuard, defineInputGuard, defineMiddleware, definePlugin, generateOpenAPI, reply,
  restTransport, sse, toFetchHandler, uploadedFile, withCache, withCircuitBreaker, withRateLimit, withTimeout, graphqlTransport, mcpTransport, mockContext, testServer,
  EmailTaken, getPost, authCap, UserSchema, server };
export type { Session, Enhancer, KeyOf, MiddlewareCall, RestOptions, Transport };
`;
