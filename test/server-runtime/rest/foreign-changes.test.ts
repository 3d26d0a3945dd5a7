import { expect, it } from 'vitest';
import { z } from 'zod';
import { capability, defineGuard, type RestOptions } from '../../../server-runtime/index.ts';
import { describeEverywhere, type StartRest } from '../../helpers/start-rest.ts';

const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
const session = { cookie: 'session=7' };
const formTypes = [
  undefined,
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=B',
  'text/plain',
];

/** Counts the calls of `POST /orders/:id/cancel`, and of the query `POST /orders/search`. */
async function startOrders(start: StartRest, rest: RestOptions = {}) {
  const cancelled: string[] = [];
  const isSignedIn = defineGuard(() => {}, { name: 'isSignedIn' });
  const orders = {
    cancelOrder: capability(
      z.object({ id: z.string() }),
      ({ id }) => cancelled.push(id),
      'mutation',
    )
      .guard(isSignedIn)
      .route('POST', '/orders/:id/cancel'),
    signOut: capability(() => cancelled.push('all')),
    findAll: capability(() => [], 'query').route('POST', '/orders/search'),
  };
  const { request } = await start({ capabilities: { orders }, rest });
  const post = async (
    path: string,
    headers: Record<string, string>,
    type?: string,
  ): Promise<number> => {
    const body = type === undefined ? null : new Blob([], { type });
    return (await request(path, { method: 'POST', headers, body })).status;
  };
  return {
    cancelled,
    post,
    cancel: (headers: Record<string, string>, type?: string) =>
      post('/orders/55/cancel', headers, type),
  };
}

describeEverywhere('a change without a body', (start) => {
  it.each(formTypes)(
    'that a page of another site sends with cookies is 403, as %s',
    async (type) => {
      const { cancelled, cancel } = await startOrders(start);
      expect(await cancel({ ...foreign, ...session }, type)).toBe(403);
      expect(await cancel({ origin: 'https://evil.example', ...session }, type)).toBe(403);
      expect(await cancel({ origin: 'null', ...session }, type)).toBe(403);
      expect(await cancel({ ...foreign, 'sec-fetch-site': 'same-site', ...session }, type)).toBe(
        403,
      );
      expect(await cancel({ ...foreign, authorization: 'Basic YTpi' }, type)).toBe(403);
      expect(cancelled).toEqual([]);
    },
  );

  it('is taken from the same site, from a site that cors names, and from what is no browser', async () => {
    const { cancelled, cancel } = await startOrders(start, {
      cors: { origin: 'https://shop.example' },
    });
    expect(await cancel({ ...session, 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(
      await cancel({ ...session, origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }),
    ).toBe(200);
    expect(await cancel(session)).toBe(200);
    expect(cancelled).toHaveLength(3);
  });

  it('is taken from another site without what a browser adds by itself, and as JSON, which needs a preflight', async () => {
    const { cancelled, cancel } = await startOrders(start);
    expect(await cancel(foreign)).toBe(200);
    expect(await cancel({ ...foreign, authorization: 'Bearer abc' })).toBe(200);
    expect(await cancel({ ...foreign, ...session, 'content-type': 'application/json' })).toBe(200);
    expect(cancelled).toHaveLength(3);
  });

  it('is not meant by a query', async () => {
    const { post } = await startOrders(start);
    expect(await post('/orders/search', { ...foreign, ...session })).toBe(200);
  });

  it('is refused by its key, too', async () => {
    const { cancelled, post } = await startOrders(start, { calls: true });
    expect(await post('/_call/orders.signOut', { ...foreign, ...session })).toBe(403);
    expect(cancelled).toEqual([]);
  });
});
