import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import {
  type ContextOf,
  capability,
  compileRegistry,
  createServer,
  defineContext,
  definePlugin,
  generateOpenAPI,
  type InputTo,
  type KeyOf,
  noContent,
  type OutputFrom,
  type Plugin,
  type RestOptions,
  restTransport,
  type Server,
  type ServerOptions,
  type Transport,
  toFetchHandler,
} from '../../server-runtime/index.ts';
import { mcpTransport } from '../../server-runtime/mcp/index.ts';
import { type TestServer, testServer } from '../../server-runtime/testing/test-server.ts';

interface Db {
  readonly find: (id: string) => string;
}
const context = defineContext(() => ({ db: {} as Db }));
interface Context extends ContextOf<typeof context> {}
const cap = capability.withContext<Context>();
const getUser = cap(z.object({ id: z.string() }), ({ id }, ctx) => ({ id, name: ctx.db.find(id) }));
const listUsers = cap(z.object({ limit: z.number().default(10) }), ({ limit }) => [limit]);
const ping = capability(() => 'pong' as const, 'query');
const capabilities = { users: { getUser, listUsers, admin: { ping } }, ping };

describe('a server', () => {
  const server = createServer({ context, capabilities });

  it('knows its keys, their inputs and their results', async () => {
    expectTypeOf<KeyOf<typeof capabilities>>().toEqualTypeOf<
      'users.getUser' | 'users.listUsers' | 'users.admin.ping' | 'ping'
    >();
    const user = await server.invoke({
      capability: 'users.getUser',
      input: { id: '1' },
      headers: { a: 'b' },
    });
    expectTypeOf(user).toEqualTypeOf<{ id: string; name: string }>();
    expectTypeOf(await server.invoke({ capability: 'users.admin.ping' })).toEqualTypeOf<'pong'>();
    expectTypeOf(await server.invoke({ capability: 'users.listUsers' })).toEqualTypeOf<number[]>();
    expectTypeOf<InputTo<typeof getUser>>().toEqualTypeOf<{ id: string }>();
    expectTypeOf<OutputFrom<typeof getUser>>().toEqualTypeOf<{ id: string; name: string }>();
    // @ts-expect-error: there is no such key
    await server.invoke({ capability: 'users.getUsr', input: { id: '1' } });
    // @ts-expect-error: it is called `id`
    await server.invoke({ capability: 'users.getUser', input: { idd: '1' } });
    // @ts-expect-error: the input is missing
    await server.invoke({ capability: 'users.getUser' });
    // @ts-expect-error: a group is no capability
    await server.invoke({ capability: 'users.admin' });
  });

  it('is a server of whatever capabilities where nobody says which', async () => {
    const any: Server = server;
    const key: string = 'users.getUser';
    expectTypeOf(await any.invoke({ capability: key, input: 1 })).toBeUnknown();
    toFetchHandler(server);
    const start = (options: ServerOptions): Server => createServer({ ...options, timeoutMs: 1 });
    start({ context, capabilities });
    const registry = compileRegistry(capabilities);
    expectTypeOf(createServer({ context, capabilities: registry })).toEqualTypeOf<typeof server>();
  });

  it('must have the context that its capabilities need', () => {
    // @ts-expect-error: there is no context
    createServer({ capabilities });
    // @ts-expect-error: `db` is missing
    createServer({ context: defineContext(() => ({ user: 1 })), capabilities });
    // @ts-expect-error: `db` is something else
    createServer({ context: defineContext(() => ({ db: 'pg' })), capabilities });
    createServer({ capabilities: { ping } });
    createServer({ context: defineContext(() => ({ user: 1 })), capabilities: { ping } });
    createServer({ context: defineContext(async () => ({ db: {} as Db, more: 1 })), capabilities });
    createServer({});
  });

  it('takes a context of several shapes where its capabilities do', () => {
    type Either =
      | { readonly kind: 'a'; readonly a: number }
      | { readonly kind: 'b'; readonly b: number };
    const either = capability.withContext<Either>()((_input, ctx) => ctx.kind);
    createServer({
      context: defineContext((): Either => ({ kind: 'a', a: 1 })),
      capabilities: { either },
    });
    createServer({
      // @ts-expect-error: the context is never `a`
      context: defineContext(() => ({ kind: 'a' as const, b: 1 })),
      capabilities: { either },
    });
  });

  it('takes capabilities and groups of them, and nothing else', () => {
    // @ts-expect-error: a function is no capability
    createServer({ context, capabilities: { users: { getUser, helper: async () => 1 } } });
    // @ts-expect-error: a factory is no capability
    createServer({ context, capabilities: { users: { getUser, cap } } });
    // @ts-expect-error: a promise of a module is no group
    createServer({ context, capabilities: { users: Promise.resolve({ getUser }) } });
    // @ts-expect-error: a list is no group
    createServer({ context, capabilities: [getUser] });
  });

  it('has the transports that its keys and its context fit', () => {
    const method = 'GET' as const;
    createServer({
      context,
      capabilities,
      transports: [restTransport(), mcpTransport(), {} as Transport],
    });
    createServer({
      context,
      capabilities,
      transports: [restTransport({ overrides: { 'users.getUser': { method, path: '/u/:id' } } })],
    });
    createServer({
      context,
      capabilities,
      // @ts-expect-error: there is no such key
      transports: [restTransport({ overrides: { 'users.getUsr': { method, path: '/u/:id' } } })],
    });
    createServer({
      capabilities: { ping },
      // @ts-expect-error: `db` is missing for the transport's own
      transports: [restTransport({ capabilities: { getUser } })],
    });
    createServer({
      capabilities: { ping },
      // @ts-expect-error: `db` is missing for the transport's own
      transports: [mcpTransport({ capabilities: { getUser } })],
    });
    createServer({
      context,
      capabilities: { ping },
      transports: [restTransport({ capabilities: { getUser } })],
    });
    const options: RestOptions = { overrides: { whatever: { method, path: '/' } } };
    createServer({ context, capabilities, transports: [restTransport(options)] });
  });

  it('completes and checks the keys of overrides', () => {
    type Keys = KeyOf<typeof capabilities>;
    void ({
      overrides: { 'users.getUser': { method: 'PUT', path: '/u/:id' } },
    } satisfies RestOptions<Keys>);
    void ({
      // @ts-expect-error: there is no such key
      overrides: { 'users.getUsr': { method: 'GET', path: '/u/:id' } },
    } satisfies RestOptions<Keys>);
    // @ts-expect-error: there is no such method
    void ({ overrides: { ping: { method: 'GETT', path: '/ping' } } } satisfies RestOptions<Keys>);
    // @ts-expect-error: a path begins with a slash
    void ({ overrides: { ping: { method: 'get', path: 'ping' } } } satisfies RestOptions<Keys>);
    // @ts-expect-error: there is no such key
    generateOpenAPI(capabilities, { overrides: { pong: { method: 'GET', path: '/ping' } } });
  });

  it('knows the replacement of what is deprecated', () => {
    const old = capability(() => 1).deprecated({ since: '2026-01-01', use: 'users.ping' });
    createServer({ capabilities: { users: { old, ping } } });
    createServer({
      capabilities: { users: { old: ping.deprecated({ since: '2026-01-01' }), ping } },
    });
    // @ts-expect-error: there is no `users.ping`
    createServer({ capabilities: { users: { old }, ping } });
  });
});

describe('a plugin', () => {
  const audit = definePlugin({ context: () => ({ audit: (_event: string): void => {} }) });
  const pay = capability.withContext<{ readonly audit: (event: string) => void }>()((_input, ctx) =>
    ctx.audit('x'),
  );

  it('adds its capabilities and to the context', async () => {
    createServer({ capabilities: { orders: { pay } }, plugins: [audit] });
    // @ts-expect-error: `audit` is missing
    createServer({ capabilities: { orders: { pay } } });
    const billing = definePlugin({ capabilities: { billing: { ping } } });
    const server = createServer({ capabilities: { orders: { pay } }, plugins: [audit, billing] });
    expectTypeOf(await server.invoke({ capability: 'billing.ping' })).toEqualTypeOf<'pong'>();
  });

  it('may read the context of the builder and of the plugins before it', () => {
    const reader = definePlugin({
      context: (_request, ctx: Context) => ({ name: ctx.db.find('1') }),
    });
    createServer({ context, plugins: [reader] });
    // @ts-expect-error: `db` is missing
    createServer({ plugins: [reader] });
    definePlugin({ context: (_request, ctx) => ({ id: ctx.requestId }) });
  });

  it('that may add nothing adds perhaps', () => {
    const perhaps = definePlugin({
      context: () => (Math.random() > 0.5 ? { tenant: 'a' } : undefined),
    });
    const strict = capability.withContext<{ readonly tenant: string }>()(
      (_input, ctx) => ctx.tenant,
    );
    const loose = capability.withContext<{ readonly tenant?: string }>()(
      (_input, ctx) => ctx.tenant,
    );
    createServer({ capabilities: { a: { loose } }, plugins: [perhaps] });
    // @ts-expect-error: `tenant` may be missing
    createServer({ capabilities: { a: { strict } }, plugins: [perhaps] });
  });

  it('declares nothing that another declares', () => {
    const pinging = definePlugin({ capabilities: { users: { ping } } });
    // @ts-expect-error: both declare `users.ping`
    createServer({ capabilities: { users: { ping } }, plugins: [pinging] });
    createServer({
      context,
      capabilities,
      // @ts-expect-error: both set `db`
      plugins: [definePlugin({ context: () => ({ db: 1 }) })],
    });
    createServer({
      capabilities: { users: { ping } },
      plugins: [definePlugin({ capabilities: { users: { pong: ping } } })],
    });
  });

  it('of a list that the compiler does not know one by one is not checked', () => {
    const plugins: readonly Plugin[] = [audit];
    createServer({ capabilities: { orders: { pay } }, plugins });
  });
});

describe('a capability that does not compile', () => {
  it('says its own mistake, and its server none', () => {
    // @ts-expect-error: it is no function
    const setPhoto = capability.output(noContent())(() => {});
    createServer({ capabilities: { users: { setPhoto } } });
  });
});

describe('a test server', () => {
  it('is typed as a server is', async () => {
    const api = await testServer({
      context,
      capabilities,
      rest: { overrides: { ping: { method: 'PUT', path: '/p' } } },
    });
    expectTypeOf(
      await api.invoke({ capability: 'users.listUsers', input: { limit: 1 } }),
    ).toEqualTypeOf<number[]>();
    const any: TestServer = api;
    void any;
    // @ts-expect-error: there is no such key
    await api.invoke({ capability: 'users.none' });
    // @ts-expect-error: `db` is missing
    await testServer({ capabilities });
    await testServer({
      context,
      capabilities,
      // @ts-expect-error: there is no such key
      rest: { overrides: { pong: { method: 'PUT', path: '/p' } } },
    });
  });
});
