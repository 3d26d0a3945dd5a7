import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability, defineError, stream } from '../../../../server-runtime/index.ts';
import { openGeneratedClient } from '../../../helpers/generated-client.ts';

const at = new Date('2026-03-01T10:20:30.456Z');
const huge = 2n ** 63n - 1n;

const Comment = z
  .object({
    at: z.date(),
    get answers() {
      return z.array(Comment);
    },
  })
  .meta({ id: 'Comment' });
const Event = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opened'), when: z.date() }),
  z.object({ kind: z.literal('named'), when: z.string() }),
]);
const Post = z.object({
  at: z.date(),
  day: z.iso.datetime(),
  views: z.bigint(),
  id: z.int64(),
  gone: z.date().nullable(),
  likes: z.bigint().optional(),
  days: z.array(z.date()),
  by: z.record(z.string(), z.bigint()),
  pair: z.tuple([z.string(), z.date()]),
  events: z.array(Event),
  either: z.union([z.object({ a: z.date() }), z.object({ b: z.string() })]),
  mixed: z.union([z.string(), z.date()]),
  comment: Comment,
  both: z.intersection(z.object({ first: z.date() }), z.object({ last: z.date() })),
});
const post: z.infer<typeof Post> = {
  at,
  day: at.toISOString(),
  views: huge,
  id: -huge,
  gone: null,
  days: [at, at],
  by: { ann: 1n },
  pair: [at.toISOString(), at],
  events: [
    { kind: 'opened', when: at },
    { kind: 'named', when: at.toISOString() },
  ],
  either: { b: at.toISOString() },
  mixed: at.toISOString(),
  comment: { at, answers: [{ at, answers: [] }] },
  both: { first: at, last: at },
};
const Locked = defineError(409, 'Locked', {
  meta: z.object({ until: z.date(), size: z.bigint() }),
});
const Fields = z.object({
  from: z.coerce.date(),
  size: z.coerce.bigint(),
  more: z.array(z.coerce.date()).optional(),
});
const Seen = z.object({ from: z.date(), size: z.bigint(), more: z.array(z.date()).optional() });

it('gives dates and big integers where the schema has them, and texts where it has texts', async () => {
  const { api, source } = await openGeneratedClient({
    posts: {
      getPost: capability(() => post).output(Post),
      getDate: capability(() => at).output(z.date()),
      watchPosts: capability(async function* () {
        yield { at, views: huge };
      }, 'query').output(stream(Post.pick({ at: true, views: true }))),
      lockPost: capability((): string => {
        throw Locked('Locked', { until: at, size: huge });
      }).errors(Locked),
    },
  });
  const posts = api['posts'];
  expect(await posts?.['getPost']?.()).toEqual(post);
  expect(await posts?.['getDate']?.()).toEqual(at);
  const items: unknown[] = [];
  const watch = posts?.['watchPosts'] as () => Promise<AsyncIterable<unknown>>;
  for await (const item of await watch()) items.push(item);
  expect(items).toEqual([{ at, views: huge }]);
  await expect(posts?.['lockPost']?.()).rejects.toMatchObject({
    name: 'Locked',
    meta: { until: at, size: huge },
  });
  expect(source).toContain('readonly gone: Date | null;');
  expect(source).toContain('readonly mixed: string;');
  expect(source).toContain('readonly day: string;');
});

it('sends them in every place, and the server takes them exactly', async () => {
  const { api, document } = await openGeneratedClient({
    things: {
      createThing: capability(Fields, (input) => input).output(Seen),
      listThings: capability(Fields, (input) => input).output(Seen),
    },
  });
  const input = { from: at, size: huge, more: [at] };
  expect(await api['things']?.['createThing']?.(input)).toEqual(input);
  expect(await api['things']?.['listThings']?.(input)).toEqual(input);
  const { parameters = [] } = document.paths['/things']?.['get'] ?? {};
  expect(parameters.map(({ name, schema }) => [name, schema])).toEqual([
    ['from', { type: 'string', format: 'date-time' }],
    ['size', { type: 'string', pattern: '^-?\\d+$' }],
    ['more', { type: 'array', items: { type: 'string', format: 'date-time' } }],
  ]);
});
