import { fromNodeHeaders } from 'better-auth/node';
import {
  type BaseContext,
  type ContextOf,
  capability,
  defineContext,
  defineGuard,
  defineMiddleware,
  type MiddlewareCall,
} from 'capix';
import { and, eq } from 'drizzle-orm';
import * as z from 'zod';
import type { Db } from './db/open.ts';
import { members } from './db/schema.ts';
import { Forbidden, NotFound, Unauthorized } from './errors.ts';
import type { Services } from './services.ts';

/** Built for each request. The plugin of `services.ts` adds the rest. */
export const context = defineContext(({ headers, rawBody }) => ({
  headers: fromNodeHeaders(headers),
  rawBody,
}));
export interface Context extends BaseContext, ContextOf<typeof context>, Services {}

export interface User {
  readonly id: string;
  readonly name: string;
}

const mustBeUser = defineGuard(
  async ({ auth, headers }: Context) => {
    const session = await auth.api.getSession({ headers });
    if (!session) throw Unauthorized('Sign in first.');
    const user: User = { id: session.user.id, name: session.user.name };
    return { user };
  },
  {
    name: 'mustBeUser',
    errors: [Unauthorized],
    security: { type: 'http', scheme: 'bearer' },
  },
);

const mustBeMember = defineGuard(
  async ({ db, user }: Context & { user: User }, { params: { clinicId } }) => {
    if (!z.uuid().safeParse(clinicId).success) throw NotFound('There is no such clinic.');
    const member = await db.query.members.findFirst({
      where: and(eq(members.clinicId, clinicId), eq(members.userId, user.id)),
    });
    if (!member) throw NotFound('There is no such clinic.');
    return { member };
  },
  { name: 'mustBeMember', params: ['clinicId'], errors: [NotFound] },
);

type Member = typeof members.$inferSelect;

const mustBeStaff = defineGuard(
  ({ member }: { member: Member }) => {
    if (member.role === 'assistant') throw Forbidden('An assistant may read and propose.');
  },
  { name: 'mustBeStaff', errors: [Forbidden] },
);

const mustBeOwner = defineGuard(
  ({ member }: { member: Member }) => {
    if (member.role !== 'owner') throw Forbidden('Only an owner may do that.');
  },
  { name: 'mustBeOwner', errors: [Forbidden] },
);

export type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0];

/** One transaction around the handler: it is committed when the handler returns, and rolled back when it throws. */
const withTransaction = defineMiddleware(({ ctx, next }: MiddlewareCall<Context>) =>
  ctx.db.transaction(async (tx) => {
    const answer = await next({ tx });
    ctx.signal.throwIfAborted(); // The caller has got 504, or has left: nothing is saved.
    return answer;
  }),
);

/** For everybody. */
export const cap = capability.withContext<Context>();
/** For whoever is signed in. */
export const userCap = cap.guard(mustBeUser);
/** For members of the clinic in the path. */
export const memberCap = userCap.guard(mustBeMember).input(z.object({ clinicId: z.uuid() }));
/** For people of the clinic. */
export const staffCap = memberCap.guard(mustBeStaff);
export const ownerCap = memberCap.guard(mustBeOwner);
/** The same, in a transaction. */
export const userTxCap = userCap.use(withTransaction);
export const staffTxCap = staffCap.use(withTransaction);
