import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CAPABILITY } from '../../../server-runtime/capability/capability.ts';
import {
  capability,
  defaultErrors,
  defineGuard,
  defineInputGuard,
  defineMiddleware,
  withTimeout,
} from '../../../server-runtime/index.ts';

const schema = z.object({ id: z.string() });
const ctx = { requestId: 'r' };

describe('a factory', () => {
  it('gives each of its capabilities its guards, input guards, enhancers and errors, before their own', () => {
    const names = ['a', 'b'] as const;
    const [first, second] = names.map((name) => defineGuard(() => {}, { name }));
    const [early, late] = names.map((name) => defineInputGuard(() => {}, { name }));
    const [outer, inner] = names.map((name) => defineMiddleware(({ next }) => next(), { name }));
    const cap = capability
      .guard(first!)
      .inputGuard(early!)
      .enhance(outer!)
      .errors(defaultErrors.Conflict);
    const made = cap(schema, ({ id }) => id)
      .guard(second!)
      .inputGuard(late!)
      .enhance(inner!)
      .errors(defaultErrors.NotFound);
    expect(made[CAPABILITY]).toMatchObject({
      guards: [first, second],
      inputGuards: [early, late],
      enhancers: [outer, inner],
      errors: [defaultErrors.Conflict, defaultErrors.NotFound],
    });
    expect(capability(schema, () => 1)[CAPABILITY].guards).toEqual([]);
  });

  it('declares the answer before the handler', async () => {
    const User = z.object({ id: z.string() });
    const getUser = capability.input(schema).output(User)(({ id }) => ({ id }), 'query');
    expect(getUser[CAPABILITY]).toMatchObject({ output: User, intent: 'query' });
    expect(await getUser.resolve({ id: '1' }, ctx)).toEqual({ id: '1' });
  });

  it('declares everything before the handler, as behind it', async () => {
    const inputGuard = defineInputGuard(({ id }: { id: string }) => {
      if (id === '0') throw defaultErrors.Forbidden();
    });
    const parts = {
      description: 'Get a user',
      routes: [{ method: 'GET', path: '/u/:id' }],
      cacheControl: 'no-store',
      deprecation: { use: 'users.find' },
      tool: { title: 'User' },
      output: schema,
      intent: 'query',
      schema,
      errors: [defaultErrors.NotFound],
      inputGuards: [inputGuard],
      sent: [{ field: 'id', in: 'header', name: 'x-id' }],
      resources: [{ uri: 'user://{id}' }],
      prompt: { title: 'Ask' },
    };
    const first = capability
      .input(schema)
      .inputGuard(inputGuard)
      .errors(defaultErrors.NotFound)
      .route('GET', '/u/:id')
      .takes({ headers: { id: 'x-id' } })
      .cacheControl('no-store')
      .describe('Get a user')
      .deprecated({ use: 'users.find' })
      .tool({ title: 'User' })
      .resource('user://{id}')
      .prompt({ title: 'Ask' })
      .output(schema)(({ id }) => ({ id }), 'query');
    expect(first[CAPABILITY]).toMatchObject(parts);
    expect(await first.resolve({ id: '1' }, ctx)).toEqual({ id: '1' });
    await expect(first.resolve({ id: '0' }, ctx)).rejects.toThrow('Forbidden');
    await expect(first.resolve({ id: 1 as never }, ctx)).rejects.toThrow('Input validation failed');
  });

  it('takes a schema, and then a handler', () => {
    const input = capability.input as (schema: unknown) => (...args: unknown[]) => unknown;
    expect(() => input({ id: 'x' })).toThrow('.input: expected a schema, got object.');
    expect(() => input(schema)({})).toThrow(
      'capability: expected a handler function after the schema, got object.',
    );
  });

  it('hands what an enhancer adds to the context on to the handler', async () => {
    const withTx = defineMiddleware(({ next }) => next({ tx: 'open' }));
    const write = capability.enhance(withTx)(schema, ({ id }, { tx }) => `${id} ${tx}`);
    expect(await write.resolve({ id: '1' }, ctx)).toBe('1 open');
  });

  it('keeps its steps with another context', () => {
    const cap = capability.enhance(withTimeout(5)).withContext<{ readonly db: string }>();
    expect(cap(() => 1)[CAPABILITY].enhancers).toHaveLength(1);
  });

  it.each([
    [
      'a guard',
      () => capability.guard((() => {}) as never),
      '.guard: expected defineGuard(…), got function.',
    ],
    [
      'an input guard',
      () => capability.inputGuard({} as never),
      '.inputGuard: expected defineInputGuard(…)',
    ],
    [
      'an enhancer',
      () => capability.enhance(withTimeout as never),
      '.enhance: expected an enhancer such as',
    ],
    [
      'an error',
      () => capability.errors('x' as never),
      ".errors: expected errors made with defineError(…), got 'x'.",
    ],
    [
      'a schema',
      () => capability.output({} as never),
      '.output: expected a schema or a content such as noContent, got object.',
    ],
  ])('refuses what is not %s', (_name, declare, message) => {
    expect(declare).toThrow(message);
  });
});

describe('an asynchronous guard with `narrows`', () => {
  interface Context {
    user?: string;
  }
  const mustHaveUser = defineGuard(
    async (context: Context) => {
      if (context.user === 'asleep') throw defaultErrors.Conflict();
    },
    {
      narrows: (context: Context): asserts context is Context & { user: string } => {
        if (context.user === undefined) throw defaultErrors.Unauthorized();
      },
    },
  );
  const whoAmI = capability.withContext<Context>().guard(mustHaveUser)((_input, context) =>
    context.user.toUpperCase(),
  );

  it('runs its function, then what narrows, then the handler', async () => {
    expect(await whoAmI.resolve({}, { user: 'ada' })).toBe('ADA');
    await expect(whoAmI.resolve({}, { user: 'asleep' })).rejects.toMatchObject({ status: 409 });
    await expect(whoAmI.resolve({}, {})).rejects.toMatchObject({ status: 401 });
  });
});
