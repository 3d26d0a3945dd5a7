import {
  bytes,
  capability,
  compileRegistry,
  createServer,
  defaultErrors,
  defineContext,
  defineError,
  defineGuard,
  generateOpenAPI,
  noContent,
  reply,
  restTransport,
  silentLogger,
  stream,
  text,
  uploadedFile,
} from 'capix';
import * as z from 'zod';

const Cat = z.object({ kind: z.literal('cat'), lives: z.int() }).meta({ id: 'Cat' });
const Dog = z.object({ kind: z.literal('dog'), bark: z.string() }).meta({ id: 'Dog' });
const Pet = z.discriminatedUnion('kind', [Cat, Dog]).meta({ id: 'Pet' });
const Person = z
  .object({
    name: z.string().min(1),
    get friends() {
      return z.array(Person);
    },
  })
  .meta({ id: 'Person' });
// Where a body has `extra`, openapi-fetch 0.17 makes of its recursion a type that nothing fits.
const Item = z
  .object({
    id: z.string(),
    name: z.string(),
    price: z.number().nullable(),
    born: z.iso.datetime(),
    tags: z.array(z.string()),
    sizes: z.record(z.string(), z.number()),
    place: z.tuple([z.number(), z.number()]).optional(),
    pet: Pet.optional(),
    owner: Person.optional(),
    extra: z.json().optional(),
  })
  .meta({ id: 'Item' });
const Taken = defineError(409, 'Taken', { meta: z.object({ by: z.string() }) });
const mustHaveToken = defineGuard(
  (ctx) => {
    if (ctx.token !== 'Bearer secret') throw defaultErrors.Unauthorized();
  },
  { errors: [defaultErrors.Unauthorized], security: { type: 'http', scheme: 'bearer' } },
);

export const item = {
  id: 'a/b c',
  name: 'Ä "1"',
  price: null,
  born: '2026-01-02T03:04:05Z',
  tags: ['x', 'y'],
  sizes: { s: 1 },
  place: [1.5, 2],
  pet: { kind: 'dog', bark: 'loud' },
  owner: { name: 'Ada', friends: [{ name: 'Bob', friends: [] }] },
  extra: [1, { a: null }],
};

const items = {
  getItem: capability(z.object({ id: z.string() }), ({ id }) => {
    if (id === 'none') throw defaultErrors.NotFound('No such item');
    return { ...item, id };
  })
    .output(Item)
    .errors(defaultErrors.NotFound),
  listItems: capability(
    z.object({
      tags: z.array(z.string()).optional(),
      limit: z.int().max(100).default(10),
      soldOut: z.boolean().optional(),
      where: z.object({ min: z.number(), name: z.string().optional() }).optional(),
      tenant: z.string().optional(),
    }),
    (input) => input,
  )
    .takes({ headers: { tenant: 'x-tenant' } })
    .output(z.looseObject({ limit: z.int() })),
  createItem: capability(Item.omit({ id: true, extra: true }), (input) => {
    if (input.name === 'taken') throw Taken('Taken', { by: 'ann' });
    return reply({ ...input, id: '8' }, { headers: { location: '/items/8' } });
  })
    .output(Item, { status: 201, headers: { location: z.string() } })
    .errors(Taken),
  savePet: capability(z.object({ id: z.string(), pet: Pet }), ({ pet }) => pet, 'replace')
    .output(Pet)
    .route('PUT', '/items/:id/pet'),
  removeItem: capability(z.object({ id: z.string() }), () => {}).output(noContent),
  exportItems: capability(() => 'a,b\n', 'query')
    .output(text('text/csv'))
    .route('GET', '/csv'),
  watchItems: capability(async function* () {
    for (let n = 1; n <= 3; n++) yield { n };
  }, 'query')
    .output(stream(z.object({ n: z.int() })))
    .route('GET', '/ticks'),
  readSecret: capability
    .withContext()
    .guard(mustHaveToken)(() => ({ secret: true }), 'query')
    .output(z.object({ secret: z.boolean() }))
    .route('GET', '/secret'),
};
const files = {
  uploadFile: capability(
    z.object({
      note: z.string(),
      file: uploadedFile({ maxSize: 1000 }),
      more: z.array(uploadedFile()).optional(),
    }),
    ({ note, file, more = [] }) => ({
      note,
      size: file.size,
      type: file.mimeType,
      more: more.length,
    }),
  ).output(z.object({ note: z.string(), size: z.int(), type: z.string(), more: z.int() })),
  readImage: capability(() => new Uint8Array([1, 2, 255]), 'query')
    .output(bytes('image/png'))
    .route('GET', '/image'),
};

export const capabilities = { items, files };

export const server = createServer({
  context: defineContext(({ headers }) => ({ token: headers.authorization })),
  capabilities,
  transports: [restTransport({ port: 0, host: '127.0.0.1' })],
  logger: silentLogger,
});

export const toDocument = (url) =>
  generateOpenAPI(compileRegistry(capabilities), {
    title: 'Items',
    version: '1.0.0',
    servers: [{ url }],
  });
