import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import {
  capability,
  compileRegistry,
  createServer,
  defaultErrors,
  defineContext,
  defineError,
  defineGuard,
  defineInputGuard,
  definePlugin,
  generateOpenAPI,
  isCapability,
  type Plugin,
  restTransport,
  type Server,
  silentLogger,
} from '../../server-runtime/index.ts';
import { ask, jsonBody } from '../helpers/ask.ts';
import { connectToTools } from '../helpers/connect-to-tools.ts';
import { describeOverSockets, itOverHttp } from '../helpers/every-door.ts';
import { packageRoot } from '../helpers/run-capix.ts';
import { defer, startOverSocket } from '../helpers/start-rest.ts';

const withId = z.object({ id: z.string() });
const invoke = (
  users: Parameters<typeof compileRegistry>[0],
  capabilityKey: string,
  input?: unknown,
) => createServer({ capabilities: users }).invoke({ capability: capabilityKey, input });

describeOverSockets('capability, in detail', () => {
  it('takes a handler, with or without schema before it and intent after it, sync or async', async () => {
    const users = {
      first: capability(() => 1),
      second: capability(async () => 2, 'query'),
      third: capability(withId, ({ id }) => id),
      fourth: capability(withId, async ({ id }) => id, 'delete'),
    };
    const { operations } = compileRegistry({ users });
    expect(operations.map(({ intent }) => intent)).toEqual([
      'mutation',
      'query',
      'mutation',
      'delete',
    ]);
    expect(await invoke({ users }, 'users.second')).toBe(2);
    expect(await invoke({ users }, 'users.fourth', { id: '4' })).toBe('4');
  });

  it('withContext and guard give the same factory: its context is typed, its guards come first', async () => {
    interface Context {
      readonly user: string | undefined;
    }
    const mustBeUser = defineGuard((ctx: Context): asserts ctx is { user: string } => {
      if (ctx.user === undefined) throw defaultErrors.Unauthorized();
    });
    const authCap = capability.withContext<Context>().guard(mustBeUser);
    const users = { getMe: authCap((_input, { user }) => user.toUpperCase()) };
    const context = defineContext(
      ({ headers }): Context => ({ user: headers['x-user'] as string | undefined }),
    );
    const call = createServer({ context, capabilities: { users } }).invoke;
    expect(await call({ capability: 'users.getMe', headers: { 'x-user': 'ann' } })).toBe('ANN');
    await expect(call({ capability: 'users.getMe' })).rejects.toMatchObject({ status: 401 });
  });

  it('is immutable: each method returns a new one', () => {
    const first = capability(withId, ({ id }) => ({ id }));
    const others = [
      first.guard(defineGuard(() => {})),
      first.inputGuard(defineInputGuard(() => {})),
      first.output(withId),
      first.describe('text'),
      first.deprecated({ since: '2026-01-01', sunset: '2027-01-01', use: 'users.other' }),
      first.tool(false),
    ];
    expect(Object.isFrozen(first)).toBe(true);
    expect(new Set([first, ...others]).size).toBe(7);
    const { guards, tool } =
      compileRegistry({ users: { first } }).find('users.first')?.definition ?? {};
    expect({ guards, tool }).toEqual({ guards: [], tool: undefined });
  });

  it('resolve runs guards, validation and handler in the process', async () => {
    const getUser = capability(z.object({ id: z.coerce.number() }), ({ id }) => id + 1);
    expect(await getUser.resolve({ id: '7' }, {})).toBe(8);
    await expect(getUser.resolve({ id: 'x' }, {})).rejects.toMatchObject({
      name: 'BadRequest',
      status: 400,
    });
  });

  it('tool(false) hides it from agents, tool({…}) says how they see it', async () => {
    const users = {
      getMe: capability(() => 1),
      getSecret: capability(() => 1).tool(false),
      getStats: capability(() => 1).tool({ name: 'statistics', description: 'All numbers' }),
    };
    const { tools } = await (await connectToTools({ capabilities: { users } })).listTools();
    expect(tools).toMatchObject([
      { name: 'users_getMe' },
      { name: 'statistics', description: 'All numbers' },
    ]);
  });

  it('update, replace and delete are intents, and imply PATCH, PUT and DELETE', () => {
    const names = ['updateUser', 'replaceUser', 'deleteUser', 'unfollow'];
    const users = Object.fromEntries(names.map((name) => [name, capability(withId, () => 1)]));
    expect(compileRegistry({ users }).operations.map(({ intent }) => intent)).toEqual([
      'update',
      'replace',
      'delete',
      'delete',
    ]);
  });

  it('without an intent: me, status, health, count and check are queries, any other name a mutation', () => {
    const names = ['me', 'status', 'health', 'count', 'check', 'meet', 'publish'];
    const users = Object.fromEntries(names.map((name) => [name, capability(() => 1)]));
    expect(compileRegistry({ users }).operations.map(({ intent }) => intent)).toEqual([
      ...Array.from({ length: 5 }, () => 'query'),
      'mutation',
      'mutation',
    ]);
  });

  it('is recognised across two copies of the package', async () => {
    const copy = (await import(join(packageRoot, 'dist/server-runtime/index.js'))) as {
      readonly capability: typeof capability;
    };
    const getUser = copy.capability(withId, ({ id }) => id);
    expect(copy.capability).not.toBe(capability);
    expect(isCapability(getUser)).toBe(true);
    expect((await ask({ capabilities: { users: { getUser } } }, 'GET /users/7')).body).toEqual({
      data: '7',
    });
  });
});

describeOverSockets('context, in detail', () => {
  itOverHttp(
    'is built from method, path, url, headers in lower case, remoteAddress, requestId, signal and rawBody',
    async () => {
      const context = defineContext(
        ({ method, path, url, headers, remoteAddress, requestId, signal, rawBody }) => ({
          seen: {
            method,
            path,
            url,
            headers,
            remoteAddress,
            requestId,
            rawBody: Buffer.from(rawBody ?? []).toString(),
          },
          hasSignal: signal instanceof AbortSignal,
        }),
      );
      const createUser = capability.withContext<{
        readonly seen: object;
        readonly hasSignal: boolean;
      }>()((_input, { seen, hasSignal }) => ({ ...seen, hasSignal }));
      const { body } = await ask(
        { context, capabilities: { users: { createUser } } },
        'POST /users?a=1',
        {
          body: '{"b":2}',
          headers: { 'X-Key': 'v', 'content-type': 'application/json' },
        },
      );
      expect(body).toMatchObject({
        data: {
          method: 'POST',
          path: '/users',
          url: '/users?a=1',
          headers: { 'x-key': 'v' },
          remoteAddress: expect.stringMatching(/127\.0\.0\.1|::1/),
          requestId: expect.any(String),
          hasSignal: true,
          rawBody: '{"b":2}',
        },
      });
    },
  );

  it('may be built asynchronously', async () => {
    const context = defineContext(async () => ({ user: await Promise.resolve('ann') }));
    const getMe = capability.withContext<{ readonly user: string }>()((_input, { user }) => user);
    expect(
      (await ask({ context, capabilities: { users: { getMe } } }, 'GET /users/me')).body,
    ).toEqual({ data: 'ann' });
  });

  itOverHttp(
    'is {requestId} without a builder, which is the x-request-id of the caller and of the answer',
    async () => {
      const getMe = capability((_input, { requestId }) => requestId);
      const answer = await ask({ capabilities: { users: { getMe } } }, 'GET /users/me', {
        headers: { 'x-request-id': 'abc-1' },
      });
      expect([answer.body, answer.headers.get('x-request-id')]).toEqual([
        { data: 'abc-1' },
        'abc-1',
      ]);
    },
  );

  itOverHttp(
    'has a new requestId where that of the caller is longer than 128 or not visible ASCII',
    async () => {
      const capabilities = { users: { getMe: capability(() => 1) } };
      for (const sent of ['x'.repeat(129), 'a b']) {
        const { headers } = await ask({ capabilities }, 'GET /users/me', {
          headers: { 'x-request-id': sent },
        });
        expect(headers.get('x-request-id')).toMatch(/^[\x21-\x7e]{8,128}$/);
        expect(headers.get('x-request-id')).not.toBe(sent);
      }
    },
  );
});

describeOverSockets('guards and errors, in detail', () => {
  it('a guard declares name, errors and security, which the document lists', () => {
    const mustBeUser = defineGuard(() => {}, {
      name: 'mustBeUser',
      errors: [defaultErrors.Unauthorized],
      security: { type: 'http', scheme: 'bearer' },
    });
    const { paths, components } = generateOpenAPI({
      users: { getMe: capability(() => 1).guard(mustBeUser) },
    });
    const operation = paths['/users/me']?.['get'];
    expect(Object.keys(operation?.responses ?? {})).toContain('401');
    expect(operation?.security).toHaveLength(1);
    expect(Object.values(components?.securitySchemes ?? {})).toEqual([
      { type: 'http', scheme: 'bearer' },
    ]);
  });

  it('an input guard gets input and context after validation', async () => {
    const own = defineInputGuard(
      ({ id }: { readonly id: number }, ctx: { readonly requestId: string }) => {
        throw defaultErrors.Forbidden(`${typeof id} ${typeof ctx.requestId}`);
      },
    );
    const getUser = capability(z.object({ id: z.number() }), () => 1).inputGuard(own);
    expect(await ask({ capabilities: { users: { getUser } } }, 'GET /users/7')).toMatchObject({
      status: 403,
      body: { message: 'number string' },
    });
    expect((await ask({ capabilities: { users: { getUser } } }, 'GET /users/x')).status).toBe(400);
  });

  it("defineError(404, 'NotFound') and (404, 'Not found') give the name NotFound and the message Not found; a code replaces the name", () => {
    for (const text of ['NotFound', 'Not found']) {
      expect(defineError(404, text)()).toMatchObject({
        name: 'NotFound',
        message: 'Not found',
        status: 404,
      });
    }
    expect(defineError(404, 'Not found', 'NoUser')()).toMatchObject({
      name: 'NoUser',
      message: 'Not found',
    });
  });

  it('an error takes meta, which the body has, and a cause, which it has not', async () => {
    const cause = new Error('secret');
    const Taken = defineError(409, 'Taken');
    const getMe = capability(() => {
      throw Taken({ email: 'a' }, { cause });
    });
    expect(Taken({}, { cause })).toMatchObject({ cause });
    expect((await ask({ capabilities: { users: { getMe } } }, 'GET /users/me')).body).toEqual({
      error: 'Taken',
      message: 'Taken',
      meta: { email: 'a' },
    });
  });

  it('defaultErrors has the errors of the framework', () => {
    const statuses = Object.fromEntries(
      Object.entries(defaultErrors).map(([name, { status }]) => [name, status]),
    );
    expect(statuses).toMatchObject({
      BadRequest: 400,
      Unauthorized: 401,
      Forbidden: 403,
      NotFound: 404,
      Conflict: 409,
      PayloadTooLarge: 413,
      UnsupportedMediaType: 415,
      TooManyRequests: 429,
      Internal: 500,
      ServiceUnavailable: 503,
      Timeout: 504,
    });
  });
});

describeOverSockets('plugins and servers, in detail', () => {
  itOverHttp(
    'a plugin adds capabilities, hooks and context, in order after the builder',
    async () => {
      const seen: string[] = [];
      const plugin = definePlugin({
        capabilities: {
          users: {
            getMe: capability.withContext<{ a: number; b: number }>()((_input, { a, b }) => [a, b]),
          },
        },
        context: (_request, ctx: { readonly a: number }) => ({ b: ctx.a + 1 }),
        hooks: { onRequest: ({ path }) => void seen.push(path) },
      });
      const context = defineContext(() => ({ a: 1 }));
      expect((await ask({ context, plugins: [plugin] }, 'GET /users/me')).body).toEqual({
        data: [1, 2],
      });
      expect(seen).toEqual(['/users/me']);
    },
  );

  it('a key that exists twice is an error at start that names both owners', () => {
    const capabilities = { users: { getMe: capability(() => 1) } };
    const [billing, audit] = ['billing', 'audit'].map((name) =>
      definePlugin({ name, capabilities }),
    );
    expect(() => createServer({ plugins: [billing!, audit!] as Plugin[] })).toThrow(
      /billing and audit declare 'users\.getMe'/,
    );
  });

  it('stop drains: it refuses what is new and waits for what is under way', async () => {
    const [begun, held] = [defer(), defer<string>()];
    const getMe = capability(() => {
      begun.resolve();
      return held.promise;
    });
    const { server, request } = await startOverSocket({ capabilities: { users: { getMe } } });
    const answer = request('/users/me');
    await begun.promise;
    const stopped = server.stop();
    held.resolve('done');
    expect(await (await answer).json()).toEqual({ data: 'done' });
    await stopped;
    await expect(request('/users/me')).rejects.toThrow();
  });

  it('start of a server that runs already is an error, and changes nothing; after stop it starts again', async () => {
    const { server, request } = await startOverSocket({
      capabilities: { users: { getMe: capability(() => 1) } },
    });
    await expect(server.start()).rejects.toThrow(/started already.*stop\(\)/);
    expect((await request('/users/me')).status).toBe(200);
    await server.stop();
    const [again] = await server.start();
    expect((await fetch(`${again?.url}/users/me`)).status).toBe(200);
  });

  it('a logger that fails stops no answer', async () => {
    const [fail, written] = [
      () => {
        throw new Error('disk full');
      },
      vi.spyOn(console, 'error').mockImplementation(() => {}),
    ];
    onTestFinished(() => written.mockRestore());
    const getMe = capability(() => {
      throw new Error('bug');
    });
    const logger = { info: () => {}, warn: fail, error: fail };
    expect(
      (await ask({ capabilities: { users: { getMe } }, logger }, 'GET /users/me')).status,
    ).toBe(500);
    expect(written.mock.calls.flat().map(String).join()).toMatch(
      /bug.*The logger failed.*disk full/s,
    );
  });

  it('invoke calls a capability with context and guards, without a transport', async () => {
    const context = defineContext(({ headers }) => ({ user: headers['x-user'] }));
    const getMe = capability.withContext<{ readonly user: unknown }>()((_input, { user }) => user);
    const server = createServer({ context, capabilities: { users: { getMe } } });
    expect(await server.invoke({ capability: 'users.getMe', headers: { 'X-User': 'ann' } })).toBe(
      'ann',
    );
    await expect((server as Server).invoke({ capability: 'users.nobody' })).rejects.toMatchObject({
      status: 404,
    });
  });

  itOverHttp('a transport may have capabilities of its own', async () => {
    const own = { admin: { getStats: capability(() => 'own') } };
    const options = {
      capabilities: { users: { getMe: capability(() => 1) } },
      rest: { capabilities: own },
    };
    expect((await ask(options, 'GET /admin/stats')).body).toEqual({ data: 'own' });
    expect((await ask(options, 'GET /users/me')).status).toBe(404);
  });

  it('hooks see requests, answers and errors; what fails inside them is logged and changes nothing', async () => {
    const seen: string[] = [];
    const fail = (hook: string) => () => {
      seen.push(hook);
      throw new Error(hook);
    };
    const logged: string[] = [];
    const server = createServer({
      capabilities: { users: { getMe: capability(() => 1) } },
      hooks: {
        onRequest: fail('onRequest'),
        onResponse: fail('onResponse'),
        onError: fail('onError'),
      },
      transports: [restTransport({ port: 0 })],
      logger: { ...silentLogger, error: (message) => void logged.push(message) },
    });
    const [started] = await server.start();
    const statuses = [
      await fetch(`${started?.url}/users/me`),
      await fetch(`${started?.url}/nowhere`),
    ].map(({ status }) => status);
    await server.stop();
    expect(statuses).toEqual([200, 404]);
    expect(new Set(seen)).toEqual(new Set(['onRequest', 'onResponse', 'onError']));
    expect(logged.length).toBe(seen.length);
  });

  it('guards come before validation: without a user, bad input is 401', async () => {
    const refuse = defineGuard(() => {
      throw defaultErrors.Unauthorized();
    });
    const createUser = capability(z.object({ name: z.string() }), () => 1).guard(refuse);
    expect(
      (await ask({ capabilities: { users: { createUser } } }, 'POST /users', jsonBody({ name: 7 })))
        .status,
    ).toBe(401);
  });
});
