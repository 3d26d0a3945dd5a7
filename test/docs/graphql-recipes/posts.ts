import { PGlite } from '@electric-sql/pglite';
import * as z from 'zod';
import { graphqlTransport, loader } from '../../../server-runtime/graphql/index.ts';
import {
  type BaseContext,
  capability,
  createServer,
  defaultErrors,
  definePlugin,
  restTransport,
} from '../../../server-runtime/index.ts';

const User = z.object({ id: z.string(), name: z.string() }).meta({ id: 'User' });
const Post = z.object({ id: z.string(), authorId: z.string() }).meta({ id: 'Post' });
type User = z.infer<typeof User>;
type Post = z.infer<typeof Post>;

export const db = new PGlite();
const database = definePlugin({
  name: 'database',
  context: () => ({ db }),
  stop: () => db.close(),
});
interface Context extends BaseContext {
  readonly db: PGlite;
}
const cap = capability.withContext<Context>();

const listPosts = cap(async (_input: unknown, ctx) => {
  const { rows } = await ctx.db.query<Post>('select id, author_id as "authorId" from posts');
  return rows;
}, 'query').output(z.array(Post));

const getUser = cap(z.object({ id: z.string() }), async ({ id }, ctx) => {
  const users = loader(ctx, 'users', async (ids: readonly string[]) => {
    const text = 'select id, name from users where id = any($1)';
    const { rows } = await ctx.db.query<User>(text, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  });
  const user = await users.load(id);
  if (user === undefined) throw defaultErrors.NotFound(`There is no user ${id}.`);
  return user;
}).output(User);

export const server = createServer({
  capabilities: { posts: { listPosts }, users: { getUser } },
  plugins: [database],
  transports: [
    restTransport({ port: 0 }),
    graphqlTransport({
      links: { Post: { author: ['users.getUser', (post: Post) => ({ id: post.authorId })] } },
    }),
  ],
});
