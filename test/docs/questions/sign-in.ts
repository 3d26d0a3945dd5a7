import { jwtVerify } from 'jose';
import {
  capability,
  defaultErrors,
  defineContext,
  defineGuard,
} from '../../../server-runtime/index.ts';

const secret = new TextEncoder().encode(process.env['JWT_SECRET']);

export const context = defineContext(async ({ headers }) => {
  const token = String(headers['authorization']).replace(/^Bearer /, '');
  const claims = await jwtVerify(token, secret).catch(() => undefined); // no token, or a forged or old one
  const id = claims?.payload.sub;
  return { user: id === undefined ? undefined : { id } };
});

const mustBeUser = defineGuard(
  (ctx: { user: { id: string } | undefined }): asserts ctx is { user: { id: string } } => {
    if (!ctx.user) throw defaultErrors.Unauthorized();
  },
  {
    name: 'mustBeUser',
    errors: [defaultErrors.Unauthorized],
    security: { type: 'http', scheme: 'bearer' },
  },
);
export const authCap = capability.guard(mustBeUser);

export const getMe = authCap((_input, ctx) => ctx.user, 'query');
