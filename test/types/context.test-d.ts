import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import {
  type BaseContext,
  type Capability,
  type ContextOf,
  capability,
  defaultErrors,
  defineContext,
  defineGuard,
  defineInputGuard,
  defineMiddleware,
  type Enhancer,
  type ErrorFactory,
  type Guard,
  type MiddlewareCall,
  reply,
  withCache,
  withRateLimit,
  withTimeout,
} from '../../server-runtime/index.ts';
import { mockContext } from '../../server-runtime/testing/test-server.ts';

interface User {
  readonly id: string;
}
interface Db {
  readonly find: (id: string) => string;
}
const context = defineContext(() => ({ db: {} as Db, user: undefined as User | undefined }));
interface Context extends ContextOf<typeof context> {}
const mustBeUser = defineGuard(
  (ctx: Context): asserts ctx is Context & { user: User } => {
    if (ctx.user === undefined) throw defaultErrors.Unauthorized();
  },
  { errors: [defaultErrors.Unauthorized] },
);
const ofSession = defineGuard((ctx: { readonly session: string }) => void ctx.session);
const cap = capability.withContext<Context>();
const authCap = cap.guard(mustBeUser);
const Input = z.object({ id: z.string() });

describe('what a capability needs of its context, and what its guards narrow', () => {
  it('are told apart: the handler gets the narrowed context, `resolve` takes the one that is needed', () => {
    const getIt = authCap(Input, (_input, ctx) => {
      expectTypeOf(ctx).toEqualTypeOf<Context & { user: User }>();
      return ctx.user.id;
    });
    expectTypeOf<{ db: Db; user: undefined }>().toExtend<Parameters<typeof getIt.resolve>[1]>();
    void (() => getIt.resolve({ id: '1' }, mockContext({ db: {} as Db, user: undefined })));
    // @ts-expect-error: `db` is missing
    void (() => getIt.resolve({ id: '1' }, mockContext({ user: undefined })));
    // @ts-expect-error: both are missing
    void (() => getIt.resolve({ id: '1' }, mockContext()));
  });

  it('a guard of another context does not fit, on a factory or on a capability', () => {
    // @ts-expect-error: `session` is missing
    cap.guard(ofSession);
    // @ts-expect-error: `session` is missing
    cap(Input, () => 1).guard(ofSession);
    // @ts-expect-error: the user is no string
    cap.guard(defineGuard((ctx: { readonly user: string }) => void ctx.user));
  });

  it('without a context of its own, factory and capability take any guard and need what it needs', () => {
    const guarded = capability(() => 1)
      .guard(mustBeUser)
      .guard(ofSession);
    expectTypeOf(guarded.resolve).parameter(1).toHaveProperty('session');
    expectTypeOf(guarded.resolve).parameter(1).toHaveProperty('db');
    capability.guard(mustBeUser)((_input, ctx) => {
      expectTypeOf(ctx.user).toEqualTypeOf<User>();
    });
  });

  it('an asynchronous guard narrows by `narrows`', () => {
    const mustExist = defineGuard(async (ctx: Context) => void ctx.user, {
      narrows: (ctx: Context): asserts ctx is Context & { user: User } => void ctx,
    });
    cap.guard(mustExist)((_input, ctx) => {
      expectTypeOf(ctx).toEqualTypeOf<Context & { user: User }>();
    });
  });

  it('a guard that asserts nothing says so', () => {
    const plain = defineGuard((ctx: Context) => void ctx.user);
    expectTypeOf(plain).toEqualTypeOf<Guard<Context, unknown, never>>();
    expectTypeOf(defineGuard(async (ctx: Context) => void ctx.user)).toEqualTypeOf<
      Guard<Context, unknown, never>
    >();
  });

  it('stays narrowed with another context beside it', () => {
    authCap.withContext<{ readonly banana: number }>()((_input, ctx) => {
      expectTypeOf(ctx.user).toEqualTypeOf<User>();
      expectTypeOf(ctx.banana).toEqualTypeOf<number>();
    });
  });

  it('keeps the members of a union', () => {
    type Either =
      | { readonly kind: 'a'; readonly a: number }
      | { readonly kind: 'b'; readonly b: number };
    const either = capability.withContext<Either>()((_input, ctx) =>
      ctx.kind === 'a' ? ctx.a : ctx.b,
    );
    void (() => either.resolve({}, { kind: 'a', a: 1 }));
    void (() => either.resolve({}, mockContext({ kind: 'b' as const, b: 1 })));
    // @ts-expect-error: `b` belongs to the other
    void (() => either.resolve({}, { kind: 'a', b: 1 }));
  });

  it('has what every context has', () => {
    expectTypeOf<ContextOf<typeof context>>().toEqualTypeOf<
      { db: Db; user: User | undefined } & BaseContext
    >();
  });
});

describe('an enhancer', () => {
  it('gets the input and the narrowed context of the capability where it is written there', () => {
    authCap(Input, () => 1)
      .enhance(withCache({ ttlMs: 1, scope: (ctx) => ctx.user.id, key: ({ id }) => id }))
      .enhance(withRateLimit({ limit: 1, windowMs: 1, by: ({ id }, ctx) => id + ctx.user.id }))
      .enhance(
        defineMiddleware(async ({ input, ctx, next }) => {
          expectTypeOf(input).toEqualTypeOf<{ id: string }>();
          expectTypeOf(ctx).toEqualTypeOf<Context & { user: User }>();
          return reply(await next(), { headers: { etag: 'x' } });
        }),
      )
      .inputGuard(defineInputGuard(({ id }, ctx) => void [id, ctx.user.id]));
  });

  it('of another context or input does not fit', () => {
    const byTenant = withCache({
      ttlMs: 1,
      scope: (ctx: { readonly tenantId: string }) => ctx.tenantId,
    });
    // @ts-expect-error: `tenantId` is missing
    cap(Input, () => 1).enhance(byTenant);
    // @ts-expect-error: `tenantId` is missing
    cap.enhance(byTenant);
    const byName = withRateLimit({
      limit: 1,
      windowMs: 1,
      by: ({ name }: { readonly name: string }) => name,
    });
    // @ts-expect-error: `name` is missing
    cap(Input, () => 1).enhance(byName);
    expectTypeOf(withTimeout(1)).toExtend<Enhancer>();
  });

  it('adds to the context of what is behind it', () => {
    const withTx = defineMiddleware(({ next }: MiddlewareCall<Context>) => next({ tx: 'open' }));
    const txCap = authCap.enhance(withTx).errors(defaultErrors.Conflict);
    const write = txCap(Input, (_input, ctx) => {
      expectTypeOf(ctx.tx).toEqualTypeOf<string>();
      expectTypeOf(ctx.user).toEqualTypeOf<User>();
    });
    // What it adds is not asked of a caller.
    void (() => write.resolve({ id: '1' }, mockContext({ db: {} as Db, user: undefined })));
    cap((_input, ctx) => {
      // @ts-expect-error: this factory has no transaction
      void ctx.tx;
    });
  });

  it('in a loop keeps the type of the capability', () => {
    const all: readonly Enhancer[] = [withTimeout(1), withTimeout(2)];
    const looped = all.reduce(
      (each, enhancer) => each.enhance(enhancer),
      cap(Input, () => 1),
    );
    expectTypeOf(looped.resolve).returns.resolves.toEqualTypeOf<number>();
  });
});

describe('an error factory', () => {
  it('of the errors that a guard, an enhancer and the capability declare are in its type', () => {
    type DeclaredOf<C> =
      C extends Capability<infer _S extends z.ZodType, infer _O, infer _C, infer _N, infer D>
        ? D
        : never;
    type Names<C> = Extract<DeclaredOf<C>, ErrorFactory>['errorName'];
    const declared = authCap(Input, () => 1)
      .errors(defaultErrors.NotFound)
      .enhance(withRateLimit({ limit: 1, windowMs: 1 }));
    expectTypeOf<Names<typeof declared>>().toEqualTypeOf<
      'Unauthorized' | 'NotFound' | 'TooManyRequests'
    >();
  });
});
