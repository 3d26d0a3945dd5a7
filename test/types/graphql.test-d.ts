import { describe, it } from 'vitest';
import * as z from 'zod';
import { graphqlTransport, loader } from '../../server-runtime/graphql/index.ts';
import { capability, createServer, stream } from '../../server-runtime/index.ts';

const Post = z.object({ id: z.string(), authorId: z.string(), at: z.date() });
type Post = z.infer<typeof Post>;
const getUser = capability(z.object({ id: z.string() }), ({ id }) => ({ id, name: '' }));
const listPosts = capability(() => ({ items: [] as Post[], next: null }), 'query');
const watchPosts = capability(async function* () {
  yield { post: { id: '1' }, watched: 1 };
}).output(stream(z.object({ post: z.object({ id: z.string() }), watched: z.number() })));
const ping = capability(() => 'pong', 'query');
const capabilities = { users: { getUser }, posts: { listPosts, watchPosts }, ping };

describe('links of GraphQL', () => {
  it('lead from an object in any answer to any capability', () => {
    createServer({
      capabilities,
      transports: [
        graphqlTransport({
          fields: { 'users.getUser': 'user' },
          links: {
            Post: {
              author: ['users.getUser', (post: Post) => ({ id: post.authorId })],
              maybe: ['users.getUser', ({ id }: Pick<Post, 'id'>) => (id === '' ? null : { id })],
              pong: ['ping', () => ({})],
            },
            Watched: {
              first: ['users.getUser', (item: { watched: number }) => ({ id: `${item.watched}` })],
            },
          },
        }),
      ],
    });
  });

  it('have ends that fit', () => {
    const serve = (transport: ReturnType<typeof graphqlTransport>): unknown => transport;
    serve(graphqlTransport());
    createServer({
      capabilities,
      transports: [
        // @ts-expect-error: there is no such key
        graphqlTransport({
          links: { Post: { a: ['users.get', (post: Post) => ({ id: post.id })] } },
        }),
        // @ts-expect-error: no answer has the field
        graphqlTransport({
          links: { Post: { a: ['users.getUser', (p: { by: string }) => ({ id: p.by })] } },
        }),
        // @ts-expect-error: the field is a text
        graphqlTransport({
          links: { Post: { a: ['ping', (_post: { authorId: number }) => ({})] } },
        }),
        // @ts-expect-error: the id is a text
        graphqlTransport({
          links: { Post: { a: ['users.getUser', (post: Post) => ({ id: post.at })] } },
        }),
        // @ts-expect-error: it is called `id`
        graphqlTransport({
          links: { Post: { a: ['users.getUser', (post: Post) => ({ ids: post.id })] } },
        }),
      ],
    });
  });

  it('may lead to capabilities of the transport itself', () => {
    const own = { posts: { listPosts }, users: { getUser } };
    createServer({
      transports: [
        graphqlTransport({
          capabilities: own,
          links: { Post: { author: ['users.getUser', (post: Post) => ({ id: post.authorId })] } },
        }),
        // @ts-expect-error: the capability is one of the server's, which has none
        graphqlTransport({
          path: '/other',
          capabilities: own,
          links: { Post: { pong: ['ping', (_post: Post) => ({})] } },
        }),
      ],
    });
  });

  it('load with the values of their loader', async () => {
    const users = loader(
      {},
      'users',
      (ids: readonly string[]) => new Map(ids.map((id) => [id, 1])),
    );
    const one: number | undefined = await users.load('1');
    // @ts-expect-error: keys are texts
    await users.load(one);
  });
});
