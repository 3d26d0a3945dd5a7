import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  compileRegistry,
  createServer,
  defaultErrors,
  defineContext,
  defineMiddleware,
  definePlugin,
  generateOpenAPI,
  group,
  type MiddlewareCall,
  restTransport,
  toFetchHandler,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { testServer } from '../../../server-runtime/testing/test-server.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';
import { startSockets } from '../../helpers/start-web-sockets.ts';

/** Middleware that writes down where it stands, and hands on a list of those that it is behind. */
const named = (name: string, log: string[]) =>
  defineMiddleware(async ({ operation, next }) => {
    log.push(`${name} ${operation.key}`);
    return next({ [name]: true });
  });

const keysOf = capability(
  (_input, ctx) => Object.keys(ctx).filter((key) => !(key === 'requestId' || key === 'signal')),
  'query',
);

describe('middleware of a server, factories and capabilities', () => {
  it('stands around handlers in this order, at every door', async () => {
    const log: string[] = [];
    const listKeys = capability
      .use(named('factory', log))((_input, ctx) => Object.keys(ctx), 'query')
      .use(named('own', log));
    const options = {
      capabilities: { inner: { deep: { listKeys } } },
      use: [named('server', log)],
    } as const;
    const api = await testServer(options);
    onTestFinished(api.stop);
    const order = ['server', 'factory', 'own'];
    const told = order.map((name) => `${name} inner.deep.listKeys`);
    const response = await api.fetch('/inner/deep');
    expect(await response.json()).toEqual({ data: ['requestId', 'log', 'signal', ...order] });
    expect(log.splice(0)).toEqual(told);
    await api.invoke({ capability: 'inner.deep.listKeys' });
    expect(log.splice(0)).toEqual(told);
    await (await (await startSockets(options)).open()).ask('inner.deep.listKeys');
    expect(log.splice(0)).toEqual(told);
    await (await connectToTools(options)).callTool({ name: 'inner_deep_listKeys' });
    expect(log.splice(0)).toEqual(told);
    await toFetchHandler(createServer({ ...options, transports: [restTransport({})] }))(
      new Request('http://x/inner/deep'),
    );
    expect(log).toEqual(told);
  });

  it('stands around the capabilities that a transport has of its own', async () => {
    const own = { keysOf };
    const server = createServer({
      transports: [restTransport({ capabilities: own })],
      use: [named('server', [])],
    });
    const response = await toFetchHandler(server)(new Request('http://x/keys-of'));
    expect(await response.json()).toEqual({ data: ['log', 'server'] });
  });

  it('leaves the capabilities as they were', async () => {
    const log: string[] = [];
    const registry = compileRegistry({ keysOf });
    createServer({ capabilities: registry, use: [named('server', log)] });
    expect(await keysOf.resolve({}, { requestId: '1' })).toEqual([]);
    const server = createServer({ capabilities: registry });
    expect(await server.invoke({ capability: 'keysOf' })).toEqual([]);
  });

  it('gives what capabilities declare to need, and its errors and timeout are theirs', async () => {
    const withTenant = defineMiddleware(
      ({ ctx, next }: MiddlewareCall<{ host: string }>) => next({ tenant: ctx.host }),
      { errors: [defaultErrors.Conflict] },
    );
    const getTenant = capability.withContext<{ tenant: string }>()(
      z.object({}),
      (_input, ctx) => ctx.tenant,
      'query',
    );
    const context = defineContext(({ headers }) => ({ host: String(headers['x-tenant']) }));
    const server = createServer({
      context,
      capabilities: { tenants: { getTenant } },
      use: [withTenant, withTimeout(5)],
    });
    const document = generateOpenAPI(server.registry);
    expect(Object.keys(document.paths['/tenants']?.['get']?.responses ?? {})).toEqual(
      expect.arrayContaining(['409', '504']),
    );
    const answer = server.invoke({
      capability: 'tenants.getTenant',
      headers: { 'X-Tenant': 'acme' },
    });
    expect(await answer).toBe('acme');
  });

  it('keeps the order in which the capabilities of a module were declared', () => {
    const second = capability(() => 2);
    const first = capability(() => 1);
    const namespace = Object.defineProperties(
      {},
      {
        first: { get: () => first, enumerable: true },
        second: { get: () => second, enumerable: true },
      },
    );
    const keys = compileRegistry(group(namespace)).operations.map(({ key }) => key);
    expect(keys).toEqual(['second', 'first']);
  });

  it('is refused where it is not one, and names the place', () => {
    const wrong = [() => 1] as never;
    expect(() => createServer({ use: wrong } as never)).toThrow(
      'createServer use: expected a list of what defineMiddleware(…) makes',
    );
    expect(() => createServer({ use: withTimeout(5) } as never)).toThrow('got object');
    expect(() => definePlugin({ use: [] } as never)).toThrow('definePlugin has no option `use`.');
    expect(() => group({ keysOf }, { use: [] } as never)).toThrow('group has no option `use`.');
    expect(() => group(keysOf.resolve as never)).toThrow('group: expected a group');
  });
});
