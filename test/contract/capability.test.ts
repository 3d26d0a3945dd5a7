import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  compileRegistry,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  generateOpenAPI,
  restTransport,
  silentLogger,
  uploadedFile,
  withCache,
  withCircuitBreaker,
  withRateLimit,
  withTimeout,
} from '../../server-runtime/index.ts';
import { ask, jsonBody } from '../helpers/ask.ts';
import { describeOverSockets, itOverHttp } from '../helpers/every-door.ts';

const withId = z.object({ id: z.string() });

describeOverSockets('capability', () => {
  it('is declared once and answers over HTTP, in the process and in the document alike', async () => {
    const capabilities = { users: { getUser: capability(withId, async ({ id }) => ({ id })) } };
    expect(await ask({ capabilities }, 'GET /users/7')).toMatchObject({
      status: 200,
      body: { data: { id: '7' } },
    });
    const server = createServer({ capabilities });
    expect(await server.invoke({ capability: 'users.getUser', input: { id: '7' } })).toEqual({
      id: '7',
    });
    expect(generateOpenAPI(server.registry).paths).toHaveProperty('/users/{id}.get');
  });

  it('has the key <group>.<name>, taken from the registry', () => {
    const { operations } = compileRegistry({ users: { getUser: capability(() => 1) } });
    expect(operations.map(({ key }) => key)).toEqual(['users.getUser']);
  });

  it('takes string, number, boolean, enum, optional, default, nullable and file fields in its input schema', async () => {
    const input = z.object({
      text: z.string(),
      number: z.number(),
      boolean: z.boolean(),
      choice: z.enum(['a', 'b']),
      maybe: z.string().optional(),
      byDefault: z.number().default(3),
      orNull: z.string().nullable(),
      file: uploadedFile().optional(),
    });
    const capabilities = { things: { createThing: capability(input, (value) => value) } };
    const sent = { text: 't', number: 1, boolean: true, choice: 'b', orNull: null };
    expect(await ask({ capabilities }, 'POST /things', jsonBody(sent))).toMatchObject({
      status: 200,
      body: { data: { ...sent, byDefault: 3 } },
    });
  });

  itOverHttp(
    'hands its async handler the validated input and the context, and answers with what it returns',
    async () => {
      const context = defineContext(({ method }) => ({ method }));
      const getUser = capability.withContext<{ readonly method: string }>()(
        z.object({ id: z.coerce.number() }),
        async ({ id }, { method }) => ({ id, method }),
      );
      expect(
        await ask({ context, capabilities: { users: { getUser } } }, 'GET /users/7'),
      ).toMatchObject({
        body: { data: { id: 7, method: 'GET' } },
      });
    },
  );

  it('takes its intent as the third argument, which routes names that no prefix matches', async () => {
    const capabilities = {
      users: {
        ranking: capability(z.object({}), () => 'read', 'query'),
        archive: capability(z.object({}), () => 'written', 'mutation'),
      },
    };
    expect((await ask({ capabilities }, 'GET /users/ranking')).body).toEqual({ data: 'read' });
    expect((await ask({ capabilities }, 'POST /users/archive')).body).toEqual({ data: 'written' });
  });

  it('gets guards by .guard, which run before the handler', async () => {
    const refuse = defineGuard(() => {
      throw defaultErrors.Forbidden();
    });
    let handled = false;
    const getUser = capability(withId, () => (handled = true)).guard(refuse);
    expect(await ask({ capabilities: { users: { getUser } } }, 'GET /users/7')).toMatchObject({
      status: 403,
    });
    expect(handled).toBe(false);
  });

  it('gets enhancers by .enhance: timeout, cache, rate limit, circuit breaker', async () => {
    const getUser = capability(withId, ({ id }) => id)
      .enhance(withTimeout(120_000))
      .enhance(withRateLimit({ limit: 1, windowMs: 60_000 }))
      .enhance(withCircuitBreaker())
      .enhance(withCache({ ttlMs: 1000 }));
    const server = createServer({ capabilities: { users: { getUser } } });
    const call = () => server.invoke({ capability: 'users.getUser', input: { id: '7' } });
    expect(await call()).toBe('7');
    await expect(call()).rejects.toMatchObject({ name: 'TooManyRequests', status: 429 });
  });

  it('without an intent has the one of its name, else mutation', () => {
    const { operations } = compileRegistry({
      users: { getUser: capability(withId, () => 1), ban: capability(withId, () => 1) },
    });
    expect(operations.map(({ intent }) => intent)).toEqual(['query', 'mutation']);
  });

  it('is exposed as a route of HTTP/1.1 with nothing but its name', async () => {
    const transport = restTransport({ port: 0 });
    const capabilities = { users: { getUser: capability(withId, () => 1) } };
    const server = createServer({ capabilities, transports: [transport], logger: silentLogger });
    const [started] = await server.start();
    await server.stop();
    expect(started?.routes).toEqual([{ method: 'GET', path: '/users/:id', key: 'users.getUser' }]);
  });
});
