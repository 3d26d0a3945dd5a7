import * as z from 'zod';
import {
  capability,
  defaultErrors,
  defineContext,
  defineError,
  defineGuard,
  defineInputGuard,
  withRateLimit,
} from '../../server-runtime/index.ts';
import { type UploadedFile, uploadedFile } from '../../server-runtime/input/uploaded-file.ts';

/** An application with every kind of route, field, guard and error, for documents, clients and agents. */

interface Context {
  readonly user: string | undefined;
  readonly signal: AbortSignal;
}

export const shopContext = defineContext(({ headers }) => ({
  user:
    typeof headers['authorization'] === 'string'
      ? headers['authorization'].replace('Bearer ', '')
      : undefined,
}));

const mustBeUser = defineGuard(
  (ctx: Context) => {
    if (ctx.user === undefined) throw defaultErrors.Unauthorized();
  },
  {
    name: 'mustBeUser',
    errors: [defaultErrors.Unauthorized],
    security: { type: 'http', scheme: 'bearer' },
  },
);
const EmailTaken = defineError(409, 'Email taken', { meta: z.object({ email: z.string() }) });
const mustBeFree = defineInputGuard(
  ({ email }: { readonly email: string }) => {
    if (email === 'taken@example.org') throw EmailTaken({ email });
  },
  { name: 'mustBeFree', errors: [EmailTaken] },
);
const mustExist = defineInputGuard(
  ({ id }: { readonly id: string }) => {
    if (id === 'missing') throw defaultErrors.NotFound(`No user ${id}`);
  },
  { name: 'mustExist', errors: [defaultErrors.NotFound] },
);

const Address = z.object({ street: z.string(), country: z.enum(['ch', 'de', 'fr']) });
const User = z
  .object({
    id: z.string().meta({ description: 'Stays the same for ever', examples: ['u1'] }),
    email: z.email(),
    age: z.number().int().min(0).nullable(),
    tags: z.array(z.string()),
    home: Address,
    work: Address.optional().describe('Where they work'),
    bornAt: z.date(),
  })
  .meta({ id: 'User', description: 'Somebody with an account' });
const UserFields = User.omit({ id: true, bornAt: true });
const Category = z.object({
  name: z.string(),
  get children() {
    return z.array(Category);
  },
});
const Kind = z.enum(['book', 'toy']);

const cap = capability.withContext<Context>();

function toUser(id: string): z.infer<typeof User> {
  return {
    id,
    email: 'ann@example.org',
    age: 30,
    tags: ['a'],
    home: { street: 'Main 1', country: 'ch' },
    bornAt: new Date(0),
  };
}

export const shop = {
  users: {
    getUser: cap(z.object({ id: z.string().meta({ examples: ['u1'] }) }), ({ id }) => toUser(id))
      .inputGuard(mustExist)
      .output(User)
      .describe('Read one user. The id comes from a list.'),
    listUsers: cap(
      z.object({
        page: z.number().int().min(1).default(1).describe('Counts from 1'),
        tags: z.array(z.string()).optional(),
        active: z.boolean().optional(),
        kind: Kind.optional(),
      }),
      ({ page, tags, active, kind }) => ({
        items: [toUser(`u${page}`)],
        seen: { page, tags, active, kind },
      }),
    ),
    createUser: cap(UserFields, (fields) => ({ ...toUser('u2'), ...fields }))
      .guard(mustBeUser)
      .inputGuard(mustBeFree)
      .output(User),
    updateUser: cap(UserFields.partial().extend({ id: z.string() }), ({ id, ...fields }) => ({
      id,
      fields,
    })).guard(mustBeUser),
    replaceUser: cap(z.object({ id: z.string(), user: UserFields }), ({ id, user }) => ({
      id,
      user,
    })),
    deleteUser: cap(
      z.object({ id: z.string(), force: z.boolean().default(false) }),
      (input) => input,
    )
      .guard(mustBeUser)
      .enhance(withRateLimit({ limit: 100, windowMs: 60_000 })),
    unfollow: cap(z.object({ id: z.string() }), () => null).deprecated({
      since: '2026-01-01',
      sunset: '2027-01-01',
      use: 'users.deleteUser',
    }),
    uploadAvatar: cap(
      z.object({
        id: z.string(),
        avatar: uploadedFile({ accept: ['image/*'], maxSize: 1000 }),
        more: z.array(uploadedFile()).optional(),
        caption: z.string().optional(),
        width: z.number().optional(),
      }),
      ({ avatar, more, ...rest }) => ({
        ...rest,
        type: avatar.mimeType,
        size: avatar.buffer.byteLength,
        more: more?.map((file) => file.filename) ?? [],
      }),
    ),
    sendNote: cap(
      z.object({ text: z.string(), file: z.custom<UploadedFile>().optional() }),
      ({ text, file }) => ({
        text,
        content: file?.buffer.toString() ?? null,
      }),
    ),
  },
  catalog: {
    categories: {
      getCategory: cap(() => ({ name: 'all', children: [] })).output(Category),
      createCategory: cap(Category, (category) => category),
    },
    prices: cap(z.record(z.string(), z.number()), (prices) => prices),
    find: cap(
      z.discriminatedUnion('by', [
        z.object({ by: z.literal('id'), id: z.string() }),
        z.object({ by: z.literal('kind'), kind: Kind }),
      ]),
      (query) => query,
    ),
    buy: cap(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('book'), isbn: z.string() }),
        z.object({ kind: z.literal('toy'), size: z.number() }),
      ]),
      (order) => order,
    ),
    echo: cap((input) => input),
  },
  health: cap(() => ({ ok: true })),
};

/** Routes that are stated instead of inferred; the same for server and document. */
export const shopOverrides = {
  'users.uploadAvatar': { method: 'POST', path: '/users/:id/avatar' },
} as const;
