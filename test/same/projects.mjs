/** Random projects: the text of a module that exports `capabilities`, `restOptions` and `context`, the same for the same number. */

const header = `
import * as z from 'zod';
import * as capix from 'capix';
const { capability, defaultErrors, defineError, defineGuard, defineInputGuard, reply, uploadedFile } = capix;
const Taken = defineError(409, 'Taken', { meta: z.object({ by: z.string() }) });
const scheme = { type: 'apiKey', in: 'header', name: 'x-key' };
const isKnown = defineGuard((ctx) => { if (ctx.key === undefined) throw defaultErrors.Unauthorized(); },
  { name: 'isKnown', security: scheme, errors: [defaultErrors.Unauthorized] });
const isAdmin = defineGuard(async (ctx) => { if (ctx.key !== 'admin') throw defaultErrors.Forbidden('Admins only'); },
  { name: 'isAdmin' });
const isShort = defineInputGuard((input) => { if (JSON.stringify(input).length > 200) throw Taken('Too long', { by: 'ann' }); },
  { name: 'isShort' });
export const context = capix.defineContext(({ headers }) => ({ key: headers['x-key'] }));
const Named = z.object({ id: z.string(), name: z.string().min(1) }).meta({ id: 'Named' });
`;

const verbs = [
  ['get', 'get', 'get', 'get', 'list', 'find', 'fetch', 'read', 'search', 'filter', 'all'],
  ['create', 'add', 'new'],
  ['update', 'edit', 'patch', 'modify'],
  ['replace', 'set', 'put'],
  ['delete', 'remove', 'destroy', 'cancel', 'unfollow'],
  ['approve', 'settle', 'undo', 'import', 'address', 'send'],
];
const nouns = ['Items', 'Item', 'ActiveUsers', 'URL', 'V2', 'Note', ''];
/** Names that say more than their first word; a group of one has no other name that takes its route. */
const twoWords = [
  'findAndDelete',
  'getOrCreate',
  'readAndClear',
  'createOrReplace',
  'listAll',
  'searchByName',
];
const groups = ['items', 'users', 'userNotes', 'news', 'people', 'v2'];
const names = [
  'id',
  'name',
  'size',
  'tags',
  'email',
  'at',
  'colour',
  'address',
  'note',
  'isOpen',
  'kind',
  'x_y',
];

/** A schema and an expression of a value that fits it. */
const leaves = [
  ['z.string()', "'abc'"],
  ['z.string().min(2).max(8)', "'abcd'"],
  ['z.string().regex(/^[a-z]+$/)', "'abc'"],
  ['z.string().trim().toLowerCase()', "'abc'"],
  ['z.email()', "'a@example.org'"],
  ['z.uuid()', "'0b6f4c9e-6c1d-4f0a-9d5e-2f1c3b4a5d6e'"],
  ['z.url()', "'https://example.org/a?b=c'"],
  ['z.iso.datetime()', "'2026-01-31T10:00:00Z'"],
  ['z.iso.date()', "'2026-01-31'"],
  ['z.date()', 'new Date(0)'],
  ['z.bigint()', '12n'],
  ['z.int()', '3'],
  ['z.int().min(1).max(9)', '5'],
  ['z.number()', '1.5'],
  ['z.number().gt(0).multipleOf(0.5)', '2.5'],
  ['z.coerce.number()', '7'],
  ['z.boolean()', 'true'],
  ["z.enum(['red', 'blue'])", "'red'"],
  ["z.literal(['on', 1, null])", '1'],
  ['z.null()', 'null'],
  ['z.any()', '{ a: 1 }'],
  ['Named', "{ id: '1', name: 'ann' }"],
  ["z.templateLiteral(['v', z.int()])", "'v1'"],
];
const enhancers = [
  'capix.withTimeout(2000)',
  "capix.withRateLimit({ limit: 2, windowMs: 3_600_000, by: () => 'all' })",
  "capix.withIdempotency({ by: () => 'all' })",
  'capix.withCircuitBreaker()',
];
const restOptions = [
  '{}',
  '{}',
  "{ prefix: '/api', etag: true }",
  "{ urlCase: 'snake', cors: { origin: 'https://web.example', credentials: true } }",
  "{ urlCase: 'camel', envelope: capix.bareEnvelope }",
  '{ envelope: capix.problemDetails, cors: false }',
  '{ compression: true, docs: true }',
  '{ maxBodySize: 200, calls: true, multipart: { maxFiles: 1 } }',
];

/** `number`: the seed of the project, which also chooses its `restOptions`; those of one remainder by 8 have the same. */
export function generateProject(number) {
  const random = createRandom(number + 1);
  const used = random.some(groups, 1, 3);
  const tree = used.map((group) => `  ${group}: ${toGroup(random, 0)},`);
  const options = restOptions[number % restOptions.length];
  return `${header}\nexport const restOptions = ${options};\nexport const capabilities = {\n${tree.join('\n')}\n};\n`;
}

function toGroup(random, depth) {
  const chosen = random.some(verbs, 2, 5).map((words) => random.pick(words) + random.pick(nouns));
  const entries = chosen.map((name) => `    ${name}: ${toCapability(random, name)},`);
  if (depth === 0 && random.chance(0.2)) entries.push(`    parts: ${toGroup(random, 1)},`);
  if (random.chance(0.2)) {
    const name = random.pick(twoWords);
    entries.push(`    more: { ${name}: ${toCapability(random, name)} },`);
  }
  return `{\n${entries.join('\n')}\n  }`;
}

function toCapability(random, name) {
  const fields = random.chance(0.15)
    ? undefined
    : toFields(random, 0, random.chance(0.6) ? ['id'] : []);
  const [modifiers, handler] = toOutput(random);
  const intent = random.chance(0.2)
    ? `, '${random.pick(['query', 'mutation', 'update', 'replace', 'delete'])}'`
    : '';
  const input = fields === undefined ? '' : `${fields[0]}, `;
  const more = [
    [0.15, '.guard(isKnown)'],
    [0.1, '.guard(isAdmin)'],
    [0.1, '.inputGuard(isShort)'],
    [0.2, '.errors(Taken, defaultErrors.NotFound)'],
    [0.3, `.enhance(${random.pick(enhancers)})`],
    [0.3, ".describe('Does `it`: *well*.')"],
    [0.08, ".deprecated({ since: '2026-01-01' })"],
    [0.05, '.tool(false)'],
    [0.05, '.tool({ destructive: true, approve: true })'],
    [0.05, ".cacheControl('private, max-age=60')"],
  ];
  const isRead = /^(get|list|find|fetch|read|search|filter|all)/.test(name);
  if (isRead)
    more.push([0.2, ".enhance(capix.withCache({ ttlMs: 3_600_000, scope: () => 'all' }))"]);
  const said = more.filter(([chance]) => random.chance(chance)).map(([, text]) => text);
  return `capability(${input}${handler}${intent})${modifiers}${said.join('')}`;
}

/** What is declared of the response, and the handler that makes it. */
function toOutput(random) {
  const [schema, value] = toFields(random, 0, []);
  const echo = '(input) => ({ input })';
  const fails =
    "(input) => { if (input?.name === 'abc') throw Taken('Taken', { by: 'ann' }); return { input }; }";
  return random.pick([
    ['', echo],
    ['', echo],
    ['', fails],
    [
      '',
      'async (input, ctx) => ({ key: ctx.key, at: new Date(0), big: 1n, none: undefined, nan: [1] })',
    ],
    ['', '() => {}'],
    ['', '() => { throw defaultErrors.NotFound(); }'],
    ['', "() => { throw new Error('boom'); }"],
    ['', "() => new Map([['a', 1]])"],
    [`.output(${schema})`, `() => (${value})`],
    [`.output(${schema})`, `() => (${value})`],
    [`.output(${schema})`, `() => ({ ...${value}, more: 1 })`],
    [`.output(${schema})`, '() => ({ wrong: true })'],
    [
      `.output(${schema}, { status: 201 })`,
      `() => reply(${value}, { headers: { location: '/1', 'x-odd': 'a' } })`,
    ],
    ['.output(capix.noContent)', '() => {}'],
    [".output(capix.text('text/csv'))", "() => 'a,b'"],
    [".output(capix.bytes('image/png'))", '() => new Uint8Array([1, 255])'],
    ['.output(capix.redirect)', "() => 'https://example.org/'"],
    [`.output(capix.stream(${schema}))`, `async function* () { yield ${value}; yield ${value}; }`],
  ]);
}

/** `[schema, value]` of an object, with the fields of `wanted` as texts. */
function toFields(random, depth, wanted) {
  const chosen = random
    .some(names, depth === 0 ? 0 : 1, 4)
    .filter((name) => !wanted.includes(name));
  const rows = [
    ...wanted.map((name) => [name, ['z.string()', "'1'"]]),
    ...chosen.map((name) => [name, toField(random, depth)]),
  ];
  const at = (index) => rows.map(([name, field]) => `${name}: ${field[index]}`).join(', ');
  return [`z.${random.chance(0.1) ? 'strictObject' : 'object'}({ ${at(0)} })`, `{ ${at(1)} }`];
}

function toField(random, depth) {
  const [schema, value] =
    depth < 2 && random.chance(0.3) ? toNested(random, depth) : random.pick(leaves);
  const [end] = random.pick([
    [''],
    [''],
    [''],
    ['.optional()'],
    ['.nullable()'],
    [".describe('Said')"],
    ['.default'],
  ]);
  return [end === '.default' ? `${schema}.default(${value})` : schema + end, value];
}

function toNested(random, depth) {
  const [a, b] = [toField(random, depth + 1), toField(random, depth + 1)];
  return random.pick([
    () => toFields(random, depth + 1, []),
    () => [`z.array(${a[0]})`, `[${a[1]}]`],
    () => [`z.array(${a[0]}).min(1).max(2)`, `[${a[1]}]`],
    () => [`z.tuple([${a[0]}, ${b[0]}])`, `[${a[1]}, ${b[1]}]`],
    () => [`z.union([${a[0]}, ${b[0]}])`, a[1]],
    () => [`z.record(z.string(), ${a[0]})`, `{ k: ${a[1]} }`],
    () => [
      `z.discriminatedUnion('is', [z.object({ is: z.literal('a'), a: ${a[0]} }), z.object({ is: z.literal('b'), b: ${b[0]} })])`,
      `{ is: 'b', b: ${b[1]} }`,
    ],
    () => ["uploadedFile({ maxSize: 20, accept: ['text/plain'] })", "'x'"],
  ])();
}

/** Numbers that look random, the same for the same seed (mulberry32). */
export function createRandom(seed) {
  let state = seed * 0x9e3779b9;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = (list) => list[Math.floor(next() * list.length)];
  /** From `least` to `most` of them, each at most once. */
  const some = (list, least, most) => {
    const rest = [...list];
    const count = least + Math.floor(next() * (most - least + 1));
    return Array.from({ length: count }, () => rest.splice(Math.floor(next() * rest.length), 1)[0]);
  };
  return { pick, some, chance: (share) => next() < share };
}
