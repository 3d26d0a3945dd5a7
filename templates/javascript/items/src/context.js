import { createHash, timingSafeEqual } from 'node:crypto';
import { capability, defineContext, defineError, defineGuard } from 'capix';

/** @typedef {{ readonly id: string }} User Who sent a request. */

/** Builds what handlers and guards get as `ctx`, once for each request. Open databases outside and hand them on here. */
export const context = defineContext(({ headers, requestId }) => ({
  requestId,
  user: findUser(headers.authorization),
}));
/** @typedef {import('capix').ContextOf<typeof context>} Context */

export const Unauthorized = defineError(401, 'Unauthorized');
export const NotFound = defineError(404, 'NotFound');

/**
 * Rejects a request without a user. What it asserts is the type of `ctx` in every capability behind it.
 *
 * @param {Context} ctx
 * @returns {asserts ctx is Context & { user: User }}
 */
function checkUser(ctx) {
  if (!ctx.user) throw Unauthorized('Send the header `Authorization: Bearer <token>`.');
}
export const mustBeUser = defineGuard(checkUser, {
  name: 'mustBeUser',
  errors: [Unauthorized],
  security: { type: 'http', scheme: 'bearer' },
});

/**
 * Declares a capability that everybody may call.
 *
 * @type {import('capix').CapabilityFactory<Context>}
 */
export const cap = capability.withContext();
/** Declares a capability for signed-in users: it carries its guard, and `ctx.user` is there. */
export const authCap = cap.guard(mustBeUser);

/**
 * One user, known by the token in API_TOKEN; without that variable there is none. Put your own sign-in here.
 *
 * @param {string | readonly string[] | undefined} authorization
 * @returns {User | undefined}
 */
function findUser(authorization) {
  const token = process.env.API_TOKEN;
  return token && isSame(`Bearer ${token}`, String(authorization)) ? { id: 'owner' } : undefined;
}

/**
 * Compares in the same time wherever the texts differ, so that nobody can guess a secret letter by letter.
 *
 * @param {string} expected
 * @param {string} sent
 */
function isSame(expected, sent) {
  const toDigest = (/** @type {string} */ text) => createHash('sha256').update(text).digest();
  return timingSafeEqual(toDigest(expected), toDigest(sent));
}
