// Boundary: pages of other sites, with the cookies of their visitor. Promises: they change nothing, read nothing with
// cookies, and no cache gives the answer of one user to another.
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  compileRegistry,
  createServer,
  defineGuard,
  type GroupTree,
  type RestOptions,
  reply,
  restTransport,
  toFetchHandler,
} from '../../server-runtime/index.ts';
import { recordLog } from '../helpers/start-rest.ts';

function serve(rest: RestOptions = {}) {
  const ran: string[] = [];
  const run = (name: string) => () => {
    ran.push(name);
    return name;
  };
  const items = {
    listItems: capability(run('list'), 'query'),
    createItem: capability(z.object({ name: z.string().optional() }), run('create')),
    removeAll: capability(run('removeAll'), 'mutation').route('POST', '/items/remove-all'),
    wipe: capability(run('wipe'), 'mutation').route('GET', '/wipe'),
    purge: capability(run('purge')),
    callback: capability(run('callback'), 'query').route('GET', '/callback'),
  };
  const overrides = { 'items.purge': { method: 'GET', path: '/purge' } } as const;
  const transports = [restTransport({ calls: true, overrides, ...rest })];
  const answer = toFetchHandler(
    createServer({ capabilities: { items }, transports, logger: recordLog() }),
  );
  const ask = (
    path: string,
    headers: Readonly<Record<string, string>> = {},
    init: RequestInit = {},
  ) =>
    answer(
      new Request(`https://shop.test${path}`, {
        ...init,
        headers: { host: 'shop.test', ...headers },
      }),
    );
  return { ask, ran };
}

const cookie = { cookie: 'session=alice' };
const crossSite = { 'sec-fetch-site': 'cross-site' };
const evil = { origin: 'https://evil.test' };

describe('a change that is routed by GET', () => {
  it.each([
    ['a link of another site', '/wipe', { ...cookie, ...crossSite }],
    ['a link of a site beside it', '/wipe', { ...cookie, 'sec-fetch-site': 'same-site' }],
    ['a fetch of another site', '/wipe', { ...cookie, ...crossSite, ...evil }],
    ['a fetch of an older browser', '/wipe', { ...cookie, ...evil }],
    ['a sandboxed page', '/wipe', { ...cookie, ...crossSite, origin: 'null' }],
    ['a password that the browser keeps', '/wipe', { authorization: 'Basic YTpi', ...crossSite }],
    ['a picture, by an override', '/purge', { ...cookie, ...crossSite, 'sec-fetch-dest': 'image' }],
  ])('is 403 for %s', async (_what, path, headers) => {
    const { ask, ran } = serve();
    for (const method of ['GET', 'HEAD'])
      expect((await ask(path, headers, { method })).status).toBe(403);
    expect(ran).toEqual([]);
  });

  it.each([
    ['a page of the same site', '/wipe', { ...cookie, 'sec-fetch-site': 'same-origin' }],
    ['an address that was typed', '/wipe', { ...cookie, 'sec-fetch-site': 'none' }],
    ['no browser', '/wipe', cookie],
    ['another site, without a credential', '/wipe', crossSite],
    ['a query', '/callback', { ...cookie, ...crossSite }],
  ])('runs for %s', async (_what, path, headers) => {
    const { ask } = serve();
    expect((await ask(path, headers)).status).toBe(200);
  });

  it('runs for a page of an origin that cors names', async () => {
    const cors: RestOptions['cors'] = { origin: 'https://app.test', credentials: true };
    const headers = { ...cookie, ...crossSite, origin: 'https://app.test' };
    expect((await serve({ cors }).ask('/wipe', headers)).status).toBe(200);
  });
});

describe('a change by POST, from a page of another site with its cookies', () => {
  const form = new FormData();
  form.set('name', 'a');
  it.each([
    ['an empty body', '/items/remove-all', undefined],
    ['a text', '/items', 'text'],
    ['a form', '/items', new URLSearchParams({ name: 'a' })],
    ['a form with files', '/items', form],
    ['bytes without a type', '/items', new Blob(['{"name":"a"}'])],
    ['its key, without a body', '/_call/items.removeAll', undefined],
    ['its key, as a text', '/_call/items.createItem', '{"name":"a"}'],
  ])('runs nothing with %s', async (_what, path, body) => {
    const { ask, ran } = serve();
    const init = { method: 'POST', ...(body === undefined ? {} : { body }) };
    const { status } = await ask(path, { ...cookie, ...crossSite, ...evil }, init);
    expect([403, 415]).toContain(status);
    expect(ran).toEqual([]);
  });

  it.each(['https://evil.test', 'null', 'https://shop.test.evil.test'])(
    'that asks as %s before it sends JSON, gets no leave with credentials',
    async (origin) => {
      const headers = { origin, 'access-control-request-method': 'POST' };
      const { ask } = serve();
      const preflight = await ask('/items', headers, { method: 'OPTIONS' });
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
      const named = serve({ cors: { origin: 'https://app.test', credentials: true } });
      const refused = await named.ask('/items', headers, { method: 'OPTIONS' });
      expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    },
  );
});

describe('caches of others', () => {
  const input = z.object({ tenant: z.string().optional(), theme: z.string().optional() });
  const takes = { headers: { tenant: 'x-tenant' }, cookies: { theme: 'theme' } } as const;
  const ask = async (made: GroupTree, path = '/prices', method = 'GET') => {
    const server = createServer({ capabilities: { prices: made }, logger: recordLog() });
    return toFetchHandler(server)(new Request(`http://a.test${path}`, { method }));
  };

  it('are told which headers an answer depends on', async () => {
    const one = capability(input, () => 1, 'query').takes(takes);
    const listPrices = one.cacheControl('public, max-age=60');
    expect((await ask({ listPrices })).headers.get('vary')).toBe('x-tenant, Cookie');
    const own = capability(
      input,
      () => reply(1, { headers: { 'cache-control': 'max-age=60' } }),
      'query',
    );
    expect((await ask({ listPrices: own.takes(takes) })).headers.get('vary')).toContain('x-tenant');
    expect((await ask({ listPrices: one })).headers.get('vary')).toBeNull();
  });

  const guard = defineGuard(() => {});
  it.each(['public, max-age=60', 'max-age=60, public', 's-maxage=60', 'PUBLIC'])(
    'get nothing from behind a guard by %s: no server starts',
    (directives) => {
      const listPrices = capability(() => 1, 'query').cacheControl(directives);
      const compile = (made: typeof listPrices) => () =>
        compileRegistry({ prices: { listPrices: made } });
      expect(compile(listPrices)).not.toThrow();
      expect(compile(listPrices.guard(guard))).toThrow('cacheControl on `prices.listPrices`');
      const shared = capability(() => 1, 'query').cacheControl(directives, { isShared: true });
      expect(compile(shared.guard(guard))).not.toThrow();
    },
  );

  it.each(['private, max-age=60', 'no-store', 'max-age=60'])(
    '%s may stand behind a guard',
    (directives) => {
      const listPrices = capability(() => 1, 'query')
        .cacheControl(directives)
        .guard(guard);
      expect(() => compileRegistry({ prices: { listPrices } })).not.toThrow();
    },
  );
});
