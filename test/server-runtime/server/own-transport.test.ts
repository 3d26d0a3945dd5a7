import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type App,
  type ContextOf,
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  reply,
  silentLogger,
  type Transport,
} from '../../../server-runtime/index.ts';

const context = defineContext(({ headers, transport, remoteAddress, requestId }) => ({
  user: headers.authorization,
  from: `${transport} ${remoteAddress} ${requestId}`,
}));
interface Context extends ContextOf<typeof context> {}
const cap = capability.withContext<Context>();
const mustBeUser = defineGuard((ctx: Context) => {
  if (ctx.user === undefined) throw defaultErrors.Unauthorized();
});
const orders = {
  createOrder: cap(z.object({ sku: z.string() }), ({ sku }, ctx) =>
    reply({ sku, ...ctx }, { status: 201 }),
  ),
  getSecret: cap(() => 'secret').guard(mustBeUser),
  wait: cap(
    (_input, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
  ),
};

describe("a transport of one's own", () => {
  it.each([
    [
      'succeeds with the data of a reply',
      { capability: 'orders.createOrder', input: { sku: 'tea' } },
      { ok: true, value: { sku: 'tea' } },
    ],
    [
      'is refused for its input',
      { capability: 'orders.createOrder', input: {} },
      { ok: false, failure: { status: 400, name: 'BadRequest' } },
    ],
    [
      'is refused by a guard',
      { capability: 'orders.getSecret' },
      { ok: false, failure: { status: 401, name: 'Unauthorized' } },
    ],
    [
      'passes a guard by its headers',
      { capability: 'orders.getSecret', headers: { Authorization: 'ada' } },
      { ok: true, value: 'secret' },
    ],
    [
      'finds no such capability',
      { capability: 'orders.pay' },
      { ok: false, failure: { status: 404, name: 'NotFound' } },
    ],
    [
      'ends with its signal',
      { capability: 'orders.wait', signal: AbortSignal.timeout(20) },
      { ok: false, failure: { status: 503 } },
    ],
  ])('hands calls on: one that %s', async (_name, call, outcome) => {
    const { app } = await serve();
    expect(await app.call(call)).toMatchObject(outcome);
  });

  it('says where a call came from', async () => {
    const { app } = await serve();
    const headers = { 'x-request-id': 'r1' };
    const call = {
      capability: 'orders.createOrder',
      input: { sku: 'tea' },
      headers,
      remoteAddress: '10.0.0.7',
    };
    expect(await app.call(call)).toMatchObject({ value: { from: 'queue 10.0.0.7 r1' } });
  });

  it('tells the hooks of its calls', async () => {
    const { app, seen } = await serve();
    await app.call({ capability: 'orders.getSecret' });
    expect(seen).toEqual(['queue orders.getSecret 401']);
  });

  it('exposes its capabilities and tells its routes as data', async () => {
    const { app, started, lines } = await serve();
    expect(app.registry.operations.map(({ key }) => key)).toEqual(
      Object.keys(orders).map((name) => `orders.${name}`),
    );
    expect(started[0]?.routes[0]).toEqual({
      method: 'ON',
      path: 'orders.createOrder',
      key: 'orders.createOrder',
    });
    expect(lines.at(-1)).toBe('  ON    orders.wait         orders.wait');
  });
});

async function serve() {
  let app: App | undefined;
  const queue: Transport = {
    name: 'queue',
    start: async (given) => {
      app = given;
      return {
        routes: given.registry.operations.map(({ key }) => ({ method: 'ON', path: key, key })),
      };
    },
    stop: async () => {},
  };
  const seen: string[] = [];
  const lines: string[] = [];
  const server = createServer({
    context,
    capabilities: { orders },
    transports: [queue],
    logger: { ...silentLogger, info: (line) => lines.push(line) },
    hooks: {
      onResponse: ({ request, capability: key, status }) =>
        void seen.push(`${request.transport} ${key} ${status}`),
    },
  });
  const started = await server.start();
  return { app: app!, started, seen, lines };
}
