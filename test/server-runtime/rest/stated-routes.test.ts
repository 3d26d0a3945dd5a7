import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability, generateOpenAPI } from '../../../server-runtime/index.ts';
import { compileRegistry } from '../../../server-runtime/registry/compile-registry.ts';
import { toRouteTable } from '../../../server-runtime/routing/route-table.ts';
import { describeEverywhere, json, startOverSocket } from '../../helpers/start-rest.ts';

const BySlug = z.object({ slug: z.string(), title: z.string().optional() });
const capabilities = {
  articles: {
    saveArticle: capability(BySlug, (input) => input)
      .route('PUT', '/articles/:slug')
      .route('PATCH', '/articles/:slug'),
    getFile: capability(z.object({ path: z.string() }), ({ path }) => path).route(
      'GET',
      '/files/*path',
    ),
    getReadme: capability(() => 'readme').route('get', '/files/readme.md'),
    getPart: capability(z.object({ name: z.string() }), ({ name }) => `part ${name}`).route(
      'GET',
      '/files/:name/part',
    ),
    listArticles: capability(() => []),
  },
};

describeEverywhere('routes stated on capabilities', (start) => {
  it('lead to them, each with its method', async () => {
    const { request } = await start({ capabilities });
    for (const method of ['PUT', 'PATCH']) {
      const response = await request('/articles/a%2Fb', json({ title: 'x' }, method));
      expect(await response.json()).toEqual({ data: { slug: 'a/b', title: 'x' } });
    }
    const wrong = await request('/articles/a', { method: 'DELETE' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'PUT, PATCH, OPTIONS']);
  });

  it.each([
    ['/files/a.txt', 'a.txt'],
    ['/files/a/b/c.txt', 'a/b/c.txt'],
    ['/files/a%20b/%C3%BC%2Fx', 'a b/ü/x'],
    ['/files//a//b/', 'a/b'],
    ['/files/readme.md', 'readme'],
    ['/files/readme.md/x', 'readme.md/x'],
    ['/files/x/part', 'part x'],
    ['/files/x/part/y', 'x/part/y'],
  ])('take the rest of the path %s', async (path, data) => {
    const { request } = await start({ capabilities });
    expect(await (await request(path)).json()).toEqual({ data });
  });

  it('do not take an empty rest', async () => {
    const { request } = await start({ capabilities });
    expect((await request('/files/')).status).toBe(404);
    expect((await request('/files')).status).toBe(404);
  });

  it('stand behind the prefix of the transport, as all others do', async () => {
    const { request } = await start({
      capabilities,
      rest: { prefix: '/api/v1/', docs: true, calls: true },
    });
    expect(await (await request('/api/v1/articles')).json()).toEqual({ data: [] });
    expect(await (await request('/api/v1/files/a/b')).json()).toEqual({ data: 'a/b' });
    expect((await request('/articles')).status).toBe(404);
    const document = (await (await request('/api/v1/openapi.json')).json()) as {
      readonly paths: object;
    };
    expect(Object.keys(document.paths)).toEqual([
      '/api/v1/articles/{slug}',
      '/api/v1/files/{path}',
      '/api/v1/files/readme.md',
      '/api/v1/files/{name}/part',
      '/api/v1/articles',
    ]);
    expect((await request('/api/v1/docs')).status).toBe(200);
    const call = await request('/api/v1/_call/articles.listArticles', json({}));
    expect(await call.json()).toEqual({ data: [[]] });
  });

  it('give way to the overrides of a transport', async () => {
    const overrides = { 'articles.getReadme': { method: 'GET', path: '/readme' } } as const;
    const { request } = await start({ capabilities, rest: { overrides } });
    expect(await (await request('/readme')).json()).toEqual({ data: 'readme' });
    expect(await (await request('/files/readme.md')).json()).toEqual({ data: 'readme.md' });
  });
});

it('names in the document the operation of each route', () => {
  const { paths } = generateOpenAPI(capabilities);
  const ids = Object.values(paths['/articles/{slug}'] ?? {}).map(({ operationId }) => operationId);
  expect(ids).toEqual(['articles_saveArticle', 'articles_saveArticle_patch']);
});

it.each([
  ['GET', '/files/*path/more', 'has "*path"; a segment is text'],
  ['GET', '/a b', 'has "a b"; a segment is text'],
  ['HEAD', '/x', 'has the method "HEAD"; use one of GET, POST'],
])('refuses the route %s %s', (method, path, reason) => {
  const odd = capability(z.object({ path: z.string() }), () => 1).route(
    method as 'GET',
    path as '/x',
  );
  const { problems } = toRouteTable(compileRegistry({ odd }).operations);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining(`The route of \`odd\` `),
  ]);
  expect(problems[0]?.message).toContain(reason);
});

it.each(['api', '/:tenant', 5])('refuses the prefix %j', (prefix) => {
  expect(() => toRouteTable([], { prefix: prefix as string })).toThrow(
    "prefix: expected a path such as '/api'",
  );
});

it('coerces the parameters of each route of a capability, whichever is asked first', async () => {
  const schema = z.object({ id: z.string().optional(), page: z.number().optional() });
  const getItem = capability(schema, (input) => input, 'query')
    .route('GET', '/items/:id')
    .route('GET', '/pages/:page');
  const { request } = await startOverSocket({ capabilities: { items: { getItem } } });
  expect(await (await request('/items/7')).json()).toEqual({ data: { id: '7' } });
  expect(await (await request('/pages/7')).json()).toEqual({ data: { page: 7 } });
});
