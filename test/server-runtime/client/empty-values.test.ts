import { expect, it } from 'vitest';
import * as z from 'zod';
import { createClientOf, type Routes } from '../../../server-runtime/client/create-client-of.ts';
import { capability, uploadedFile } from '../../../server-runtime/index.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';

const input = {
  off: z.number().nullable().default(20),
  ids: z.array(z.number()).default([1]),
  filter: z.record(z.string(), z.string()).default({ state: 'open' }),
};
const list = capability(z.object(input), (sent) => sent, 'query');
const save = capability(z.object(input), (sent) => sent, 'mutation');
const attach = capability(
  z.object({ ...input, file: uploadedFile() }),
  ({ file: _file, ...sent }) => sent,
  'mutation',
);
const capabilities = { things: { list, save, attach } };
const routes: Routes = {
  list: ['GET', '/things'],
  save: ['POST', '/things/save'],
  attach: ['POST', '/things/attach'],
};
type Api = Record<'list' | 'save' | 'attach', (sent: object) => Promise<unknown>>;

async function open(): Promise<Api> {
  const { url } = await startOverSocket({ capabilities });
  return createClientOf<Api>(routes)({ baseUrl: url });
}

const file = new File(['x'], 'a.txt');

it('null, an empty list and an empty object arrive in a body as they are', async () => {
  const api = await open();
  const sent = { off: null, ids: [], filter: {} };
  expect(await api.save(sent)).toEqual(sent);
});

it('an empty object arrives in a query, and an empty list and object in a form', async () => {
  const api = await open();
  expect(await api.list({ filter: {} })).toEqual({ off: 20, ids: [1], filter: {} });
  const sent = { ids: [], filter: {} };
  expect(await api.attach({ ...sent, file })).toEqual({ off: 20, ...sent });
});

it.each<readonly [keyof Api, object, string]>([
  ['list', { off: null }, '`off` is null, which no query can carry.'],
  ['list', { ids: [] }, '`ids` is [], which no query can carry.'],
  ['attach', { off: null, file }, '`off` is null, which no form can carry.'],
])(
  '%s refuses %j, which would not arrive, before it sends anything',
  async (name, sent, message) => {
    const api = await open();
    await expect(api[name](sent)).rejects.toThrow(new TypeError(message));
  },
);

it('a header has no empty list', async () => {
  const sent = [{ field: 'tags', in: 'header', name: 'x-tags' }] as const;
  const api = createClientOf<Api>({ save: ['POST', '/save', { sent }] })({
    baseUrl: 'http://localhost',
    fetch: async () =>
      new Response('{"data":1}', { headers: { 'content-type': 'application/json' } }),
  });
  await expect(api.save({ tags: [] })).rejects.toThrow('which no header can carry');
  expect(await api.save({ tags: ['a'] })).toBe(1);
});

it.each([{ rows: [] }, { rows: [{ a: 1 }] }])(
  'lines of JSON arrive, none of them, too: %j',
  async (sent) => {
    const shape = { rows: z.array(z.object({ a: z.number() })).default([{ a: 7 }]) };
    const types = ['application/x-ndjson'] as const;
    const load = capability(z.object(shape), (input) => input).takes({
      body: { field: 'rows', types },
    });
    const { url } = await startOverSocket({ capabilities: { things: { load } } });
    const own: Routes = { load: ['POST', '/things/load', { body: { field: 'rows', types } }] };
    const api = createClientOf<Record<'load', (input: object) => Promise<unknown>>>(own)({
      baseUrl: url,
    });
    expect(await api.load(sent)).toEqual(sent);
  },
);
