import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability, defineEnvelope, uploadedFile } from '../../../../server-runtime/index.ts';
import { openGeneratedClient } from '../../../helpers/generated-client.ts';

const Filter = z.object({
  state: z.enum(['open', 'closed']),
  min: z.number(),
  tags: z.array(z.string()).optional(),
});

it('sends objects and lists of them in a query as the document says, and they arrive as they were', async () => {
  const search = z.object({
    filter: Filter.optional(),
    lines: z.array(z.object({ sku: z.string(), count: z.int() })).optional(),
    matrix: z.array(z.array(z.number())).optional(),
    counts: z.record(z.string(), z.number()).optional(),
    ids: z.array(z.number()).optional(),
    limit: z.union([z.number(), z.literal('all')]).optional(),
  });
  const by = z.discriminatedUnion('by', [
    z.object({ by: z.literal('near'), km: z.number() }),
    z.object({ by: z.literal('name'), name: z.string() }),
  ]);
  const { api, document } = await openGeneratedClient({
    orders: { searchOrders: capability(search, (input) => input) },
    shops: { searchShops: capability(by, (input) => input) },
  });
  const input = {
    filter: { state: 'open', min: 1.5, tags: ['a', 'b'] },
    lines: [
      { sku: '1', count: 1 },
      { sku: '2', count: 2 },
    ],
    matrix: [[1, 2], [3]],
    counts: { a: 1, 'b c': 2 },
    ids: [1, 2],
    limit: 5,
  };
  expect(await api['orders']?.['searchOrders']?.(input)).toEqual(input);
  expect(await api['orders']?.['searchOrders']?.({ limit: 'all' })).toEqual({ limit: 'all' });
  expect(await api['shops']?.['searchShops']?.({ by: 'near', km: 5 })).toEqual({
    by: 'near',
    km: 5,
  });
  expect(await api['shops']?.['searchShops']?.({ by: 'name', name: '5' })).toEqual({
    by: 'name',
    name: '5',
  });

  const parameters = document.paths['/orders']?.['get']?.parameters ?? [];
  expect(
    Object.fromEntries(
      parameters.map(({ name, style, content = {} }) => [name, style ?? Object.keys(content)[0]]),
    ),
  ).toEqual({
    // OpenAPI has no style for what is deeper than an object of plain values.
    filter: 'application/json',
    lines: 'application/json',
    matrix: 'application/json',
    counts: 'deepObject',
    ids: undefined,
    limit: undefined,
  });
});

const Article = z.object({
  id: z.string(),
  title: z.string(),
  version: z.int().optional(),
  tags: z.array(z.string()).optional(),
  session: z.string().optional(),
});

it('sends declared headers and cookies, which come from there alone, and tells them in document and types', async () => {
  const taking = { headers: { version: 'X-Version', tags: 'x-tags' }, cookies: { session: 'sid' } };
  const { api, document, source, url } = await openGeneratedClient({
    articles: {
      getArticle: capability(Article.omit({ title: true }), (input) => input).takes(taking),
      updateArticle: capability(Article, (input) => input).takes(taking),
    },
  });
  const input = { id: '7', title: 'A', version: 3, tags: ['a', 'b'], session: 'x y;z' };
  expect(await api['articles']?.['updateArticle']?.(input)).toEqual(input);
  const { title: _title, ...got } = input;
  expect(await api['articles']?.['getArticle']?.(got)).toEqual(got);

  const forged = await fetch(`${url}/articles/7?version=1&session=forged&tags=x`, {
    headers: { cookie: 'a=1; sid="s"' },
  });
  expect(await forged.json()).toEqual({ data: { id: '7', session: 's' } });
  const inBody = await fetch(`${url}/articles/7`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'x-version': 'x' },
    body: JSON.stringify({ title: 'A', version: 1 }),
  });
  expect(await inBody.json()).toMatchObject({
    meta: { fields: [{ path: 'version', received: 'x' }] },
  });
  const preflight = await fetch(`${url}/articles/7`, { method: 'OPTIONS' });
  expect(preflight.headers.get('access-control-allow-headers')).toBe(
    'Content-Type, Authorization, x-version, x-tags',
  );

  const { parameters = [], requestBody } = document.paths['/articles/{id}']?.['patch'] ?? {};
  expect(parameters.map(({ name, in: place, required }) => [place, name, required])).toEqual([
    ['path', 'id', true],
    ['header', 'x-version', undefined],
    ['header', 'x-tags', undefined],
    ['cookie', 'sid', undefined],
  ]);
  expect(requestBody?.content['application/json']?.schema).toMatchObject({
    properties: { title: {} },
  });
  expect(
    Object.keys(Object(requestBody?.content['application/json']?.schema['properties'])),
  ).toEqual(['title']);
  expect(source).toMatch(/readonly version\?: number/);
  expect(source).toMatch(/readonly session\?: string/);
});

it('takes headers and cookies that a factory declares, each where the input has the field, and the nearest wins', async () => {
  const Tenant = z.object({
    id: z.string(),
    tenant: z.string(),
    locale: z.string().optional(),
    trace: z.string().optional(),
  });
  const cap = capability
    .takes({ headers: { tenant: 'x-other', trace: 'x-trace' }, form: true })
    .takes({ headers: { locale: 'x-locale', draft: 'x-draft' }, cookies: { tenant: 'tenant' } });
  const either = z.discriminatedUnion('by', [
    z.object({ by: z.literal('id'), id: z.string(), tenant: z.string() }),
    z.object({ by: z.literal('all'), tenant: z.string() }),
  ]);
  const shops = {
    getShop: cap(Tenant, (input) => input),
    getOwner: cap(Tenant, (input) => input)
      .takes({ headers: { locale: 'accept-language' } })
      .route('GET', '/owners/:id'),
    saveShop: cap(Tenant, (input) => input).takes({ form: false }),
    searchShops: cap(either, (input) => input, 'query').route('GET', '/search'),
    listPlain: capability(z.object({ id: z.string().optional() }), (input) => input),
  };
  const { api, document, url } = await openGeneratedClient({ shops });
  const placesOf = (path: string, method = 'get'): readonly string[] =>
    (document.paths[path]?.[method as 'get']?.parameters ?? []).map(
      ({ name, in: place }) => `${place} ${name}`,
    );
  expect(placesOf('/shops/{id}')).toEqual([
    'path id',
    'header x-trace',
    'header x-locale',
    'cookie tenant',
  ]);
  expect(placesOf('/owners/{id}')).toEqual([
    'path id',
    'header x-trace',
    'cookie tenant',
    'header accept-language',
  ]);
  expect(placesOf('/search')).toEqual(['cookie tenant', 'query by', 'query id']);
  expect(placesOf('/shops')).toEqual(['query id']);

  const input = { id: '7', tenant: 'acme', locale: 'fr', trace: 't' };
  for (const name of ['getShop', 'getOwner', 'saveShop'])
    expect(await api['shops']?.[name]?.(input)).toEqual(input);
  expect(await api['shops']?.['searchShops']?.({ by: 'all', tenant: 'acme' })).toEqual({
    by: 'all',
    tenant: 'acme',
  });
  const headers = { cookie: 'tenant=acme', 'x-locale': 'fr', 'x-other': 'evil', 'x-draft': 'yes' };
  const direct = await fetch(`${url}/shops/7?tenant=evil&locale=evil`, { headers });
  expect(await direct.json()).toEqual({ data: { id: '7', tenant: 'acme', locale: 'fr' } });
  const preflight = await fetch(`${url}/shops/7`, { method: 'OPTIONS' });
  expect(preflight.headers.get('access-control-allow-headers')).toContain('x-trace');
});

it('refuses a name that is none of its options', () => {
  expect(() => capability.takes({ header: {} } as object)).toThrow('Did you mean `headers`');
});

it('takes a form of a page where that is declared, and none of another site', async () => {
  const order = z.object({
    name: z.string(),
    count: z.int(),
    at: z.object({ day: z.int() }).optional(),
    lines: z.array(z.object({ sku: z.string(), count: z.int() })),
  });
  const { document, url } = await openGeneratedClient(
    {
      orders: {
        createOrder: capability(order, (input) => input).takes({ form: true }),
        addOrder: capability(order, (input) => input).route('POST', '/json-only'),
      },
    },
    { cors: { origin: 'https://shop.example' } },
  );
  const post = async (path: string, headers: Record<string, string> = {}): Promise<unknown> => {
    const type = 'application/x-www-form-urlencoded';
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': type, ...headers },
      body: 'name=A+b%C3%A9&count=2&at[day]=3&lines[0][sku]=1&lines[0][count]=1&lines[1][sku]=b&lines[1][count]=2',
    });
    return response.ok ? response.json() : response.status;
  };
  const data = {
    name: 'A bé',
    count: 2,
    at: { day: 3 },
    lines: [1, 2].map((count) => ({ sku: count === 1 ? '1' : 'b', count })),
  };
  expect(await post('/orders')).toEqual({ data });
  expect(await post('/json-only')).toBe(415);
  expect(await post('/orders', { origin: 'https://evil.example' })).toBe(403);
  expect(await post('/orders', { origin: url })).toEqual({ data });
  expect(
    await post('/orders', { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }),
  ).toEqual({ data });
  expect(
    await post('/orders', { origin: 'https://evil.example', 'sec-fetch-site': 'same-site' }),
  ).toBe(403);
  expect(await post('/orders', { 'sec-fetch-site': 'same-origin' })).toEqual({ data });

  const { requestBody, responses = {} } = document.paths['/orders']?.['post'] ?? {};
  expect(requestBody?.content['application/x-www-form-urlencoded']).toMatchObject({
    encoding: { at: { style: 'deepObject', explode: true } },
  });
  expect(Object.keys(responses)).toContain('403');
});

it('sends objects beside a file as parts of JSON, and the file last', async () => {
  const { api, url } = await openGeneratedClient({
    files: {
      uploadFile: capability(
        z.object({
          file: uploadedFile(),
          meta: z.object({ a: z.number() }),
          list: z.array(z.object({ b: z.boolean() })),
          note: z.string(),
        }),
        ({ file, ...rest }) => ({ size: file.size, ...rest }),
      ),
      streamFile: capability(
        z.object({ file: uploadedFile({ stream: true }), note: z.string() }),
        async ({ file, note }) => {
          let size = 0;
          for await (const chunk of file.stream) size += (chunk as Buffer).length;
          return { size, note };
        },
      ),
    },
  });
  const file = new Blob(['abc']);
  const rest = { meta: { a: 1 }, list: [{ b: true }], note: 'é' };
  expect(await api['files']?.['uploadFile']?.({ file, ...rest })).toEqual({ size: 3, ...rest });
  expect(await api['files']?.['streamFile']?.({ file, note: 'before' })).toEqual({
    size: 3,
    note: 'before',
  });

  const send = async (meta: string | Blob): Promise<unknown> => {
    const form = new FormData();
    form.append('meta', meta);
    form.append('list[0][b]', 'true');
    form.append('note', 'n');
    form.append('file', file, 'a.txt');
    return (await fetch(`${url}/files/upload-file`, { method: 'POST', body: form })).json();
  };
  const type = 'application/json';
  expect(await send(new Blob(['{"a":1,"__proto__":{"x":1}}'], { type }))).toEqual({
    data: { size: 3, meta: { a: 1 }, list: [{ b: true }], note: 'n' },
  });
  expect(await send(new Blob(['{"a":'], { type }))).toMatchObject({
    error: 'BadRequest',
    meta: { field: 'meta' },
  });
  expect(await send(new Blob([`${'['.repeat(100)}${']'.repeat(100)}`], { type }))).toMatchObject({
    error: 'BadRequest',
  });
});

it.each([
  ['a header with a meaning of its own', { headers: { id: 'Authorization' } }, "'Authorization'"],
  ['a header that cannot be', { headers: { id: 'x y' } }, "'x y'"],
  ['a cookie that cannot be', { cookies: { id: 'a;b' } }, "'a;b'"],
  ['a field that the input has not', { headers: { other: 'x-other' } }, "no field 'other'"],
])('refuses %s', (_name, options, message) => {
  expect(() => capability(z.object({ id: z.string() }), () => 1).takes(options as object)).toThrow(
    message,
  );
});

it('finds the data where the envelope puts it', async () => {
  const envelope = defineEnvelope({ dataField: 'result' });
  const users = {
    getUser: capability(z.object({ id: z.string() }), ({ id }) => ({ id })).output(
      z.object({ id: z.string() }),
    ),
  };
  const { api, source, document } = await openGeneratedClient({ users }, { envelope });
  expect(await api['users']?.['getUser']?.({ id: '7' })).toEqual({ id: '7' });
  expect(source.match(/readonly id: string/g)).toHaveLength(2);
  const { responses = {} } = document.paths['/users/{id}']?.['get'] ?? {};
  expect(JSON.stringify(responses['200'])).toContain('{"type":"object","properties":{"result":{');
});

it('sends every change as JSON, so that a browser asks before a page of another site may', async () => {
  const types: (string | null)[] = [];
  const { exported, url } = await openGeneratedClient({
    orders: {
      settleAll: capability(() => null),
      payOrder: capability(z.object({ id: z.string() }), () => null).route(
        'POST',
        '/orders/:id/pay',
      ),
      deleteOrder: capability(z.object({ id: z.string() }), () => null),
      listOrders: capability(() => []),
    },
  });
  const ask = (input: string | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    types.push(request.headers.get('content-type'));
    return fetch(request);
  };
  const { orders } = exported.createClient({ baseUrl: url, fetch: ask });
  await orders?.['settleAll']?.();
  await orders?.['payOrder']?.({ id: '1' });
  await orders?.['deleteOrder']?.({ id: '1' });
  await orders?.['listOrders']?.();
  expect(types).toEqual(['application/json', 'application/json', 'application/json', null]);
});
