import { expect, it } from 'vitest';
import * as z from 'zod';
import { createClientOf } from '../../../server-runtime/client/create-client-of.ts';
import { createClient } from '../../../server-runtime/client/index.ts';
import { capability, defineContext } from '../../../server-runtime/index.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';

const cap = capability.withContext<{ readonly url: string }>();
const capabilities = {
  things: {
    find: cap(z.object({ page: z.number().optional() }), (_input, { url }) => url, 'query'),
    save: cap(z.object({ name: z.string() }), (_input, { url }) => url, 'mutation'),
  },
};

/** A server that answers each call with the path and the query of its request. */
async function open(): Promise<string> {
  const { url } = await startOverSocket({
    capabilities,
    context: defineContext(({ url: path }) => ({ url: path ?? '' })),
    rest: { prefix: '/api', calls: true },
  });
  return url;
}

const bases: readonly (readonly [base: string, find: string, save: string])[] = [
  ['/api', '/api/things?page=2', '/api/things/save'],
  ['/api/', '/api/things?page=2', '/api/things/save'],
  ['/api?key=a%26b', '/api/things?key=a%26b&page=2', '/api/things/save?key=a%26b'],
  ['/api//?key=1&sig=x/', '/api/things?key=1&sig=x/&page=2', '/api/things/save?key=1&sig=x/'],
  ['/api?a?b', '/api/things?a?b&page=2', '/api/things/save?a?b'],
];

it.each(bases)('a written client calls behind %s, which may be a URL', async (base, find, save) => {
  const url = await open();
  const createApi = createClientOf<{
    readonly find: (input: object) => Promise<string>;
    readonly save: (input: object) => Promise<string>;
  }>({ find: ['GET', '/things'], save: ['POST', '/things/save'] });
  for (const baseUrl of [url + base, new URL(url + base)]) {
    const api = createApi({ baseUrl });
    expect([await api.find({ page: 2 }), await api.save({ name: 'a' })]).toEqual([find, save]);
  }
});

it('an inferred client calls behind a base with a query', async () => {
  const url = await open();
  const api = createClient<typeof capabilities>({ baseUrl: `${url}/api/?key=1` });
  expect(await api.things.save({ name: 'a' })).toBe('/api/_call/things.save?key=1');
});
