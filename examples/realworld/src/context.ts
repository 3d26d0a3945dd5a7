import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { capability, defineContext, defineEnvelope, defineError, defineGuard } from 'capix';
import * as z from 'zod';
import { openStore, type Store } from './store.js';

export const Unauthorized = defineError(401, 'Unauthorized');
export const Forbidden = defineError(403, 'Forbidden');
export const NotFound = defineError(404, 'NotFound');
export const Conflict = defineError(409, 'Conflict');
export const Invalid = defineError(422, 'Unprocessable content');

export interface Context {
  readonly store: Store;
  /** Undefined for a caller without a token, or with one that is not ours. */
  readonly userId: number | undefined;
  readonly hasToken: boolean;
}

const store = openStore(process.env['DATABASE']);

export const context = defineContext(({ headers }): Context => {
  const [, token = ''] = /^Token (.+)$/.exec(String(headers['authorization'])) ?? [];
  const userId = readToken(token);
  const isKnown =
    userId !== undefined && store.find('select 1 from users where id = ?', userId) !== undefined;
  return { store, userId: isKnown ? userId : undefined, hasToken: token !== '' };
});

const token = { type: 'apiKey', in: 'header', name: 'Authorization' } as const;

const isUser = defineGuard(
  (ctx: Context): asserts ctx is Context & { userId: number } => {
    if (ctx.userId === undefined) throw Unauthorized('is missing', { subject: 'token' });
  },
  { name: 'isUser', errors: [Unauthorized], security: token },
);

const mayBeUser = defineGuard(
  (ctx: Context) => {
    if (ctx.hasToken && ctx.userId === undefined)
      throw Unauthorized('is not valid', { subject: 'token' });
  },
  { name: 'mayBeUser', errors: [Unauthorized], security: token, isOptional: true },
);

/** Every operation may answer with 422, as the specification says. */
export const cap = capability.withContext<Context>().errors(Invalid);
export const userCap = cap.guard(isUser);
/** Operations that tell their callers apart, and take everybody. */
export const maybeCap = cap.guard(mayBeUser);

/** Refusals are `{"errors": {"title": ["can't be blank"]}}`, and data stands bare: each answer names it itself. */
export const envelope = defineEnvelope({
  dataField: false,
  failure: ({ message, meta, fields }) => {
    const errors: Record<string, string[]> = {};
    for (const field of fields)
      (errors[field.path.split('.').at(-1) || 'body'] ??= []).push(field.message);
    return {
      errors: fields.length === 0 ? { [String(meta?.['subject'] ?? 'body')]: [message] } : errors,
    };
  },
  failureSchema: z.object({ errors: z.record(z.string(), z.array(z.string())) }),
  validationStatus: 422,
});

const secret = process.env['TOKEN_SECRET'] ?? randomBytes(32).toString('hex');

export function toToken(userId: number): string {
  return `${userId}.${createHmac('sha256', secret).update(String(userId)).digest('hex')}`;
}

function readToken(token: string): number | undefined {
  const userId = Number(token.split('.')[0]);
  const [given, ours] = [Buffer.from(token), Buffer.from(toToken(userId))];
  return given.length === ours.length && timingSafeEqual(given, ours) ? userId : undefined;
}
