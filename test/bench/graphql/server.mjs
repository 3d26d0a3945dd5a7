/**
 * A server of GraphQL in a process of its own. `capix`, `rest`, `yoga`, `mercurius` and `pothos` have the same users and
 * posts, and hold the same schemas of zod against input and output; in `pothos` authors are loaded by its dataloader.
 * `import` and `schema` only say what that costs capix, and `graphql` and `zod` the part of it that is theirs.
 */
import { createServer as createHttpServer } from 'node:http';
import process from 'node:process';
import * as z from 'zod';

const Input = z.object({ id: z.string() });
const User = z.object({ id: z.string(), name: z.string() }).meta({ id: 'User' });
const Post = z
  .object({ id: z.string(), title: z.string(), authorId: z.string() })
  .meta({ id: 'Post' });
const Posts = z.array(Post);

const toUser = (id) => ({ id, name: `Ada ${id}` });
const posts = Array.from({ length: 100 }, (_, at) => ({
  id: String(at),
  title: `Post ${at}`,
  authorId: String(at % 20),
}));
const loadUsers = async (ids) => new Map(ids.map((id) => [id, toUser(id)]));

function expectUser(headers) {
  if (headers.authorization !== 'Bearer 1') throw new Error('Log in.');
}

const typeDefs = `
  type User { id: ID! name: String! }
  type Post { id: ID! title: String! authorId: String! author: User }
  type Query { getUser(id: ID!): User listPosts: [Post!] }`;

/** Resolvers that were written by hand, with the same checks. */
function toResolvers(toHeaders) {
  return {
    Query: {
      getUser: async (_, input, context) => {
        expectUser(toHeaders(context));
        return User.parse(toUser(Input.parse(input).id));
      },
      listPosts: () => Posts.parse(posts),
    },
  };
}

const starters = {
  capix: startCapix,
  rest: startCapix,
  yoga: startYoga,
  mercurius: startMercurius,
  pothos: startPothos,
  import: measureImport,
  schema: measureSchema,
  graphql: measureLibrary,
  zod: measureZod,
};

async function loadCapix() {
  const capix = await import('../../../dist/server-runtime/index.js');
  const graphql = await import('../../../dist/server-runtime/graphql/index.js');
  return { ...capix, ...graphql };
}

async function startCapix() {
  const { capability, createServer, defineContext, defineGuard, ...capix } = await loadCapix();
  const context = defineContext(({ headers }) => ({ headers }));
  const mustBeUser = defineGuard(({ headers }) => expectUser(headers));
  const getUser = capability
    .withContext()(Input, ({ id }, ctx) => capix.loader(ctx, 'users', loadUsers).load(id))
    .guard(mustBeUser)
    .output(User);
  const findUser = capability(Input, async ({ id }) => toUser(id), 'query')
    .guard(mustBeUser)
    .output(User);
  const listPosts = capability(() => posts, 'query').output(Posts);
  const links = { Post: { author: ['users.getUser', ({ authorId }) => ({ id: authorId })] } };
  const server = createServer({
    context,
    capabilities: { users: { getUser, findUser }, posts: { listPosts } },
    transports: [
      capix.restTransport({ port: 0 }),
      capix.graphqlTransport({
        links,
        fields: { 'users.findUser': 'getUser', 'users.getUser': 'loadUser' },
      }),
    ],
    logger: capix.silentLogger,
  });
  const [{ url }] = await server.start();
  process.send({ port: Number(new URL(url).port) });
}

async function startYoga() {
  const { createSchema, createYoga } = await import('graphql-yoga');
  const resolvers = toResolvers(({ req }) => req.headers);
  const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false });
  const http = createHttpServer((request, response) => void yoga(request, response));
  http.listen(0, () => process.send({ port: http.address().port }));
}

async function startMercurius() {
  const resolvers = toResolvers(({ reply }) => reply.request.headers);
  await startFastify({ schema: typeDefs, resolvers });
}

async function startFastify(options) {
  const { default: Fastify } = await import('fastify');
  const { default: mercurius } = await import('mercurius');
  const app = Fastify();
  app.register(mercurius, options);
  await app.listen({ port: 0 });
  process.send({ port: app.server.address().port });
}

async function startPothos() {
  const { default: SchemaBuilder } = await import('@pothos/core');
  const { default: DataloaderPlugin } = await import('@pothos/plugin-dataloader');
  const builder = new SchemaBuilder({ plugins: [DataloaderPlugin] });
  const user = builder.loadableObject('User', {
    load: async (ids) => {
      const users = await loadUsers(ids);
      return ids.map((id) => User.parse(users.get(id)));
    },
    fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name') }),
  });
  const post = builder.objectRef('Post').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      title: t.exposeString('title'),
      author: t.field({
        type: user,
        nullable: true,
        resolve: ({ authorId }, _, { reply }) => {
          expectUser(reply.request.headers);
          return Input.parse({ id: authorId }).id;
        },
      }),
    }),
  });
  builder.queryType({
    fields: (t) => ({ listPosts: t.field({ type: [post], resolve: () => Posts.parse(posts) }) }),
  });
  await startFastify({ schema: builder.toSchema() });
}

/** The CPU of what a server with this transport loads beside capix. */
async function measureImport() {
  const capix = await loadCapix();
  const ping = capix.capability(() => 'pong', 'query').output(capix.text());
  const start = async (transports) => {
    const before = process.cpuUsage();
    const options = { capabilities: { ping }, transports, logger: capix.silentLogger };
    const server = capix.createServer(options);
    await server.start();
    const ms = toMs(before);
    await server.stop();
    return ms;
  };
  await start([capix.restTransport({ port: 0 })]);
  const plainMs = await start([capix.restTransport({ port: 0 })]);
  const wholeMs = await start([capix.restTransport({ port: 0 }), capix.graphqlTransport()]);
  process.send({ ms: wholeMs - plainMs });
}

async function measureLibrary() {
  const before = process.cpuUsage();
  await import('graphql');
  process.send({ ms: toMs(before) });
}

function toMs(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const COUNT = 100;

/** Schemas with types of their own. */
function declareItem(at) {
  const item = z.object({
    id: z.string(),
    [`name${at}`]: z.string(),
    size: z.number().optional(),
    state: z.enum(['draft', 'sent']),
    tags: z.array(z.object({ [`tag${at}`]: z.string() })),
    at: z.iso.datetime(),
  });
  return { item, input: z.object({ id: z.string(), [`limit${at}`]: z.int32().default(10) }) };
}

function measureZod() {
  const all = Array.from({ length: COUNT }, (_, at) => declareItem(at));
  const before = process.cpuUsage();
  for (const { item, input } of all) {
    z.toJSONSchema(item);
    z.toJSONSchema(input, { io: 'input' });
  }
  process.send({ ms: toMs(before) / COUNT });
}

/** The CPU of the schema of a hundred capabilities, each with types of its own, in a process that has made none. */
async function measureSchema() {
  const { capability, createServer, toGraphqlSchema } = await loadCapix();
  await toGraphqlSchema(createServer({ capabilities: { a: { getA: capability(() => 1) } } }));
  const groups = Array.from({ length: COUNT }, (_, at) => {
    const { item, input } = declareItem(at);
    const getItem = capability(input, () => undefined).output(item);
    return [`items${at}`, { [`getItem${at}`]: getItem }];
  });
  const server = createServer({ capabilities: Object.fromEntries(groups) });
  const before = process.cpuUsage();
  await toGraphqlSchema(server);
  process.send({ ms: toMs(before) / COUNT });
}

let before;
process.on('message', (order) => {
  if (order === 'begin') before = process.cpuUsage();
  else {
    const { user, system } = process.cpuUsage(before);
    process.send({ cpuUs: user + system });
  }
});
await starters[process.argv[2]]();
