import * as z from 'zod';
import { defineCookie } from '../../../server-runtime/cookies/index.ts';
import {
  capability,
  defineContext,
  defineMiddleware,
  type MiddlewareCall,
  reply,
} from '../../../server-runtime/index.ts';

/** The first secret signs. All of them are accepted, so a new one can be put before the old one. */
const cookie = defineCookie('session', {
  secrets: [process.env['SESSION_SECRET'] ?? ''],
  maxAge: 86_400,
});

export const context = defineContext(({ headers }) => ({ user: cookie.read(headers) }));

/** Sets the cookie again where the handler has changed the session. */
const withSession = defineMiddleware(
  async ({ ctx, next }: MiddlewareCall<{ readonly user: string | undefined }>) => {
    const session = { user: ctx.user };
    const answer = await next({ session });
    if (session.user === ctx.user) return answer;
    const text = session.user === undefined ? cookie.clear() : cookie.set(session.user);
    return reply(answer, { headers: { 'set-cookie': text } });
  },
);

const cap = capability.use(withSession);
export const signIn = cap(z.object({ name: z.string() }), ({ name }, ctx) => {
  ctx.session.user = name;
  return { name };
});
export const signOut = cap((_input, ctx) => {
  ctx.session.user = undefined;
}, 'mutation');
export const getMe = cap((_input, ctx) => ({ name: ctx.session.user ?? null }), 'query');
