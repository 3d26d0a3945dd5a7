import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import {
  type BaseContext,
  type ContextOf,
  capability,
  defaultErrors,
  defineContext,
  defineGuard,
  defineInputGuard,
} from '../../server-runtime/index.ts';

interface User {
  readonly id: string;
  readonly role: 'admin' | 'member';
}
interface Context {
  readonly user?: User;
  readonly db: { readonly find: (id: string) => string };
}
const mustBeUser = defineGuard((ctx: Context): asserts ctx is Context & { user: User } => {
  if (ctx.user === undefined) throw defaultErrors.Unauthorized();
});
const mustBeAdmin = defineGuard((ctx: { readonly user: User }) => {
  if (ctx.user.role !== 'admin') throw defaultErrors.Forbidden();
});

describe('a stated route', () => {
  const input = z.object({ slug: z.string(), id: z.string() });
  it('has parameters that are fields of the input', () => {
    capability(input, () => 1)
      .route('PUT', '/articles/:slug/comments/:id')
      .route('patch', '/a/*slug');
    capability(() => 1).route('GET', '/any/:thing');
    // @ts-expect-error: the input has no name
    capability(input, () => 1).route('PUT', '/articles/:name');
    // @ts-expect-error: a path begins with a slash
    capability(input, () => 1).route('PUT', 'articles/:slug');
    // @ts-expect-error: there is no such method
    capability(input, () => 1).route('FETCH', '/articles/:slug');
  });
});

describe('the types of a capability', () => {
  it('infers the input of the handler from the schema, after defaults and transforms', () => {
    const cap = capability(
      z.object({
        id: z.string(),
        limit: z.number().default(10),
        at: z.string().transform((text) => new Date(text)),
      }),
      (input) => {
        expectTypeOf(input).toEqualTypeOf<{ id: string; limit: number; at: Date }>();
        return input.limit;
      },
    );
    expectTypeOf(cap.resolve)
      .parameter(0)
      .toEqualTypeOf<{ id: string; at: string; limit?: number | undefined }>();
    expectTypeOf(cap.resolve).returns.resolves.toEqualTypeOf<number>();
  });

  it('gives a handler without a schema the raw fields', () => {
    capability((input, ctx) => {
      expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>();
      expectTypeOf(ctx).toEqualTypeOf<BaseContext>();
    });
  });

  it('takes what an asynchronous handler resolves to as the output', () => {
    const cap = capability(async () => ({ id: '1' }), 'query');
    expectTypeOf(cap.resolve).returns.resolves.toEqualTypeOf<{ id: string }>();
  });

  it('gives ctx the type of withContext', () => {
    capability.withContext<Context>()(z.object({}), (_input, ctx) => {
      expectTypeOf(ctx).toEqualTypeOf<Context>();
    });
  });

  it('takes the context from its builder, with the signal', () => {
    const context = defineContext(async (request) => ({
      user: request.headers['x-user'] as string | undefined,
    }));
    expectTypeOf<ContextOf<typeof context>>().toEqualTypeOf<
      { user: string | undefined } & BaseContext
    >();
  });

  it('narrows ctx by asserting guards that come first', () => {
    capability.withContext<Context>().guard(mustBeUser).guard(mustBeAdmin)(
      z.object({ id: z.string() }),
      (input, ctx) => {
        expectTypeOf(ctx.user).toEqualTypeOf<User>();
        expectTypeOf(ctx.db.find(input.id)).toEqualTypeOf<string>();
        return ctx.user.role;
      },
    );
  });

  it('does not narrow ctx by a guard that comes after', () => {
    capability
      .withContext<Context>()((_input, ctx) => {
        expectTypeOf(ctx.user).toEqualTypeOf<User | undefined>();
      })
      .guard(mustBeUser);
  });

  it('asks resolve for the context that handler and guards need, without the signal', () => {
    const cap = capability(() => 1).guard(mustBeUser);
    expectTypeOf(cap.resolve).parameter(1).toHaveProperty('db');
    expectTypeOf<{ db: Context['db'] }>().toExtend<Parameters<typeof cap.resolve>[1]>();
  });

  it('gives input guards the validated input', () => {
    capability
      .withContext<Context>()(z.object({ id: z.coerce.number() }), () => 1)
      .inputGuard(
        defineInputGuard((input: { id: number }, ctx: Context) => {
          expectTypeOf(input.id).toEqualTypeOf<number>();
          expectTypeOf(ctx.db.find).toBeFunction();
        }),
      );
    const needsName = defineInputGuard((input: { name: string }) => void input);
    // @ts-expect-error: the input has no `name`
    capability(z.object({ id: z.string() }), () => 1).inputGuard(needsName);
  });

  it('checks the output schema against what the handler gives', () => {
    capability(() => ({ id: '1', extra: true })).output(z.object({ id: z.string() }));
    // @ts-expect-error: the handler gives a string
    capability(() => 'x').output(z.number());
  });

  it('refuses an unknown intent', () => {
    // @ts-expect-error: there is no intent `read`
    capability(() => 1, 'read');
  });
});
