import { createHash, timingSafeEqual } from 'node:crypto';
import { capability, type ContextOf, defineContext, defineError, defineGuard } from 'capix';

/** Who sent a request. */
export interface User {
  readonly id: string;
}

/** Builds the `ctx` of handlers and guards, once for each request. Open databases outside, and return them here. */
export const context = defineContext(({ headers, requestId }) => ({
  requestId,
  user: findUser(headers.authorization),
}));

/** What handlers and guards get: what the builder above returns. An interface has a name in an editor's hints. */
export interface Context extends ContextOf<typeof context> {
  readonly user: User | undefined;
}

export const Unauthorized = defineError(401, 'Unauthorized');
export const NotFound = defineError(404, 'NotFound');

/** Rejects a request without a user. What it asserts is the type of `ctx` in every capability behind it. */
export const mustBeUser = defineGuard(
  function mustBeUser(ctx: Context): asserts ctx is Context & { user: User } {
    if (!ctx.user) throw Unauthorized('Send the header `Authorization: Bearer <token>`.');
  },
  { errors: [Unauthorized], security: { type: 'http', scheme: 'bearer' } },
);

/** Declares a capability that everybody may call. */
export const cap = capability.withContext<Context>();
/** Declares a capability for signed-in users: it carries its guard, and `ctx.user` is there. */
export const authCap = capability.withContext<Context>().guard(mustBeUser);

/** One user, known by the token in API_TOKEN; without that variable there is none. Put your own sign-in here. */
function findUser(authorization: string | readonly string[] | undefined): User | undefined {
  const token = process.env.API_TOKEN;
  return token && isSame(`Bearer ${token}`, String(authorization)) ? { id: 'owner' } : undefined;
}

/** Compares in the same time wherever the texts differ, so that nobody can guess a secret letter by letter. */
function isSame(expected: string, sent: string): boolean {
  const toDigest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(toDigest(expected), toDigest(sent));
}
