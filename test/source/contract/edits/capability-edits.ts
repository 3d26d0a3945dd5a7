import * as z from 'zod';
import type { AnswerOptions } from '../../../../server-runtime/capability/content.ts';
import type { SecurityScheme } from '../../../../server-runtime/capability/guard.ts';
import type { TakesOptions } from '../../../../server-runtime/capability/http.ts';
import {
  type AnyCapability,
  bareEnvelope,
  bytes,
  capability,
  defaultErrors,
  defineEnvelope,
  defineGuard,
  defineInputGuard,
  defineMiddleware,
  problemDetails,
  type RestOptions,
  text,
  withCache,
  withIdempotency,
  withRateLimit,
  withTimeout,
} from '../../../../server-runtime/index.ts';

const { Conflict, Forbidden, NotFound, Unauthorized } = defaultErrors;
const keyErrors = withIdempotency().errors;
const one = capability(z.object({ id: z.string() }), () => 1);
const all = capability(z.object({}), () => 1);
const bearer = { type: 'http', scheme: 'bearer' } as const;
const header = { type: 'apiKey', in: 'header', name: 'x-key' } as const;

function asks(security: SecurityScheme, name = 'mustBeUser') {
  return all.guard(defineGuard(() => {}, { name, security, errors: [Unauthorized] }));
}

function needs(...scopes: readonly string[]) {
  const offered = { read: '', write: '', admin: '' };
  const flows = { clientCredentials: { tokenUrl: 'https://example.org/token', scopes: offered } };
  const security = { type: 'oauth2', flows } as const;
  return all.guard(
    defineGuard(() => {}, { name: 'mustBeUser', security, scopes, errors: [Unauthorized] }),
  );
}

function guarded(...names: readonly string[]) {
  return names.reduce((each, name) => each.guard(defineGuard(() => {}, { name })), all);
}

function refusing(name: string, error: typeof Forbidden | typeof Conflict) {
  return all.guard(defineGuard(() => {}, { name, errors: [error] }));
}

const admin = defineGuard(() => {}, {
  name: 'mustBeAdmin',
  security: bearer,
  errors: [Unauthorized],
});

function role(name: string, error: typeof Forbidden | typeof Conflict = Forbidden) {
  return defineMiddleware(({ next }) => next(), { name, errors: [error] });
}

function played(name: string) {
  return all.use(role(name));
}

function owned(name: string) {
  return all.inputGuard(defineInputGuard(() => {}, { name }));
}

function limited(...limits: readonly (readonly [limit: number, windowMs: number])[]) {
  return limits.reduce<AnyCapability>(
    (each, [limit, windowMs]) => each.enhance(withRateLimit({ limit, windowMs })),
    all,
  );
}

function ends(sunset?: string) {
  return all.deprecated({ since: '2026-01-01', ...(sunset === undefined ? {} : { sunset }) });
}

const withLocation = { headers: { location: z.string() } };

function takes(field: z.ZodType) {
  return capability(z.object({ a: field }), () => 1);
}

function isKnown(name: string): boolean {
  return name !== 'nobody';
}

function toTree(check: (name: string) => boolean): z.ZodType {
  const tree = z.object({
    name: z.string().refine(check),
    get children() {
      return z.array(tree);
    },
  });
  return tree;
}

/** With declared answers, by status, whatever its handler gives. */
function answers(map: object, options: AnswerOptions = {}): unknown {
  const made = Object.entries(map).reduce<unknown>(
    (each, [status, what]) =>
      Reflect.apply((each as typeof all).output, each, [
        what,
        { ...options, status: Number(status) },
      ]),
    all,
  );
  return made;
}

const match = z.object({ id: z.string(), match: z.string() });
const session = z.object({ session: z.string().optional() });

/** Takes `match` from the place that is named. */
function matches(place: TakesOptions<'match'>) {
  return capability(match, () => 1).takes(place);
}

type Capabilities = Readonly<Record<string, unknown>>;

export interface CapabilityEdit {
  readonly name: string;
  /** The group `items` as it was. */
  readonly before: Capabilities;
  readonly after: Capabilities;
  readonly restOptions?: readonly [before: RestOptions, after: RestOptions];
  readonly rules: readonly string[];
}

type Row = readonly [
  name: string,
  before: Capabilities,
  after: Capabilities,
  ...rules: readonly string[],
];

// biome-ignore format: an edit a line.
const rows: readonly Row[] = [
  ['capability added', {}, { all }, 'safe capability-added'],
  ['capability removed', { all }, {}, 'breaking capability-removed'],
  ['capability removed after its end', { all: ends('2026-02-01') }, {}, 'risky capability-removed'],
  ['capability removed before its end', { all: ends('2027-02-01') }, {}, 'breaking capability-removed'],
  ['capability renamed on its route', { getOne: one }, { fetchOne: one }, 'breaking capability-removed', 'safe capability-added'],
  ['name and method changed', { listAll: all }, { createAll: all }, 'breaking capability-removed', 'safe capability-added'],
  ['query that became a mutation', { ping: capability(z.object({}), () => 1, 'query') }, { ping: capability(z.object({}), () => 1) }, 'breaking route-changed', 'risky intent-changed'],
  ['intent of an update', { send: capability(z.object({}), () => 1) }, { send: capability(z.object({}), () => 1, 'replace') }, 'breaking route-changed', 'risky intent-changed'],
  ['guard of a scheme where there was none', { all }, { all: asks(bearer) }, 'breaking credential-changed'],
  ['guard of a scheme renamed', { all: asks(bearer) }, { all: asks(bearer, 'isUser') }, 'risky guard-changed'],
  ['bearer token to header', { all: asks(bearer) }, { all: asks(header) }, 'breaking credential-changed'],
  ['header renamed', { all: asks(header) }, { all: asks({ ...header, name: 'x-token' }) }, 'breaking credential-changed'],
  ['header in other letters', { all: asks(header) }, { all: asks({ ...header, name: 'X-Key' }) }],
  ['header to cookie', { all: asks(header) }, { all: asks({ ...header, in: 'cookie' }) }, 'breaking credential-changed'],
  ['basic to bearer', { all: asks({ type: 'http', scheme: 'basic' }) }, { all: asks(bearer) }, 'breaking credential-changed'],
  ['OpenID of another place', { all: asks({ type: 'openIdConnect', openIdConnectUrl: 'https://a.example' }) }, { all: asks({ type: 'openIdConnect', openIdConnectUrl: 'https://b.example' }) }, 'breaking credential-changed'],
  ['credential no longer asked for', { all: asks(bearer) }, { all }, 'risky guard-removed'],
  ['second credential', { all: asks(bearer) }, { all: asks(bearer).guard(defineGuard(() => {}, { name: 'key', security: header })) }, 'breaking credential-changed'],
  ['scope more', { all: needs('read') }, { all: needs('read', 'write') }, 'breaking credential-changed'],
  ['scope less', { all: needs('read', 'write') }, { all: needs('read') }, 'safe credential-changed'],
  ['first guard that says nothing', { all }, { all: guarded('a') }, 'breaking guard-added'],
  ['second guard', { all: guarded('a') }, { all: guarded('a', 'b') }, 'risky guard-added'],
  ['guard removed', { all: guarded('a', 'b') }, { all: guarded('a') }, 'risky guard-removed'],
  ['last guard removed', { all: guarded('a') }, { all }, 'risky guard-removed'],
  ['guard that says nothing in the place of another', { all: guarded('a') }, { all: guarded('b') }, 'risky guard-changed'],
  ['guard that declares other errors in the place of another', { all: refusing('a', Forbidden) }, { all: refusing('b', Conflict) }, 'risky guard-added', 'risky guard-removed'],
  ['guard of the same credential more', { all: asks(bearer) }, { all: asks(bearer).guard(admin) }, 'risky guard-added'],
  ['guard of the same credential less', { all: asks(bearer).guard(admin) }, { all: asks(bearer) }, 'risky guard-removed'],
  ['guard without its own errors less', { all: refusing('a', Forbidden).errors(Forbidden).guard(admin) }, { all: refusing('a', Forbidden).errors(Forbidden) }, 'risky guard-removed'],
  ['guard less and another credential', { all: asks(bearer).guard(admin) }, { all: asks(header) }, 'breaking credential-changed', 'risky guard-removed'],
  ['input guard renamed', { all: owned('isOwner') }, { all: owned('isMember') }, 'risky guard-changed'],
  ['guard that runs after validation', { all: guarded('a') }, { all: all.inputGuard(defineInputGuard(() => {}, { name: 'a' })) }, 'risky guard-changed'],
  ['middleware of a role in the place of another', { all: played('isStaff') }, { all: played('isAdmin') }, 'risky guard-changed'],
  ['middleware of a role more', { all: guarded('a') }, { all: guarded('a').use(role('isStaff')) }, 'risky guard-added'],
  ['middleware of a role fewer', { all: played('isStaff') }, { all }, 'risky guard-removed'],
  ['middleware that refuses nobody for a role', { all: all.use(role('a', Conflict)) }, { all: all.use(role('b', Conflict)) }, 'safe middleware-changed', 'safe middleware-changed'],
  ['guards in another order', { all: guarded('a', 'b') }, { all: guarded('b', 'a') }, 'risky guard-changed'],
  ['guard that declares its errors renamed', { all: all.guard(defineGuard(() => {}, { name: 'a', errors: [Forbidden] })) }, { all: all.guard(defineGuard(() => {}, { name: 'b', errors: [Forbidden] })) }, 'risky guard-changed'],
  ['input guard', { all: guarded('a') }, { all: guarded('a').inputGuard(defineInputGuard(() => {}, { name: 'own' })) }, 'risky guard-added'],
  ['error added', { all }, { all: all.errors(Conflict) }, 'risky error-added'],
  ['error removed', { all: all.errors(Conflict) }, { all }, 'risky error-removed'],
  ['error replaced', { all: all.errors(Conflict) }, { all: all.errors(NotFound) }, 'risky error-added', 'risky error-removed'],
  ['another status', { createOne: answers({ 200: z.object({}) }) }, { createOne: answers({ 201: z.object({}) }) }, 'breaking response-status-changed'],
  ['a status more', { createOne: answers({ 200: z.object({}) }) }, { createOne: answers({ 200: z.object({}), 202: z.object({}) }) }, 'risky response-status-added'],
  ['a status less', { createOne: answers({ 200: z.object({}), 202: z.object({}) }) }, { createOne: answers({ 200: z.object({}) }) }, 'safe response-status-removed'],
  ['field of a second answer', { createOne: answers({ 200: z.object({}), 202: z.object({ a: z.string() }) }) }, { createOne: answers({ 200: z.object({}), 202: z.object({}) }) }, 'breaking output-field-removed'],
  ['text to bytes', { getAll: answers({ 200: text('text/csv') }) }, { getAll: answers({ 200: bytes('text/csv') }) }, 'breaking response-type-changed'],
  ['text of another type', { getAll: answers({ 200: text('text/csv') }) }, { getAll: answers({ 200: text('text/plain') }) }, 'breaking response-type-changed'],
  ['a header more', { createOne: answers({ 200: z.object({}) }) }, { createOne: answers({ 200: z.object({}) }, withLocation) }, 'safe output-field-added'],
  ['a header less', { createOne: answers({ 200: z.object({}) }, withLocation) }, { createOne: answers({ 200: z.object({}) }) }, 'breaking output-field-removed'],
  ['shorter timeout', { all: all.enhance(withTimeout(2000)) }, { all: all.enhance(withTimeout(1000)) }, 'risky timeout-changed'],
  ['longer timeout', { all: all.enhance(withTimeout(1000)) }, { all: all.enhance(withTimeout(2000)) }, 'safe timeout-changed'],
  ["shorter timeout than the server's", { all }, { all: all.enhance(withTimeout(1000)) }, 'risky timeout-changed'],
  ['rate limit added', { all }, { all: limited([9, 1000]) }, 'risky error-added'],
  ['rate limit lower', { all: limited([9, 1000]) }, { all: limited([5, 1000]) }, 'risky rate-limit-changed'],
  ['rate limit of a longer time', { all: limited([9, 1000]) }, { all: limited([9, 9000]) }, 'risky rate-limit-changed'],
  ['rate limit higher', { all: limited([5, 1000]) }, { all: limited([9, 1000]) }, 'safe rate-limit-changed'],
  ['the first of two rate limits lower', { all: limited([99, 9000], [9, 1000]) }, { all: limited([50, 9000], [9, 1000]) }, 'risky rate-limit-changed'],
  ['a second rate limit', { all: limited([99, 9000]) }, { all: limited([99, 9000], [90, 1000]) }, 'risky rate-limit-changed'],
  ['keys taken', { makeOne: all.errors(...keyErrors) }, { makeOne: all.errors(...keyErrors).enhance(withIdempotency()) }, 'safe idempotency-key-changed'],
  ['keys required', { makeOne: all.enhance(withIdempotency()) }, { makeOne: all.enhance(withIdempotency({ required: true })) }, 'breaking idempotency-key-required'],
  ['keys optional', { makeOne: all.enhance(withIdempotency({ required: true })) }, { makeOne: all.enhance(withIdempotency()) }, 'safe idempotency-key-changed'],
  ['keys ignored', { makeOne: all.errors(...keyErrors).enhance(withIdempotency()) }, { makeOne: all.errors(...keyErrors) }, 'risky idempotency-key-changed'],
  ['keys of a query', { findOne: all.errors(...keyErrors) }, { findOne: all.errors(...keyErrors).enhance(withIdempotency()) }],
  ['cached for longer', { all: all.enhance(withCache({ ttlMs: 1000 })) }, { all: all.enhance(withCache({ ttlMs: 9000 })) }, 'risky cache-changed'],
  ['cached for less', { all: all.enhance(withCache({ ttlMs: 9000 })) }, { all: all.enhance(withCache({ ttlMs: 1000 })) }, 'safe cache-changed'],
  ['deprecated', { all }, { all: ends() }, 'safe deprecation-changed'],
  ['deprecated with an end', { all }, { all: ends('2027-01-01') }, 'risky sunset-changed', 'safe deprecation-changed'],
  ['no longer deprecated', { all: ends('2027-01-01') }, { all }, 'safe deprecation-changed'],
  ['end added', { all: ends() }, { all: ends('2027-01-01') }, 'risky sunset-changed'],
  ['end earlier', { all: ends('2027-02-01') }, { all: ends('2027-01-01') }, 'breaking sunset-changed'],
  ['end later', { all: ends('2027-01-01') }, { all: ends('2027-02-01') }, 'safe sunset-changed'],
  ['end without a date', { all: ends('2027-01-01') }, { all: ends() }, 'risky sunset-changed'],
  ['shown to agents', { all: all.tool(false) }, { all }, 'safe tool-changed'],
  ['hidden from agents', { all }, { all: all.tool(false) }, 'breaking tool-changed'],
  ['tool renamed', { all }, { all: all.tool({ name: 'every' }) }, 'breaking tool-changed'],
  ['tool that says it destroys', { all }, { all: all.tool({ destructive: true }) }, 'risky tool-hint-changed'],
  ['number in the path became text', { getOne: capability(z.object({ id: z.number() }), () => 1) }, { getOne: one }, 'breaking input-type-narrower'],
  ['number in the query became text', { listAll: capability(z.object({ page: z.int() }), () => 1) }, { listAll: capability(z.object({ page: z.string() }), () => 1) }, 'breaking input-type-narrower'],
  ['one in the query became a list', { listAll: capability(z.object({ tag: z.string() }), () => 1) }, { listAll: capability(z.object({ tag: z.array(z.string()) }), () => 1) }, 'breaking input-type-narrower'],
  ['number in a body became text', { createAll: capability(z.object({ page: z.int() }), () => 1) }, { createAll: capability(z.object({ page: z.string() }), () => 1) }, 'breaking input-type-narrower'],
  ['check added', { createAll: takes(z.string()) }, { createAll: takes(z.string().refine(isKnown)) }, 'breaking input-limit-narrower'],
  ['check removed', { createAll: takes(z.string().refine(isKnown)) }, { createAll: takes(z.string()) }, 'safe input-limit-wider'],
  ['check of another text', { createAll: takes(z.string().refine((name) => name !== 'a')) }, { createAll: takes(z.string().refine((name) => name !== 'b')) }, 'risky input-unclear'],
  ['check of the same text', { createAll: takes(z.string().refine((name) => name !== 'a')) }, { createAll: takes(z.string().refine((name) => name !== 'a')) }],
  ['check on a whole object', { createAll: takes(z.string()) }, { createAll: capability(z.object({ a: z.string() }).refine(({ a }) => a !== ''), () => 1) }, 'breaking input-limit-narrower'],
  ['check of a field that is new', { createAll: capability(z.object({}), () => 1) }, { createAll: takes(z.string().refine(isKnown).optional()) }, 'safe input-field-added'],
  ['check of an item of a list', { createAll: takes(z.array(z.string())) }, { createAll: takes(z.array(z.string().refine(isKnown))) }, 'breaking input-limit-narrower'],
  ['check by a custom type', { createAll: takes(z.custom<string>((value) => value === 'a')) }, { createAll: takes(z.custom<string>((value) => value === 'b')) }, 'risky input-unclear'],
  ['check by .superRefine added', { createAll: takes(z.string()) }, { createAll: takes(z.string().superRefine(() => {})) }, 'breaking input-limit-narrower'],
  ['check inside a schema that contains itself', { createAll: takes(toTree((name) => name !== 'a')) }, { createAll: takes(toTree((name) => name !== 'b')) }, 'risky input-unclear'],
  ['check of an answer', { all: all.output(z.int()) }, { all: all.output(z.int().refine((value) => value > 1)) }],
  ['field of the body to a header', { createAll: capability(match, () => 1) }, { createAll: matches({ headers: { match: 'if-match' } }) }, 'breaking sent-field-moved'],
  ['field of a header to the query', { getOne: matches({ headers: { match: 'if-match' } }) }, { getOne: capability(match, () => 1) }, 'breaking sent-field-moved'],
  ['field of a header to a cookie', { getOne: matches({ headers: { match: 'x-match' } }) }, { getOne: matches({ cookies: { match: 'x-match' } }) }, 'breaking sent-field-moved'],
  ['another header', { getOne: matches({ headers: { match: 'x-match' } }) }, { getOne: matches({ headers: { match: 'if-match' } }) }, 'breaking sent-field-moved'],
  ['header in other letters', { getOne: matches({ headers: { match: 'If-Match' } }) }, { getOne: matches({ headers: { match: 'if-match' } }) }],
  ['another cookie', { getOne: matches({ cookies: { match: 'a' } }) }, { getOne: matches({ cookies: { match: 'A' } }) }, 'breaking sent-field-moved'],
  ['optional field of the query to a cookie', { listAll: capability(session, () => 1) }, { listAll: capability(session, () => 1).takes({ cookies: { session: 'sid' } }) }, 'risky sent-field-moved'],
  ['field of a header renamed', { getOne: matches({ headers: { match: 'if-match' } }) }, { getOne: capability(z.object({ id: z.string(), tag: z.string() }), () => 1).takes({ headers: { tag: 'if-match' } }) }, 'breaking sent-field-renamed'],
  ['new field in a header', { getOne: one }, { getOne: matches({ headers: { match: 'if-match' } }) }, 'breaking input-field-required'],
  ['field of a header removed', { getOne: matches({ headers: { match: 'if-match' } }) }, { getOne: one }, 'risky input-field-removed'],
  ['number in a header became text', { createAll: capability(z.object({ a: z.int() }), () => 1).takes({ headers: { a: 'x-a' } }) }, { createAll: takes(z.string()).takes({ headers: { a: 'x-a' } }) }, 'breaking input-type-narrower'],
  ['forms of a capability no longer taken', { createAll: takes(z.string()).takes({ form: true }) }, { createAll: takes(z.string()) }, 'breaking input-limit-narrower'],
  ['forms of a capability taken', { createAll: takes(z.string()) }, { createAll: takes(z.string()).takes({ form: true }) }, 'safe input-limit-wider'],
  ['input and output at once', { createAll: capability(z.object({ a: z.string() }), () => ({ b: 1 })).output(z.object({ b: z.int() })) }, { createAll: capability(z.object({ a: z.string().optional() }), () => ({})).output(z.object({ b: z.int().optional() })) }, 'breaking output-field-optional', 'safe input-field-optional'],
];

function toOverride(path: `/${string}`): RestOptions {
  return { overrides: { 'items.getOne': { method: 'GET', path } } };
}

const ofServer: readonly CapabilityEdit[] = [
  {
    name: 'path changed',
    before: { getOne: one },
    after: { getOne: one },
    restOptions: [toOverride('/things/:id'), toOverride('/items/:id')],
    rules: ['breaking route-changed'],
  },
  {
    name: 'parameter of the path renamed',
    before: { getOne: one },
    after: { getOne: capability(z.object({ key: z.string() }), () => 1) },
    restOptions: [toOverride('/items/:id'), toOverride('/items/:key')],
    rules: ['breaking sent-field-renamed'],
  },
  {
    name: 'smaller bodies',
    before: { all },
    after: { all },
    restOptions: [{}, { maxBodySize: 1000 }],
    rules: ['risky body-limit-changed'],
  },
  {
    name: 'larger files',
    before: { all },
    after: { all },
    restOptions: [{}, { multipart: { maxFileSize: 99_000_000 } }],
    // A whole form may have as much as its largest file.
    rules: ['safe body-limit-changed', 'safe body-limit-changed'],
  },
  {
    name: 'no forms any more',
    before: { all },
    after: { all },
    restOptions: [{}, { multipart: false }],
    rules: ['risky body-limit-changed'],
  },
  {
    name: 'forms',
    before: { all },
    after: { all },
    restOptions: [{ multipart: false }, {}],
    rules: ['safe body-limit-changed'],
  },
  {
    name: 'another prefix',
    before: { getOne: one, all },
    after: { getOne: one, all },
    restOptions: [{ prefix: '/v1' }, { prefix: '/v2' }],
    rules: ['breaking prefix-changed'],
  },
  {
    name: 'a prefix, and another path below it',
    before: { getOne: one },
    after: { getOne: one },
    restOptions: [toOverride('/things/:id'), { ...toOverride('/items/:id'), prefix: '/v2' }],
    rules: ['breaking route-changed', 'breaking prefix-changed'],
  },
  {
    name: 'data in another field',
    before: { all },
    after: { all },
    restOptions: [{}, { envelope: defineEnvelope({ dataField: 'result' }) }],
    rules: ['breaking envelope-changed'],
  },
  {
    name: 'data sent bare',
    before: { all },
    after: { all },
    restOptions: [{}, { envelope: bareEnvelope }],
    rules: ['breaking envelope-changed'],
  },
  {
    name: 'refusals of another format',
    before: { all },
    after: { all },
    restOptions: [{}, { envelope: problemDetails }],
    rules: [
      'breaking envelope-changed',
      'risky error-format-changed',
      'breaking output-field-removed',
      'breaking output-field-removed',
      ...Array.from({ length: 5 }, () => 'safe output-field-added'),
    ],
  },
  {
    name: 'answers that are tagged',
    before: { all },
    after: { all },
    restOptions: [{}, { etag: true }],
    rules: ['safe etag-changed'],
  },
  {
    name: 'answers that are not tagged any more',
    before: { all },
    after: { all },
    restOptions: [{ etag: true }, {}],
    rules: ['risky etag-changed'],
  },
  {
    name: 'answers that caches keep',
    before: { all, getOne: one },
    after: { all, getOne: one.cacheControl('no-store') },
    rules: ['risky cache-control-changed'],
  },
  {
    name: 'another status of an input that does not fit',
    before: { all },
    after: { all },
    restOptions: [{}, { envelope: defineEnvelope({ validationStatus: 422 }) }],
    rules: ['risky error-format-changed'],
  },
  {
    name: 'renamed by an override that keeps its route, with a new field',
    before: { getOne: one },
    after: { fetchOne: capability(z.object({ id: z.string(), unit: z.string() }), () => 1) },
    restOptions: [{}, { overrides: { 'items.fetchOne': { method: 'GET', path: '/items/:id' } } }],
    rules: [
      'breaking capability-renamed',
      'breaking input-field-required',
      'safe capability-added',
    ],
  },
];

/** Edits of capabilities in the group `items`, and the rules that tell of them, worst first. */
export const capabilityEdits: readonly CapabilityEdit[] = [
  ...rows.map(([name, before, after, ...rules]) => ({ name, before, after, rules })),
  ...ofServer,
];
