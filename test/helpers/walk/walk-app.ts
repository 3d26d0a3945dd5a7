import * as z from 'zod';
import {
  type AnyCapability,
  bytes,
  capability,
  createServer,
  defaultErrors,
  defineError,
  defineGuard,
  generateOpenAPI,
  noContent,
  redirect,
  reply,
  restTransport,
  silentLogger,
  stream,
  text,
  uploadedFile,
} from '../../../server-runtime/index.ts';

const Taken = defineError(409, 'Taken', { meta: z.object({ by: z.string() }) });
const guard = defineGuard(
  (ctx: { readonly key?: string | undefined }) => {
    if (ctx.key === undefined) throw defaultErrors.Unauthorized();
  },
  { security: { type: 'apiKey', in: 'header', name: 'x-key' } },
);
const tree: z.ZodType<unknown> = z.object({
  name: z.string(),
  get children() {
    return z.array(tree);
  },
});

/** A schema of every kind that JSON can hold, with a value that fits and one that does not. */
export const kinds: Readonly<
  Record<string, readonly [schema: z.ZodType, good: unknown, bad: unknown]>
> = {
  string: [z.string().min(2).max(4), 'abc', 'a'],
  email: [z.email(), 'a@example.org', 'a'],
  uuid: [z.uuidv4(), '3b241101-e2bb-4255-8caf-4136c566a962', 'x'],
  dateTime: [z.iso.datetime({ offset: true }), '2026-01-02T03:04:05+01:00', 'yesterday'],
  day: [z.iso.date(), '2026-01-02', '2026-13-02'],
  time: [z.iso.time(), '03:04:05', 'noon'],
  url: [z.url(), 'https://a.example/b?c', 'a b'],
  duration: [z.iso.duration(), 'P1D', 'one day'],
  ip: [z.ipv4(), '127.0.0.1', '1.2'],
  password: [z.string().regex(/[A-Z]/).regex(/[0-9]/), 'A1', 'A'],
  start: [z.string().startsWith('a').includes('b'), 'ab', 'b'],
  template: [z.templateLiteral(['v', z.number()]), 'v1', 'x1'],
  number: [z.number().gt(1).lte(5).multipleOf(0.5), 1.5, 1],
  integer: [z.int().positive(), 1, 1.5],
  boolean: [z.boolean(), false, 'no'],
  literal: [z.literal(['a', 1, null]), 1, 2],
  enumeration: [z.enum(['a', 'b']), 'b', 'c'],
  nullable: [z.string().max(3).nullable(), null, 5],
  optional: [z.object({ a: z.string().optional() }), {}, { a: 1 }],
  fallback: [z.object({ a: z.string().default('x') }), { a: 'y' }, { a: 1 }],
  array: [z.array(z.number()).min(1).max(2), [1], []],
  tuple: [z.tuple([z.string(), z.number().optional()]), ['a'], [1]],
  rest: [z.tuple([z.string()], z.number()), ['a', 1, 2], ['a', 'b']],
  object: [z.object({ a: z.object({ b: z.string() }) }), { a: { b: 'c' } }, { a: {} }],
  strict: [z.strictObject({ a: z.string() }), { a: 'b' }, { a: 'b', c: 1 }],
  catchall: [
    z.object({ a: z.string() }).catchall(z.number()),
    { a: 'b', c: 1 },
    { a: 'b', c: 'd' },
  ],
  record: [z.record(z.string(), z.number()), { a: 1 }, { a: 'b' }],
  exact: [z.record(z.enum(['a', 'b']), z.number()), { a: 1, b: 2 }, { a: 1 }],
  union: [z.union([z.string(), z.object({ a: z.number() })]), { a: 1 }, 1],
  tagged: [
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('cat'), lives: z.number() }),
      z.object({ kind: z.enum(['dog', 'wolf']), bark: z.string() }),
    ]),
    { kind: 'wolf', bark: 'loud' },
    { kind: 'cat', bark: 'loud' },
  ],
  both: [
    z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
    { a: 'x', b: 1 },
    { a: 'x' },
  ],
  tree: [
    tree,
    { name: 'a', children: [{ name: 'b', children: [] }] },
    { name: 'a', children: [1] },
  ],
  json: [z.json(), { a: [1, null, { b: 'c' }] }, undefined],
  readonly: [z.array(z.string()).readonly(), ['a'], [1]],
  branded: [z.string().brand<'Id'>(), 'a', 1],
};

/** What is taken is another form of it than what is given. */
const Page = z.object({
  size: z.number().default(10),
  sort: z.object({ by: z.enum(['name', 'age']).default('name') }).prefault({}),
  note: z.string().trim().toLowerCase().optional(),
});

type Group = Record<string, AnyCapability>;
const echoes = Object.fromEntries(
  Object.entries(kinds).map(([name, [schema]]): [string, AnyCapability] => [
    `save${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    capability(z.object({ value: schema }), ({ value }) => value).output(schema),
  ]),
);
const answers: Group = {
  createIt: capability(z.object({}), () =>
    reply({ id: '1' }, { headers: { location: '/1' } }),
  ).output(z.object({ id: z.string() }), { status: 201, headers: { location: z.string() } }),
  removeIt: capability(z.object({ id: z.string() }), () => {}).output(noContent),
  exportCsv: capability(() => 'a,b\n', 'query').output(text('text/csv')),
  readImage: capability(() => new Uint8Array([1, 255]), 'query').output(bytes('image/png')),
  goAway: capability(() => '/else', 'query').output(redirect, { status: 303 }),
  watchAll: capability(async function* () {
    yield { n: 1 };
    yield { n: 2 };
  }, 'query').output(stream(z.object({ n: z.number() }))),
  startIt: capability(z.object({ late: z.boolean() }), ({ late }) =>
    late ? reply({ job: 'a' }, { status: 202 }) : { done: true },
  )
    .output(z.object({ done: z.boolean() }))
    .output(z.object({ job: z.string() }), { status: 202 }),
  fillIt: capability(
    z.object({ page: Page }),
    () => ({ pages: [{}, { size: 1 }], last: undefined }),
    'mutation',
  ).output(
    z.object({ pages: z.array(Page), last: Page.default({ size: 2, sort: { by: 'age' } }) }),
  ),
  turnIt: capability(
    () => ({ length: 'four', at: '2026-01-02', rows: ['a', 1], page: { note: ' A ' } }),
    'query',
  ).output(
    z.object({
      length: z
        .string()
        .transform((value) => value.length)
        .pipe(z.int()),
      at: z.coerce.date(),
      rows: z.array(z.string().catch('?') as z.ZodType<string, string | number>),
      page: Page,
    }),
  ),
  watchFilled: capability(async function* () {
    yield {};
  }, 'query').output(stream(Page)),
  vendorIt: capability(() => ({ a: 1 }), 'query').output(z.object({ a: z.number() }), {
    contentType: 'application/vnd.it+json',
  }),
  peekKept: capability(() => ({ a: 1 }), 'query')
    .output(z.object({ a: z.number() }))
    .cacheControl('private, max-age=60'),
  peekOld: capability(() => 1, 'query')
    .output(z.number())
    .deprecated({ since: '2026-01-01', sunset: '2027-01-01' }),
};
const errors: Group = {
  takeName: capability(z.object({ name: z.string() }), ({ name }) => {
    if (name === 'boom') throw new Error('boom');
    throw name === 'gone' ? defaultErrors.NotFound() : Taken('Taken', { by: 'ann' });
  }).errors(Taken, defaultErrors.NotFound),
  showSecret: capability.guard(guard)(() => 'secret', 'query') as unknown as AnyCapability,
  sendNothing: capability(z.object({}), () => null),
  sendFile: capability(
    z.object({ file: uploadedFile({ maxSize: 10, accept: ['text/plain'] }) }),
    () => null,
  ),
  listPages: capability(
    z.object({ page: z.coerce.number().int().optional(), tags: z.array(z.string()).optional() }),
    () => [],
  ),
  peekPages: capability(
    z.object({ where: z.object({ size: z.int(), tags: z.array(z.string()).optional() }) }),
    ({ where }) => where.size,
    'query',
  ).output(z.number()),
  sendForm: capability(
    z.object({ name: z.string(), version: z.int(), session: z.string().optional() }),
    ({ version }) => version,
  )
    .takes({ form: true, headers: { version: 'x-version' }, cookies: { session: 'sid' } })
    .output(z.number()),
};
const capabilities = { kinds: echoes, answers, errors };
export const document = generateOpenAPI(capabilities as never, { etag: true });

/** Serves the operations of the walk. */
export async function startWalk(): Promise<{
  readonly url: string;
  readonly stop: () => Promise<void>;
}> {
  const server = createServer({
    capabilities: capabilities as never,
    transports: [restTransport({ port: 0, host: '127.0.0.1', etag: true, compression: true })],
    logger: silentLogger,
  });
  const [started] = await server.start();
  return { url: started?.url ?? '', stop: () => server.stop({ graceMs: 0 }) };
}
