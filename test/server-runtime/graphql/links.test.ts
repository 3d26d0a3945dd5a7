import { PGlite } from '@electric-sql/pglite';
import { type ExecutionResult, graphql } from 'graphql';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { loader, toGraphqlSchema } from '../../../server-runtime/graphql/index.ts';
import {
  type BaseContext,
  capability,
  createServer,
  defineContext,
  defineError,
  defineGuard,
  stream,
} from '../../../server-runtime/index.ts';
import { startGraphql } from '../../helpers/start-graphql.ts';

const User = z.object({ id: z.string(), name: z.string() }).meta({ id: 'User' });
const Post = z.object({ id: z.string(), authorId: z.string() }).meta({ id: 'Post' });
type Post = z.infer<typeof Post>;
const NotFound = defineError(404, 'NotFound');
const Forbidden = defineError(403, 'Forbidden');

/** A database that counts its queries. */
async function openDatabase() {
  const db = await PGlite.create();
  onTestFinished(() => db.close());
  await db.exec(`
    create table users (id text primary key, name text not null);
    create table posts (id text primary key, author_id text not null references users);
    insert into users select n::text, 'User ' || n from generate_series(0, 9) n;
    insert into posts select n::text, (n % 10)::text from generate_series(1, 100) n;
  `);
  const queries: string[] = [];
  const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> => {
    queries.push(text);
    return (await db.query<Row>(text, values)).rows;
  };
  return { query, queries };
}

type Database = Awaited<ReturnType<typeof openDatabase>>;
interface Context extends BaseContext {
  readonly db: Database;
}
const cap = capability.withContext<Context>();

const listPosts = cap(async (_input: unknown, { db }) => {
  return db.query<Post>('select id, author_id as "authorId" from posts order by id::int');
}, 'query').output(z.array(Post));
const getUser = cap(z.object({ id: z.string() }), async ({ id }, ctx) => {
  const users = loader(ctx, 'users', async (ids: readonly string[]) => {
    const rows = await ctx.db.query<z.infer<typeof User>>(
      'select id, name from users where id = any($1)',
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  });
  const user = await users.load(id);
  if (user === undefined) throw NotFound(`There is no user ${id}.`);
  return user;
}).output(User);
const capabilities = { posts: { listPosts }, users: { getUser } };
const author = ['users.getUser', (post: Post) => ({ id: post.authorId })] as const;
const links = { Post: { author } };

it('a list of 100 posts with their authors makes one query of the database for the posts and one for the authors', async () => {
  const db = await openDatabase();
  const context = defineContext(() => ({ db }));
  const { ask, url } = await startGraphql({ capabilities, context, graphql: { links } });
  const { data, errors } = await ask('{ listPosts { id author { name } } }');
  expect(errors).toBeUndefined();
  expect(data.listPosts).toHaveLength(100);
  expect(data.listPosts[41]).toEqual({ id: '42', author: { name: 'User 2' } });
  expect(db.queries).toEqual([
    'select id, author_id as "authorId" from posts order by id::int',
    'select id, name from users where id = any($1)',
  ]);
  // Nothing is remembered.
  await db.query("update users set name = 'Ann' where id = '2'");
  const again = await ask('{ getUser(id: "2") { name } }');
  expect(again.data).toEqual({ getUser: { name: 'Ann' } });
  // The same loader serves calls of REST, each of which has its own.
  db.queries.length = 0;
  const rest = new URL('/users/', url);
  const responses = await Promise.all(
    ['1', '1', '77'].map(async (id) => (await fetch(new URL(id, rest))).status),
  );
  expect(responses).toEqual([200, 200, 404]);
  expect(db.queries).toHaveLength(3);
});

it('a loader gets each key once, and one that fails fails every call that waits for it', async () => {
  const ctx = {};
  const batches: unknown[] = [];
  const load = async (keys: readonly number[]) => {
    batches.push(keys);
    if (keys.includes(13)) throw new Error('no such table');
    return new Map(keys.map((key) => [key, key * 2]));
  };
  const doubles = () => loader(ctx, 'doubles', load);
  const values = [doubles().load(1), doubles().load(2), doubles().load(1)];
  expect(await Promise.all(values)).toEqual([2, 4, 2]);
  const failed = await Promise.allSettled([doubles().load(1), doubles().load(13)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(batches).toEqual([
    [1, 2],
    [1, 13],
  ]);
});

it('each link is a call with guards of its own, and one that fails leaves the others', async () => {
  const guarded: string[] = [];
  const mustSee = defineGuard((ctx: BaseContext) => {
    guarded.push(ctx.requestId);
  });
  const getAuthor = capability
    .guard(mustSee)(z.object({ id: z.string() }), ({ id }) => {
      if (id === 'b') throw Forbidden('Not that one.');
      return { id, name: `User ${id}` };
    })
    .output(User);
  const posts = [
    { id: '1', authorId: 'a' },
    { id: '2', authorId: 'b' },
    { id: '3', authorId: '' },
  ];
  const listAll = capability(() => posts, 'query').output(z.array(Post));
  const { ask } = await startGraphql({
    capabilities: { posts: { listAll }, users: { getAuthor } },
    graphql: {
      links: {
        Post: {
          author: [
            'users.getAuthor',
            (post: Post) => (post.authorId === '' ? null : { id: post.authorId }),
          ],
        },
      },
    },
  });
  const { data, errors } = await ask('{ postsListAll { id author { id } } }');
  expect(data.postsListAll.map((post: { author: unknown }) => post.author)).toEqual([
    { id: 'a' },
    null,
    null,
  ]);
  expect(errors).toEqual([
    {
      message: 'Not that one.',
      locations: [{ line: 1, column: 21 }],
      path: ['postsListAll', 1, 'author'],
      extensions: { code: 'Forbidden', status: 403 },
    },
  ]);
  expect(new Set(guarded).size).toBe(1);
  expect(guarded).toHaveLength(2);
});

it('input of a link that the capability refuses is an error of its field', async () => {
  const listAll = capability(() => [{ id: '1', authorId: 'long' }], 'query').output(z.array(Post));
  const getAuthor = capability(z.object({ id: z.string().max(1) }), ({ id }) => ({ id, name: '' }));
  const broken = ['users.getAuthor', (_post: Post) => JSON.parse('{') as { id: string }] as const;
  const { ask, log } = await startGraphql({
    capabilities: { posts: { listAll }, users: { getAuthor: getAuthor.output(User) } },
    graphql: {
      links: {
        Post: { author: ['users.getAuthor', (post: Post) => ({ id: post.authorId })], broken },
      },
    },
  });
  const { errors } = await ask('{ postsListAll { author { id } } }');
  expect(errors).toMatchObject([
    { path: ['postsListAll', 0, 'author'], extensions: { code: 'BadRequest', status: 400 } },
  ]);
  const thrown = await ask('{ postsListAll { broken { id } } }');
  expect(thrown.errors).toMatchObject([
    { message: 'Internal server error', extensions: { code: 'Internal', status: 500 } },
  ]);
  expect(log.errors).toHaveLength(1);
});

const listNodes = capability(z.object({ parent: z.string().default('') }), ({ parent }) =>
  Array.from({ length: 10 }, (_, index) => ({ id: `${parent}${index}` })),
).output(z.array(z.object({ id: z.string() }).meta({ id: 'Node' })));
const nodeLinks = {
  Node: { children: ['nodes.listNodes', (node: { id: string }) => ({ parent: node.id })] },
} as const;

it('links are counted while they run: 1,000 a request, or as many as limits.links says', async () => {
  const three = '{ listNodes { children { children { id } } } }';
  const four = '{ listNodes { children { children { children { id } } } } }';
  const capabilitiesOf = { nodes: { listNodes } };
  const { ask } = await startGraphql({
    capabilities: capabilitiesOf,
    graphql: { links: nodeLinks },
  });
  expect(await ask(three)).toMatchObject({ status: 200, data: { listNodes: { length: 10 } } });
  const { errors = [] } = await ask(four);
  // Nine of ten follow 111 each, and the last one a single one more.
  expect(errors).toHaveLength(10);
  expect(errors[0]).toMatchObject({
    message: 'The operation follows more than 1000 links: ask for shorter lists, or fewer links.',
    extensions: { code: 'BadRequest', status: 400 },
  });
  const few = await startGraphql({
    capabilities: capabilitiesOf,
    graphql: { links: nodeLinks, limits: { links: 9 } },
  });
  expect((await few.ask('{ listNodes { children { id } } }')).errors).toHaveLength(1);
  expect((await few.ask('{ listNodes { id } }')).errors).toBeUndefined();
});

it('each result of a subscription may have as many links', async () => {
  const watchNodes = capability(async function* () {
    for (const id of ['a', 'b', 'c']) yield { id };
  }).output(stream(z.object({ id: z.string() }).meta({ id: 'Node' })));
  const { url } = await startGraphql({
    capabilities: { nodes: { listNodes, watchNodes } },
    graphql: { links: nodeLinks, limits: { links: 1 } },
  });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { watchNodes { id children { id } } }' }),
  });
  const text = await response.text();
  expect(text.match(/"children":\[/g)).toHaveLength(3);
  expect(text).not.toContain('errors');
});

it('the schema for another server has links, with the same limit', async () => {
  const server = createServer({ capabilities: { nodes: { listNodes } } });
  const schema = await toGraphqlSchema(server, { links: nodeLinks });
  const source = '{ listNodes { children { children { children { id } } } } }';
  const { data, errors } = (await graphql({
    schema,
    source,
    contextValue: {},
  })) as ExecutionResult<{
    listNodes: unknown[];
  }>;
  expect(data?.listNodes).toHaveLength(10);
  expect(errors).toHaveLength(110);
});

it.each([
  [{ Pst: { author } }, 'links name the type `Pst`, and no answer has it. Did you mean `Post`?'],
  [
    { Post: { id: author } },
    'The link `Post.id` has the name of a field that `Post` has: rename the link.',
  ],
  [
    { Post: { author: ['users.getUsr', author[1]] as const } },
    'The link `Post.author` calls `users.getUsr`, and there is no such capability. Did you mean `users.getUser`?',
  ],
  [
    { Post: { author: ['users.removeUser', author[1]] as const } },
    'The link `Post.author` calls `users.removeUser`, which is not a query.',
  ],
  [
    { Post: { 'an author': author } },
    'graphqlTransport links.Post.an author: that is not a name of GraphQL.',
  ],
  [
    { Post: { author: 'users.getUser' } },
    'graphqlTransport links.Post.author: expected the key of a capability and a function',
  ],
  [{ Post: author }, 'graphqlTransport links.Post: expected {'],
  [[], 'graphqlTransport links: expected {'],
])('a link that leads nowhere keeps a server from starting: %j', async (wrong, message) => {
  const removeUser = cap(z.object({ id: z.string() }), () => ({ id: '' }));
  const context = defineContext(() => ({ db: {} as Database }));
  const started = async () =>
    startGraphql({
      capabilities: { ...capabilities, users: { getUser, removeUser } },
      context,
      graphql: { links: wrong as never },
    });
  await expect(started()).rejects.toThrow(message);
});
