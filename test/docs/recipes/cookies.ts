import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse, serialize } from 'cookie';
import * as z from 'zod';
import {
  capability,
  defineContext,
  defineMiddleware,
  type MiddlewareCall,
  reply,
} from '../../../server-runtime/index.ts';

export const context = defineContext(({ headers }) => ({ cookies: parse(headers.cookie ?? '') }));

const sign = (value: string, key: string): string => createHmac('sha256', key).update(value).digest('base64url');

/** `value.signature` */
function findSigned(cookie: string | undefined, key: string): string | undefined {
  const [, value, signature] = /^(.*)\.([\w-]{43})$/.exec(cookie ?? '') ?? [];
  if (value === undefined || signature === undefined) return undefined;
  return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(value, key))) ? value : undefined;
}

/** Reads the signed cookie `session`, and sets it again where the handler has changed it. */
const withSession = (key: string) =>
  defineMiddleware(async ({ ctx, next }: MiddlewareCall<{ readonly cookies: Record<string, string | undefined> }>) => {
    const before = findSigned(ctx.cookies['session'], key);
    const session = { user: before };
    const answer = await next({ session });
    if (session.user === before) return answer;
    const value = session.user === undefined ? '' : `${session.user}.${sign(session.user, key)}`;
    const options = {
      httpOnly: true,
      secure: true,
      sameSite: 'lax',
      path: '/',
      ...(value === '' ? { maxAge: 0 } : {}),
    } as const;
    return reply(answer, { headers: { 'set-cookie': serialize('session', value, options) } });
  });

const cap = capability.use(withSession('a secret of your environment'));
export const signIn = cap(z.object({ name: z.string() }), ({ name }, ctx) => {
  ctx.session.user = name;
  return { name };
});
export const getMe = cap((_input, ctx) => ({ name: ctx.session.user ?? null }), 'query');
