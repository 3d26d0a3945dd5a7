// Boundary: anybody, over HTTP. Promise: what a guard refuses is refused by every way to it, and nothing of it is read.
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  type RestOptions,
  restTransport,
  silentLogger,
  toFetchHandler,
  withRateLimit,
} from '../../server-runtime/index.ts';

const context = defineContext(({ headers }) => ({ user: headers['x-user'] }));
const mustBeUser = defineGuard(({ user }: { readonly user: unknown }) => {
  if (user !== 'ada') throw defaultErrors.Unauthorized();
});

function serve(rest: RestOptions = {}) {
  const ran: string[] = [];
  const cap = capability.withContext<{ readonly user: unknown }>();
  const shop = {
    getOrder: cap(z.object({ id: z.string() }), ({ id }) => void ran.push(id), 'query').guard(
      mustBeUser,
    ),
    createOrder: cap(z.object({ name: z.string() }), ({ name }) => void ran.push(name)).guard(
      mustBeUser,
    ),
  };
  const transports = [restTransport({ calls: true, ...rest })];
  const server = createServer({
    context,
    capabilities: { shop },
    transports,
    logger: silentLogger,
  });
  const answer = toFetchHandler(server);
  const ask = (path: string, init?: RequestInit) =>
    answer(new Request(`http://localhost${path}`, init));
  return { ask, ran };
}

const json = { 'content-type': 'application/json' };

describe('a guarded capability', () => {
  it.each([
    ['its route', '/shop/7', {}],
    ['HEAD', '/shop/7', { method: 'HEAD' }],
    ['an encoded path', '/%73hop/7', {}],
    ['an encoded parameter', '/shop/%37', {}],
    ['dots', '/x/../shop/7', {}],
    ['encoded dots', '/x/%2e%2e/shop/7', {}],
    ['a slash at the end', '/shop/7/', {}],
    ['two slashes', '//shop//7', {}],
    ['another case', '/SHOP/7', {}],
    ['a semicolon', '/shop/7;x=1', {}],
    ['a query', '/shop/7?_method=GET&admin=true', {}],
    ['its key', '/_call/shop.getOrder', { method: 'POST', headers: json, body: '{"id":"7"}' }],
    [
      'its key in another case',
      '/_call/SHOP.getorder',
      { method: 'POST', headers: json, body: '{}' },
    ],
    ['a method by a header', '/shop/7', { headers: { 'x-http-method-override': 'GET' } }],
    ['a method that it has not', '/shop/7', { method: 'POST', headers: json, body: '{}' }],
    ['its change', '/shop', { method: 'POST', headers: json, body: '{"name":"a"}' }],
    ['its change as a form', '/shop', { method: 'POST', body: new URLSearchParams({ name: 'a' }) }],
    [
      'an address by a header',
      '/shop/7',
      { headers: { 'x-original-url': '/', 'x-rewrite-url': '/' } },
    ],
  ] as const)('is not reached by %s', async (_what, path, init) => {
    const { ask, ran } = serve();
    const { status } = await ask(path, init as RequestInit);
    expect([400, 401, 403, 404, 405, 415]).toContain(status);
    expect(ran).toEqual([]);
  });

  it('refuses before it reads an input', async () => {
    const { ask } = serve();
    const body = '{"name":'.repeat(10);
    expect((await ask('/shop', { method: 'POST', headers: json, body })).status).toBe(401);
  });
});

describe('a limit counts a capability once, whatever the way to it:', () => {
  it.each([
    ['its route', '/shop/7', {}],
    ['HEAD', '/shop/7', { method: 'HEAD' }],
    ['an encoded path', '/%73hop/7', {}],
    ['an encoded parameter', '/shop/%37', {}],
    ['another parameter', '/shop/8', {}],
    ['a slash at the end', '/shop/7/', {}],
    ['two slashes', '//shop//7', {}],
    ['a query', '/shop/7?x=1', {}],
    ['its key', '/_call/shop.getOrder', { method: 'POST', headers: json, body: '{"id":"7"}' }],
    [
      'another caller of a proxy that nobody trusts',
      '/shop/7',
      { headers: { 'x-forwarded-for': '9.9.9.9' } },
    ],
  ] as const)('%s', async (_what, path, init) => {
    let runs = 0;
    const limit = withRateLimit({ limit: 1, windowMs: 60_000 });
    const getOrder = capability(z.object({ id: z.string() }), () => ++runs, 'query').enhance(limit);
    const server = createServer({ capabilities: { shop: { getOrder } }, logger: silentLogger });
    const answer = toFetchHandler(server, { calls: true });
    const first = await answer(new Request('http://localhost/shop/7'));
    const { status } = await answer(new Request(`http://localhost${path}`, init as RequestInit));
    expect(first.status).toBe(200);
    expect([404, 405, 429]).toContain(status);
    expect(runs).toBe(1);
  });
});

describe('the pages of docs', () => {
  const paths = ['/openapi.json', '/docs'];
  it.each(paths)('%s is for whom the guards of docs let pass', async (path) => {
    const { ask } = serve({ docs: { title: 'Shop', guards: [mustBeUser] } });
    const refused = await ask(path);
    expect(refused.status).toBe(401);
    expect(await refused.text()).not.toContain('getOrder');
    const shown = await ask(path, { headers: { 'x-user': 'ada' } });
    expect(shown.status).toBe(200);
    expect(shown.headers.get('cache-control')).toBe('private, no-store');
    expect(await shown.text()).toContain('Shop');
    expect((await ask(path, { method: 'HEAD' })).status).toBe(401);
  });

  it.each([undefined, null, [undefined], [() => true], 'mustBeUser'])(
    'are refused at the start for the guards %o',
    (guards) => {
      const docs = { guards } as unknown as NonNullable<RestOptions['docs']>;
      expect(() => restTransport({ docs })).toThrow(
        'restTransport({docs}) guards: expected a list',
      );
    },
  );

  it('are public where nothing is said', async () => {
    expect((await serve({ docs: true }).ask('/openapi.json')).status).toBe(200);
  });
});
