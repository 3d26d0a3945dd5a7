import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type { DeclaredOf } from '../../server-runtime/capability/group-tree.ts';
import {
  type Answer,
  type BaseContext,
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  defineMiddleware,
  definePlugin,
  type Enhancer,
  group,
  type InputTo,
  type KeyOf,
  type MiddlewareCall,
  reply,
  withTimeout,
} from '../../server-runtime/index.ts';

interface Tx {
  readonly insert: (row: object) => Promise<void>;
}
interface Db {
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
}
interface User {
  readonly id: string;
}
interface Context extends BaseContext {
  readonly db: Db;
  readonly user: User | undefined;
}
const cap = capability.withContext<Context>();
const mustBeUser = defineGuard(
  (ctx: Context): asserts ctx is Context & { user: User } => void ctx.user,
);
const Input = z.object({ id: z.string() });

const withTransaction = defineMiddleware(({ ctx, next }: MiddlewareCall<Context>) =>
  ctx.db.transaction((tx) => next({ tx })),
);
const withTenant = defineMiddleware(({ next }) => next({ tenant: 'a' }));

describe('a middleware', () => {
  it('is an enhancer that adds what it gives to next', () => {
    expectTypeOf(withTransaction).toExtend<Enhancer<unknown, Context, { tx: Tx }, never>>();
    expectTypeOf(withTenant).toExtend<Enhancer<unknown, BaseContext, { tenant: string }, never>>();
  });

  it('types what is behind it on a factory', () => {
    cap.use(withTransaction).use(withTenant)(Input, (input, ctx) => {
      expectTypeOf(input).toEqualTypeOf<{ id: string }>();
      expectTypeOf(ctx.tx).toEqualTypeOf<Tx>();
      expectTypeOf(ctx.tenant).toBeString();
      expectTypeOf(ctx.user).toEqualTypeOf<User | undefined>();
    });
    cap.guard(mustBeUser).use(withTransaction)(Input, (_input, ctx) => {
      expectTypeOf(ctx.user).toEqualTypeOf<User>();
      expectTypeOf(ctx.tx).toEqualTypeOf<Tx>();
    });
    cap.enhance(withTransaction)((_input, ctx) => expectTypeOf(ctx.tx).toEqualTypeOf<Tx>());
  });

  it('gives plain `capability` the context that it must be given, which the server must have', () => {
    const added = capability.use(withTransaction)(Input, (_input, ctx) => {
      expectTypeOf(ctx.tx).toEqualTypeOf<Tx>();
      expectTypeOf(ctx.db).toEqualTypeOf<Db>();
    });
    // @ts-expect-error -- the context has no db
    createServer({ context: defineContext(() => ({})), capabilities: { added } });
    createServer({
      context: defineContext(() => ({ db: {} as Db, user: undefined })),
      capabilities: { added },
    });
  });

  it('reads what one before it has added', () => {
    const inTransaction = defineMiddleware(({ ctx, next }: MiddlewareCall<{ tx: Tx }>) =>
      next({ rows: ctx.tx }),
    );
    cap.use(withTransaction).use(inTransaction)((_input, ctx) =>
      expectTypeOf(ctx.rows).toEqualTypeOf<Tx>(),
    );
    // @ts-expect-error -- nothing before it adds a transaction
    cap.use(inTransaction);
  });

  it('adds only what each of its ways adds', () => {
    const maybe = defineMiddleware(({ next, operation }) =>
      operation.guarded ? next({ a: 1, b: 'x' }) : next({ a: 2 }),
    );
    capability.use(maybe)((_input, ctx) => {
      expectTypeOf(ctx.a).toBeNumber();
      // @ts-expect-error -- one of its ways does not add it
      return ctx.b;
    });
    const never = defineMiddleware(async ({ next, operation }) =>
      operation.guarded ? ({} as Answer) : reply(await next({ a: 1 }), { headers: { 'x-a': '1' } }),
    );
    capability.use(never)((_input, ctx) => expectTypeOf(ctx.a).toBeNumber());
    const none = defineMiddleware(async ({ next }) => {
      const answer = await next();
      return answer;
    });
    capability.use(none)((_input, ctx) => expectTypeOf(ctx).toEqualTypeOf<BaseContext>());
  });

  it('written where it is used has the types of the capability', () => {
    cap(Input, () => 1).use(
      defineMiddleware(({ input, ctx, next }) => {
        expectTypeOf(input).toEqualTypeOf<{ id: string }>();
        expectTypeOf(ctx.db).toEqualTypeOf<Db>();
        return next();
      }),
    );
    cap.use(
      defineMiddleware(({ ctx, next }) => {
        expectTypeOf(ctx.db).toEqualTypeOf<Db>();
        return next({ n: 1 });
      }),
    )((_input, ctx) => expectTypeOf(ctx.n).toBeNumber());
    capability.use(
      defineMiddleware(({ ctx, next }) => {
        expectTypeOf(ctx.requestId).toBeString();
        return next();
      }),
    );
  });

  it('declares its errors for all that is behind it', () => {
    const guarded = defineMiddleware(({ next }) => next(), { errors: [defaultErrors.Conflict] });
    const one = capability.use(guarded).use(withTimeout(5))(() => 1);
    expectTypeOf<DeclaredOf<typeof one>['errorName']>().toEqualTypeOf<'Conflict' | 'Timeout'>();
  });

  it('of another context or input, one that forgets its answer and a bare function do not compile', () => {
    const ofTenant = defineMiddleware(({ ctx, next }: MiddlewareCall<{ tenant: string }>) =>
      next({ t: ctx.tenant }),
    );
    // @ts-expect-error -- Context has no tenant
    cap.use(ofTenant);
    // @ts-expect-error -- Context has no tenant
    cap(Input, () => 1).use(ofTenant);
    const ofName = defineMiddleware(({ input, next }: MiddlewareCall<Context, { name: string }>) =>
      next({ n: input }),
    );
    // @ts-expect-error -- the input has no name
    cap(Input, () => 1).use(ofName);
    // @ts-expect-error -- the answer is not handed on
    defineMiddleware(async ({ next }) => {
      await next();
    });
    // @ts-expect-error -- an answer of its own is said to be one
    defineMiddleware(() => 'nope');
    // @ts-expect-error -- a function is to be wrapped
    cap.use(({ next }) => next());
  });
});

describe('a middleware of an input', () => {
  const OrgId = z.object({ orgId: z.string() });
  const member = defineMiddleware(
    ({ input, ctx, next }: MiddlewareCall<Context, { orgId: string }>) =>
      next({ member: `${input.orgId} ${ctx.requestId}` }),
  );
  const orgCap = cap.guard(mustBeUser).input(OrgId).use(member);

  it('has its fields typed, and gives each handler behind it both', () => {
    const Saved = z.object({ id: z.string() });
    const create = orgCap
      .input(z.object({ lines: z.array(z.string()).default([]) }))
      .errors(defaultErrors.NotFound)
      .output(Saved, { status: 201 })(async ({ orgId, lines }, ctx) => {
      expectTypeOf(lines).toEqualTypeOf<string[]>();
      expectTypeOf(ctx.member).toBeString();
      expectTypeOf(ctx.user).toEqualTypeOf<User>();
      return { id: orgId };
    });
    expectTypeOf<InputTo<typeof create>>().toExtend<{
      orgId: string;
      lines?: string[] | undefined;
    }>();
    const get = orgCap(Input, ({ id, orgId }, ctx) => id + orgId + ctx.member);
    expectTypeOf<{ orgId: string; id: string }>().toExtend<InputTo<typeof get>>();
    // @ts-expect-error -- the organisation is missing
    const forgotten: InputTo<typeof get> = { id: '1' };
    void forgotten;
    // @ts-expect-error -- nothing before it has an organisation
    cap.use(member);
    // @ts-expect-error -- another input
    cap.input(Input).use(member);
    orgCap.input(Input).route('GET', '/orgs/:orgId/things/:id');
    // @ts-expect-error -- the input has no slug
    orgCap.input(Input).route('GET', '/orgs/:orgId/things/:slug');
  });

  it('stands with a group whose path has its fields', () => {
    const get = orgCap(Input, ({ orgId }) => orgId);
    const orgs = group('/orgs/:orgId', { things: { get } });
    expectTypeOf<KeyOf<{ orgs: typeof orgs }>>().toEqualTypeOf<'orgs.things.get'>();
    // @ts-expect-error -- it has no organisation
    group('/orgs/:orgId', { things: { get, other: cap(Input, () => 1) } });
    // @ts-expect-error -- it has no input
    group('/orgs/:orgId', { get: cap(() => 1) });
    const server = () =>
      createServer({
        context: defineContext(() => ({ db: {} as Db, user: undefined })),
        capabilities: { orgs },
      });
    expectTypeOf(server).toBeFunction();
    // @ts-expect-error -- the context has no db
    createServer({ capabilities: { orgs } });
  });
});

describe('middleware of a server', () => {
  const ofTx = capability.withContext<{ tx: Tx }>();
  const addItem = ofTx(Input, ({ id }, ctx) => ctx.tx.insert({ id }));
  const context = defineContext(() => ({ db: {} as Db, user: undefined }));

  it('gives capabilities what the context of the server has not', () => {
    // @ts-expect-error -- nobody adds a transaction
    createServer({ context, capabilities: { addItem } });
    createServer({ context, capabilities: { addItem }, use: [withTransaction] });
    const items = group({ addItem });
    const server = createServer({ context, capabilities: { items }, use: [withTransaction] });
    expectTypeOf<KeyOf<{ items: typeof items }>>().toEqualTypeOf<'items.addItem'>();
    expectTypeOf<InputTo<typeof items.addItem>>().toEqualTypeOf<{ id: string }>();
    void server.invoke({ capability: 'items.addItem', input: { id: '1' } });
    // @ts-expect-error -- the key is another
    void server.invoke({ capability: 'items.add', input: { id: '1' } });
  });

  it('must be given its context by the server', () => {
    // @ts-expect-error -- there is no db
    createServer({ capabilities: {}, use: [withTransaction] });
  });

  it('reads what the context of a plugin, and middleware before it, add', () => {
    const inTransaction = defineMiddleware(({ ctx, next }: MiddlewareCall<{ tx: Tx }>) =>
      next({ rows: ctx.tx }),
    );
    createServer({ context, use: [withTransaction, inTransaction] });
    // @ts-expect-error -- the transaction comes after it
    createServer({ context, use: [inTransaction, withTransaction] });
    const tx = definePlugin({ context: () => ({ tx: {} as Tx }) });
    createServer({ plugins: [tx], use: [inTransaction] });
  });

  it('written in the list has the context that every application has', () => {
    const hello = capability.withContext<{ n: number }>()((_input, ctx) => ctx.n);
    const withN = { hello };
    const use = (): void => {
      createServer({
        capabilities: withN,
        use: [
          defineMiddleware(({ ctx, next }) => next({ n: ctx.requestId.length })),
          withTimeout(5),
        ],
      });
    };
    expectTypeOf(use).toBeFunction();
  });

  it('of one input does not stand around all', () => {
    const ofId = defineMiddleware(({ input, next }: MiddlewareCall<BaseContext, { id: string }>) =>
      next({ of: input.id }),
    );
    // @ts-expect-error -- not every input has an id
    createServer({ use: [ofId] });
  });
});
