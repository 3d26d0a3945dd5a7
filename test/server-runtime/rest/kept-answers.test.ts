import { expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import {
  capability,
  defaultErrors,
  defineContext,
  defineGuard,
  defineMiddleware,
  generateOpenAPI,
  type RestOptions,
  reply,
  type Store,
  withCache,
  withRateLimit,
} from '../../../server-runtime/index.ts';
import { describeEverywhere } from '../../helpers/start-rest.ts';

interface Ctx {
  readonly user: string | undefined;
}
const context = defineContext(({ headers }): Ctx => ({ user: headers['authorization'] as string | undefined }));
const cap = capability.withContext<Ctx>();
const isUser = (ctx: Ctx): void => {
  if (ctx.user === undefined) throw defaultErrors.Unauthorized();
};
const mustBeUser = defineGuard(isUser, { security: { type: 'http', scheme: 'bearer' } });
const mustBeSomebody = defineGuard(isUser);
const scope = (ctx: Ctx) => ctx.user;
const minute = { ttlMs: 60_000 };
const rates = () => ({ eur: 1 });

const capabilities = {
  rates: {
    getAll: cap(rates).enhance(withCache({ ...minute, staleMs: 90_500 })),
    getLimited: cap(rates)
      .enhance(withRateLimit({ limit: 9, windowMs: 1000 }))
      .enhance(withCache(minute)),
    getWrapped: cap(rates)
      .use(defineMiddleware(({ next }) => next()))
      .enhance(withCache(minute)),
    getTagged: cap(rates).enhance(withCache({ ...minute, tags: () => ['rates'] })),
    getShort: cap(rates).enhance(withCache({ ttlMs: 999 })),
    getMine: cap((_input, ctx) => ctx.user, 'query')
      .guard(mustBeUser)
      .enhance(withCache({ ...minute, scope })),
    getOurs: cap(rates)
      .guard(mustBeSomebody)
      .enhance(withCache({ ...minute, scope: () => 'all' })),
    getByLanguage: cap(z.object({ language: z.string().optional() }), rates)
      .takes({ headers: { language: 'accept-language' } })
      .enhance(withCache(minute)),
    getUnkept: cap(rates).enhance(withCache({ ...minute, key: () => undefined })),
    getCookie: cap(() => reply(1, { headers: { 'set-cookie': 'a=b' } }), 'query').enhance(withCache(minute)),
    getStated: cap(rates).cacheControl('no-store').enhance(withCache(minute)),
    getOwn: cap(() => reply(1, { headers: { 'cache-control': 'no-cache' } }), 'query').enhance(withCache(minute)),
    getMissing: cap(() => {
      throw defaultErrors.NotFound();
    }, 'query').enhance(withCache(minute)),
    findRates: cap(rates, 'query').route('POST', '/rates/find').enhance(withCache(minute)),
    getPlain: cap(rates),
  },
};

describeEverywhere('answers that withCache keeps', (start) => {
  const begin = async (rest: RestOptions = {}, store?: Store) => {
    const { request } = await start({ context, capabilities, rest, ...(store === undefined ? {} : { store }) });
    return async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
      const response = await request(`/rates/${path}`, { method, headers });
      await response.text();
      const told = (name: string) => response.headers.get(name);
      return {
        status: response.status,
        control: told('cache-control'),
        vary: told('vary'),
        age: told('age'),
        etag: told('etag'),
      };
    };
  };
  const weak = expect.stringMatching(/^W\//) as string;
  const user = { authorization: 'Bearer ada' };

  it('say how long callers may keep them, for whom, and by which headers they differ', async () => {
    const ask = await begin();
    expect(await ask('all')).toMatchObject({
      control: 'max-age=60, stale-while-revalidate=90',
      vary: null,
      etag: weak,
    });
    expect(await ask('limited')).toMatchObject({ control: 'max-age=60' });
    expect(await ask('mine', user)).toMatchObject({
      control: 'private, max-age=60',
      vary: 'Authorization',
      etag: weak,
    });
    expect(await ask('by-language')).toMatchObject({ control: 'max-age=60', vary: 'accept-language' });
    expect(await ask('find', {}, 'POST')).toMatchObject({ status: 200, control: null, etag: null });
  });

  it('are asked for each time where a tag may put them out of date, or where nobody knows what tells callers apart', async () => {
    const ask = await begin();
    for (const [path, control] of [
      ['tagged', 'no-cache'],
      ['short', 'no-cache'],
      ['wrapped', 'private, no-cache'],
      ['ours', 'private, no-cache'],
    ] as const)
      expect(await ask(path, user), path).toMatchObject({ status: 200, control, etag: weak });
  });

  it('are 304 to who has them, without the handler, and with the same times', async () => {
    const ask = await begin();
    const { etag } = await ask('all');
    expect(await ask('all', { 'if-none-match': String(etag) })).toMatchObject({
      status: 304,
      control: 'max-age=60, stale-while-revalidate=90',
      etag,
    });
  });

  it('say how old they are', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const ask = await begin();
    expect(await ask('all')).toMatchObject({ age: null });
    vi.setSystemTime(Date.now() + 12_900);
    expect(await ask('all')).toMatchObject({ age: '12' });
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await ask('all')).toMatchObject({ age: null });
  });

  it('leave what is declared as it is, and say nothing of what is not kept', async () => {
    const ask = await begin();
    expect(await ask('stated')).toMatchObject({ control: 'no-store', vary: null });
    expect(await ask('own')).toMatchObject({ control: 'no-cache', vary: null });
    for (const path of ['unkept', 'cookie', 'missing', 'plain'])
      expect(await ask(path), path).toMatchObject({ control: null, etag: null });
    const stated = await begin({ cacheControl: 'private', etag: false });
    expect(await stated('all')).toMatchObject({ control: 'private', etag: null });
  });

  it('say nothing while the store is away', async () => {
    const down = (): never => {
      throw new Error('down');
    };
    const ask = await begin({}, { name: 'down', get: down, set: down, add: down, swap: down, take: down });
    expect(await ask('all')).toMatchObject({ status: 200, control: null, etag: null });
  });
});

it('the document has them', () => {
  const headersOf = (options: Parameters<typeof generateOpenAPI>[1], path: string): unknown =>
    Object.fromEntries(
      Object.entries(generateOpenAPI(capabilities, options).paths[path]?.['get']?.responses ?? {}).flatMap(
        ([status, response]) =>
          '$ref' in response || response.headers === undefined
            ? []
            : [
                [
                  status,
                  Object.entries(response.headers).map(([name, { schema }]) =>
                    [name, ...((schema['examples'] as readonly string[] | undefined) ?? [])].join(': '),
                  ),
                ],
              ],
      ),
    );
  const both = ['cache-control: private, max-age=60', 'etag'];
  expect(headersOf({}, '/rates/mine')).toEqual({ 200: both, 304: both });
  expect(headersOf({ etag: false, cacheControl: 'private' }, '/rates/mine')).toEqual({
    200: ['cache-control: private'],
  });
  expect(headersOf({}, '/rates/plain')).toEqual({});
});
