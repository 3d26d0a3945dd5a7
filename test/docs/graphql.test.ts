import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { testServer } from '../../server-runtime/testing/test-server.ts';
import { packageRoot } from '../helpers/run-capix.ts';
import { capabilities } from './graphql-recipes/capabilities.ts';
import { db, server as posts } from './graphql-recipes/posts.ts';
import { server } from './graphql-recipes/server.ts';

const read = (path: string): string => readFileSync(join(packageRoot, path), 'utf8');
const recipes = 'test/docs/graphql-recipes';
const clients = 'test/compat/fixtures/graphql-clients';
const servers = 'test/compat/fixtures/graphql-servers';
/** `npm run compat:graphql-clients` and `compat:graphql-servers` compile and run these; the others of their folders are tests. */
const shown = [
  'tada.ts',
  'urql.ts',
  'codegen.ts',
  'documents.ts',
  'apollo.ts',
  'known-server.ts',
  'known-apollo.ts',
  'known-urql.ts',
].map((name) => `${clients}/${name}`);

it.each([...readdirSync(join(packageRoot, recipes)).map((name) => `${recipes}/${name}`), ...shown])(
  'docs/graphql.md shows %s as it is tested',
  (path) => {
    const code = read(path)
      .replaceAll(/(?:\.\.\/){3}server-runtime(\/\w+)?\/index\.ts/g, 'capix$1')
      .replaceAll(/'(\.\/[\w/-]+)\.js'/g, "'$1.ts'")
      .replace('port: 0', 'port: 3000');
    expect(read('docs/graphql.md')).toContain(`\`\`\`ts\n${code}\`\`\``);
  },
);

it.each(['yoga.ts', 'mercurius.ts', 'apollo.ts'])(
  'docs/graphql-reference.md shows %s as it is tested',
  (name) => {
    const code = read(`${servers}/${name}`).replace('./shop.js', './server.ts');
    expect(read('docs/graphql-reference.md')).toContain(`\`\`\`ts\n${code}\`\`\``);
  },
);

it('the bookshop answers a query, and a mutation with a declared error', async () => {
  await using api = await testServer({ capabilities, graphql: true });
  const first = await api.graphql('query ($id: ID!) { getBook(id: $id) { title } }', { id: '1' });
  expect(first).toEqual({ data: { getBook: { title: 'Emma' } } });
  const order = 'mutation ($input: OrderBookInput!) { orderBook(input: $input) { stock } }';
  const { errors } = await api.graphql(order, { input: { id: '1', count: 9 } });
  expect(errors).toMatchObject([
    {
      message: 'Only 3 are left.',
      path: ['orderBook'],
      extensions: { code: 'SoldOut', status: 409, meta: { left: 3 } },
    },
  ]);
});

it('its server listens', async () => {
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const search = '?query={getBook(id:1){stock}}';
  const response = await fetch(`${started?.url}/graphql${search}`);
  expect(await response.json()).toEqual({ data: { getBook: { stock: 3 } } });
});

it('100 posts with their authors are one query of the database for the authors', async () => {
  const [started] = await posts.start();
  onTestFinished(() => posts.stop({ graceMs: 0 }));
  await db.exec(`
    create table users (id text primary key, name text not null);
    create table posts (id text primary key, author_id text not null references users);
    insert into users select n::text, 'User ' || n from generate_series(0, 9) n;
    insert into posts select n::text, (n % 10)::text from generate_series(1, 100) n;
  `);
  const query = vi.spyOn(db, 'query');
  const response = await fetch(`${started?.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ listPosts { id author { name } } }' }),
  });
  const { data } = (await response.json()) as {
    readonly data: {
      readonly listPosts: readonly { readonly author: { readonly name: string } }[];
    };
  };
  expect(data.listPosts).toHaveLength(100);
  expect(data.listPosts.every(({ author }) => author.name.startsWith('User '))).toBe(true);
  expect(query.mock.calls.map(([text]) => text)).toEqual([
    'select id, author_id as "authorId" from posts',
    'select id, name from users where id = any($1)',
  ]);
});
