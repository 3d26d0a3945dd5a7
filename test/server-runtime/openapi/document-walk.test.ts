import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
  type OperationObject,
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
const kinds: Readonly<Record<string, readonly [schema: z.ZodType, good: unknown, bad: unknown]>> = {
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
  catchall: [z.object({ a: z.string() }).catchall(z.number()), { a: 'b', c: 1 }, { a: 'b', c: 'd' }],
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
  both: [z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })), { a: 'x', b: 1 }, { a: 'x' }],
  tree: [tree, { name: 'a', children: [{ name: 'b', children: [] }] }, { name: 'a', children: [1] }],
  json: [z.json(), { a: [1, null, { b: 'c' }] }, undefined],
  readonly: [z.array(z.string()).readonly(), ['a'], [1]],
  branded: [z.string().brand<'Id'>(), 'a', 1],
};

type Group = Record<string, AnyCapability>;
const echoes = Object.fromEntries(
  Object.entries(kinds).map(([name, [schema]]): [string, AnyCapability] => [
    `save${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    capability(z.object({ value: schema }), ({ value }) => value).output(schema),
  ]),
);
const answers: Group = {
  createIt: capability(z.object({}), () => reply({ id: '1' }, { headers: { location: '/1' } })).output(
    z.object({ id: z.string() }),
    { status: 201, headers: { location: z.string() } },
  ),
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
  ).answers({ 200: z.object({ done: z.boolean() }), 202: z.object({ job: z.string() }) }),
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
  sendFile: capability(z.object({ file: uploadedFile({ maxSize: 10, accept: ['text/plain'] }) }), () => null),
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
const document = generateOpenAPI(capabilities as never, { etag: true });
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ $id: 'doc', ...document });

interface Place {
  readonly path: string;
  readonly method: string;
  readonly operation: OperationObject;
  readonly pointer: string;
}
const escape = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
const places = new Map<string, Place>(
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [
      operation.operationId,
      { path, method: method.toUpperCase(), operation, pointer: `doc#/paths/${escape(path)}/${method}` },
    ]),
  ),
);

const server = createServer({
  capabilities: capabilities as never,
  transports: [restTransport({ port: 0, host: '127.0.0.1', etag: true, compression: true })],
  logger: silentLogger,
});
let url = '';
beforeAll(async () => {
  url = (await server.start())[0]?.url ?? '';
});
afterAll(() => server.stop({ graceMs: 0 }));

/** Sends a request, and gives its status with every way in which the answer is not what the document says of it. */
async function violationsOf(id: string, init: RequestInit = {}, query = ''): Promise<readonly unknown[]> {
  const place = places.get(id);
  if (place === undefined) return [`no operation ${id}`];
  const { path, method, operation } = place;
  const response = await fetch(`${url}${path.replaceAll(/\{\w+\}/g, '7')}${query}`, {
    method,
    redirect: 'manual',
    ...init,
  });
  const { status, headers } = response;
  const body = Buffer.from(await response.arrayBuffer());
  const said = operation.responses[status];
  if (said === undefined) return [status, 'a status that the document does not have'];
  const at = '$ref' in said ? `doc${said.$ref}` : `${place.pointer}/responses/${status}`;
  const found = '$ref' in said ? document.components.responses[said.$ref.split('/').at(-1) ?? ''] : said;
  const missing = Object.entries(found?.headers ?? {}).filter(
    ([name, { required }]) => required === true && !headers.has(name),
  );
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  const media = found?.content?.[type];
  const faults: unknown[] = missing.map(([name]) => `no header ${name}`);
  if (found?.content === undefined) return [status, ...faults, ...(body.length === 0 ? [] : ['a body'])];
  if (media === undefined) return [status, ...faults, `the type ${type}`];
  const schema = `${at}/content/${escape(type)}/schema`;
  if (/[/+]json$/.test(type)) return [status, ...faults, ...faultsOf(schema, JSON.parse(body.toString()))];
  if ('contentSchema' in media.schema) {
    const items = body.toString().match(/^data: .*$/gm) ?? body.toString().trim().split('\n');
    const all = items.flatMap((line) => faultsOf(`${schema}/contentSchema`, JSON.parse(line.replace(/^data: /, ''))));
    return [status, ...faults, ...all];
  }
  return [status, ...faults];
}

function faultsOf(schema: string, value: unknown): readonly unknown[] {
  const validate = ajv.getSchema(schema) ?? ajv.compile({ $ref: schema });
  return validate(value) === true ? [] : [validate.errors];
}

const json = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

it.each(Object.entries(kinds))(
  'takes and answers %s as the document says, and refuses what it does not admit',
  async (name, [, good, bad]) => {
    const id = `kinds_save${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const place = places.get(id);
    const body = `${place?.pointer ?? ''}/requestBody/content/application~1json/schema`;
    expect(faultsOf(body, { value: good })).toEqual([]);
    expect(await violationsOf(id, json({ value: good }))).toEqual([200]);
    if (bad === undefined) return;
    expect(faultsOf(body, { value: bad })).not.toEqual([]);
    expect(await violationsOf(id, json({ value: bad }))).toEqual([400]);
  },
);

const fromElsewhere = { origin: 'https://evil.example' };

it('walks every operation of the document', () => {
  expect(places.size).toBeGreaterThanOrEqual(50);
});

it.each<[string, number, RequestInit?, string?]>([
  ['answers_createIt', 201, { method: 'POST' }],
  ['answers_removeIt', 204],
  ['answers_exportCsv', 200],
  ['answers_readImage', 200],
  ['answers_goAway', 303],
  ['answers_watchAll', 200, { headers: { accept: 'text/event-stream' } }],
  ['answers_watchAll', 200, { headers: { accept: 'application/x-ndjson' } }],
  ['answers_startIt', 200, json({ late: false })],
  ['answers_startIt', 202, json({ late: true })],
  ['answers_vendorIt', 200],
  ['answers_peekKept', 200],
  ['answers_peekKept', 304, { headers: { 'if-none-match': '*' } }],
  ['answers_peekOld', 200],
  ['errors_takeName', 409, json({ name: 'ann' })],
  ['errors_takeName', 404, json({ name: 'gone' })],
  ['errors_takeName', 500, json({ name: 'boom' })],
  ['errors_takeName', 400, json({ name: 1 })],
  ['errors_takeName', 400, { headers: { 'content-type': 'application/json' }, body: '{' }],
  ['errors_takeName', 413, json({ name: 'x'.repeat(1_100_000) })],
  ['errors_takeName', 415, { body: 'x', headers: { 'content-type': 'text/plain' } }],
  ['errors_showSecret', 401],
  ['errors_sendNothing', 200],
  ['errors_sendNothing', 413, json({ a: 'x'.repeat(1_100_000) })],
  ['errors_sendNothing', 415, { body: 'x', headers: { 'content-type': 'text/plain' } }],
  ['errors_sendFile', 200, { body: formOf('a.txt', 'text/plain', 'abc') }],
  ['errors_sendFile', 413, { body: formOf('a.txt', 'text/plain', 'abc'.repeat(10)) }],
  ['errors_sendFile', 415, { body: formOf('a.png', 'image/png', 'abc') }],
  ['errors_sendFile', 400, { body: new FormData() }],
  ['errors_sendFile', 403, { body: formOf('a.txt', 'text/plain', 'abc'), headers: fromElsewhere }],
  ['errors_listPages', 200, {}, '?page=1&tags=a&tags=b'],
  ['errors_listPages', 400, {}, '?page=x'],
  ['errors_peekPages', 200, {}, '?where[size]=1&where[tags]=a'],
  ['errors_peekPages', 400, {}, '?where[size]=x'],
  [
    'errors_sendForm',
    200,
    { body: new URLSearchParams({ name: 'a' }), headers: { 'x-version': '1', cookie: 'sid=2' } },
  ],
  ['errors_sendForm', 400, { body: new URLSearchParams({ name: 'a' }), headers: { 'x-version': 'x' } }],
  [
    'errors_sendForm',
    403,
    { body: new URLSearchParams({ name: 'a' }), headers: { 'x-version': '1', ...fromElsewhere } },
  ],
])('%s answers %i as the document says', async (id, status, init, query) => {
  expect(await violationsOf(id, init, query)).toEqual([status]);
});

function formOf(name: string, type: string, content: string): FormData {
  const form = new FormData();
  form.append('file', new File([content], name, { type }));
  return form;
}
