import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type {
  OpenApiDocument,
  OperationObject,
} from '../../server-runtime/openapi/openapi-document.ts';
import { compile, typedProject } from '../helpers/compile-types.ts';
import { packageRoot, runCapix } from '../helpers/run-capix.ts';
import { startProject } from '../helpers/start-project.ts';

/** The operations as the specification of RealWorld has them: what is sent, what comes back, and which errors are declared. */
const published = [
  'POST /users/login {user: email, password} 200 {user} 401 422',
  'POST /users {user: username, email, password} 201 {user} 409 422',
  'GET /user 200 {user} 401 422',
  'PUT /user {user: email, password, username, bio, image} 200 {user} 401 422',
  'GET /profiles/{username} 200 {profile} 401 404 422',
  'POST /profiles/{username}/follow 200 {profile} 401 404 422',
  'DELETE /profiles/{username}/follow 200 {profile} 401 404 422',
  'GET /articles/feed ?limit ?offset 200 {articles, articlesCount} 401 422',
  'GET /articles ?limit ?offset ?tag ?author ?favorited 200 {articles, articlesCount} 401 422',
  'POST /articles {article: title, description, body, tagList} 201 {article} 401 409 422',
  'GET /articles/{slug} 200 {article} 404 422',
  'PUT /articles/{slug} {article: title, description, body, tagList} 200 {article} 401 403 404 422',
  'DELETE /articles/{slug} 204 401 403 404 422',
  'GET /articles/{slug}/comments 200 {comments} 401 404 422',
  'POST /articles/{slug}/comments {comment: body} 201 {comment} 401 404 422',
  'DELETE /articles/{slug}/comments/{id} 204 401 403 404 422',
  'POST /articles/{slug}/favorite 200 {article} 401 404 422',
  'DELETE /articles/{slug}/favorite 200 {article} 401 404 422',
  'GET /tags 200 {tags} 422',
];

let folder = '';
beforeAll(async () => {
  const source = join(packageRoot, 'examples/realworld/src');
  const names = await readdir(source);
  const files = await Promise.all(
    names.map(async (name) => [`src/${name}`, await readFile(join(source, name), 'utf8')] as const),
  );
  folder = await typedProject({
    files: Object.fromEntries(files),
    packages: ['node-sqlite3-wasm'],
  });
});

it('the example of RealWorld has no type error, and nothing that check would tell', async () => {
  expect(await compile(folder, 'TypeScript 7')).toEqual({});
  const { exitCode, stdout } = await runCapix(['check', '--strict', '--plain'], { cwd: folder });
  expect([exitCode, stdout]).toEqual([0, expect.any(String)]);
});

it('its document is the published one in paths, methods, bodies and statuses', async () => {
  const document = JSON.parse(
    (await runCapix(['openapi'], { cwd: folder })).stdout,
  ) as OpenApiDocument;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      toLine(document, `${method.toUpperCase()} ${path}`, operation),
    ),
  );
  expect(operations.sort()).toEqual(published.map((line) => line.replace(' /', ' /api/')).sort());
});

/** Besides what the specification says, anything may be 400, 413, 415, 500 and 504. */
function toLine(document: OpenApiDocument, route: string, operation: OperationObject): string {
  const resolve = (schema: unknown): Record<string, Record<string, unknown>> => {
    const { $ref, properties = {} } = schema as {
      readonly $ref?: string;
      readonly properties?: never;
    };
    const name = $ref?.split('/').at(-1);
    return name === undefined ? properties : resolve(document.components.schemas[name]);
  };
  const sent = resolve(operation.requestBody?.content['application/json']?.schema ?? {});
  const body = Object.entries(sent).map(
    ([name, schema]) => `{${name}: ${Object.keys(resolve(schema)).join(', ')}}`,
  );
  const query = (operation.parameters ?? []).flatMap(({ in: place, name }) =>
    place === 'query' ? [`?${name}`] : [],
  );
  const statuses = Object.entries(operation.responses)
    .filter(([status]) => !['400', '413', '415', '500', '504'].includes(status))
    .map(([status, response]) => {
      const content = 'content' in response ? response.content?.['application/json'] : undefined;
      return content === undefined
        ? status
        : `${status} {${Object.keys(resolve(content.schema)).join(', ')}}`;
    });
  return [route, ...query, ...body, ...statuses].join(' ');
}

it('it answers as the specification says', async () => {
  const { url } = await startProject(folder);
  const ask = async (route: string, { token, body }: { token?: unknown; body?: unknown } = {}) => {
    const [method = '', path = ''] = route.split(' ');
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Token ${String(token)}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? undefined : (JSON.parse(text) as Record<string, never>),
    };
  };
  const register = async (username: string): Promise<string> => {
    const user = { username, email: `${username}@a.example`, password: 'secret-7' };
    const made = await ask('POST /users', { body: { user } });
    expect(made).toMatchObject({
      status: 201,
      body: { user: { username, email: user.email, bio: null, image: null } },
    });
    expect(Object.keys(made.body?.['user'] ?? {}).sort()).toEqual([
      'bio',
      'email',
      'image',
      'token',
      'username',
    ]);
    return String(made.body?.['user']?.['token']);
  };
  const [jake, anne] = [await register('jake'), await register('anne')];

  const login = { user: { email: 'jake@a.example', password: 'secret-7' } };
  expect(await ask('POST /users/login', { body: login })).toMatchObject({
    status: 200,
    body: { user: { token: jake } },
  });
  expect(
    await ask('POST /users/login', { body: { user: { ...login.user, password: 'x' } } }),
  ).toEqual({
    status: 401,
    body: { errors: { credentials: ['invalid'] } },
  });
  expect(await ask('POST /users', { body: { user: { ...login.user, username: 'jake' } } })).toEqual(
    {
      status: 409,
      body: { errors: { username: ['has already been taken'] } },
    },
  );
  expect(
    await ask('POST /users', { body: { user: { email: '', username: 'x', password: 'y' } } }),
  ).toEqual({
    status: 422,
    body: { errors: { email: ["can't be blank"] } },
  });
  expect(await ask('GET /user')).toEqual({
    status: 401,
    body: { errors: { token: ['is missing'] } },
  });
  expect(await ask('GET /user', { token: jake })).toMatchObject({
    status: 200,
    body: { user: { username: 'jake' } },
  });
  expect(await ask('PUT /user', { token: jake, body: { user: { bio: 'I work' } } })).toMatchObject({
    body: { user: { username: 'jake', bio: 'I work' } },
  });

  expect(await ask('POST /profiles/jake/follow', { token: anne })).toEqual({
    status: 200,
    body: { profile: { username: 'jake', bio: 'I work', image: null, following: true } },
  });
  expect(await ask('GET /profiles/jake')).toMatchObject({
    body: { profile: { following: false } },
  });
  expect(await ask('GET /profiles/nobody')).toEqual({
    status: 404,
    body: { errors: { profile: ['not found'] } },
  });
  expect(await ask('GET /profiles/jake', { token: 'forged' })).toMatchObject({ status: 401 });

  const article = {
    title: 'How to train your dragon',
    description: 'Ever wonder how?',
    body: 'Slowly',
    tagList: ['a', 'b'],
  };
  const slug = 'how-to-train-your-dragon';
  const given = { ...article, tagList: ['b', 'a'] }; // They come back sorted, as the official collection has it.
  expect(await ask('POST /articles', { token: jake, body: { article: given } })).toMatchObject({
    status: 201,
    body: {
      article: {
        ...article,
        slug,
        favorited: false,
        favoritesCount: 0,
        author: { username: 'jake' },
      },
    },
  });
  expect(await ask('POST /articles', { token: jake, body: { article } })).toMatchObject({
    status: 409,
  });
  const { body: _body, ...listed } = article;
  for (const query of ['', '?tag=a', '?author=jake', '?limit=1&offset=0'])
    expect(await ask(`GET /articles${query}`)).toMatchObject({
      body: { articles: [listed], articlesCount: 1 },
    });
  expect(await ask('GET /articles?tag=c')).toEqual({
    status: 200,
    body: { articles: [], articlesCount: 0 },
  });
  expect(await ask('GET /articles?limit=x')).toMatchObject({
    status: 422,
    body: { errors: { limit: [expect.any(String)] } },
  });
  expect(await ask('GET /articles/feed', { token: anne })).toMatchObject({
    body: { articlesCount: 1 },
  });
  expect(await ask('GET /articles/feed', { token: jake })).toMatchObject({
    body: { articlesCount: 0 },
  });
  expect(await ask(`POST /articles/${slug}/favorite`, { token: anne })).toMatchObject({
    body: { article: { favorited: true, favoritesCount: 1 } },
  });
  expect(await ask('GET /articles?favorited=anne')).toMatchObject({ body: { articlesCount: 1 } });
  expect(await ask(`DELETE /articles/${slug}/favorite`, { token: anne })).toMatchObject({
    body: { article: { favorited: false, favoritesCount: 0 } },
  });
  expect(
    await ask(`PUT /articles/${slug}`, { token: anne, body: { article: { body: 'x' } } }),
  ).toMatchObject({
    status: 403,
  });
  expect(
    await ask(`PUT /articles/${slug}`, { token: jake, body: { article: { body: 'Gently' } } }),
  ).toMatchObject({
    body: { article: { slug, title: article.title, body: 'Gently' } },
  });

  const made = await ask(`POST /articles/${slug}/comments`, {
    token: anne,
    body: { comment: { body: 'Nice' } },
  });
  expect(made).toMatchObject({
    status: 201,
    body: { comment: { body: 'Nice', author: { username: 'anne' } } },
  });
  const id = String(made.body?.['comment']?.['id']);
  expect(await ask(`GET /articles/${slug}/comments`)).toMatchObject({
    body: { comments: [{ id: Number(id) }] },
  });
  expect(await ask(`DELETE /articles/${slug}/comments/${id}`, { token: jake })).toMatchObject({
    status: 403,
  });
  expect(await ask(`DELETE /articles/${slug}/comments/${id}`, { token: anne })).toEqual({
    status: 204,
    body: undefined,
  });
  expect(await ask('GET /tags')).toEqual({ status: 200, body: { tags: ['a', 'b'] } });
  expect(await ask('DELETE /profiles/jake/follow', { token: anne })).toMatchObject({
    body: { profile: { following: false } },
  });
  expect(await ask(`DELETE /articles/${slug}`, { token: jake })).toEqual({
    status: 204,
    body: undefined,
  });
  expect(await ask(`GET /articles/${slug}`)).toEqual({
    status: 404,
    body: { errors: { article: ['not found'] } },
  });
  expect(await ask('GET /nowhere')).toMatchObject({
    status: 404,
    body: { errors: { body: [expect.any(String)] } },
  });
});
