import { type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';
import type { AnswerOptions } from '../../../../server-runtime/capability/content.ts';
import {
  capability,
  defaultErrors,
  defineError,
  defineGuard,
  type RestOptions,
  stream,
  text,
} from '../../../../server-runtime/index.ts';
import type { Audience } from '../../../../source/contract/changes/rule.ts';

const one = capability(z.object({ id: z.string() }), () => 1);
const takes = (field: z.ZodType) => capability(z.object({ a: field }), () => 1);
const gives = (output: z.ZodType, options?: AnswerOptions) =>
  capability(z.object({}), () => 1 as never).output(output, options);
const asks = (options: object, name = 'mustBeUser') =>
  capability(z.object({}), () => 1).guard(
    defineGuard(() => {}, { name, errors: [defaultErrors.Unauthorized], ...options }),
  );
const flows = { clientCredentials: { tokenUrl: '/token', scopes: { r: '', w: '' } } };
const oauth = { type: 'oauth2', flows } as const;
const bearer = { type: 'http', scheme: 'bearer' } as const;
const key = { type: 'apiKey', in: 'header', name: 'x-key' } as const;
const refuses = (meta?: z.ZodType) =>
  capability(z.object({}), () => 1).errors(
    defineError(409, 'Taken', meta === undefined ? {} : ({ meta } as never)),
  );
const User = z.object({ id: z.string() });
const other = defaultErrors.Conflict;

export interface SilentEdit {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly restOptions?: readonly [before: RestOptions, after: RestOptions];
  /** Those who must hear of it, as at least risky; nobody for a change that nobody notices as one. */
  readonly audience: readonly Audience[];
}

const all = ['http', 'client', 'agents'] as const;
const both = ['http', 'client'] as const;

type Row = readonly [
  before: unknown,
  after: unknown,
  audience: readonly Audience[],
  restOptions?: readonly [RestOptions, RestOptions],
];

// biome-ignore format: an edit a line.
const rows: Readonly<Record<string, Row>> = {
  'a scope more': [asks({ security: oauth, scopes: ['r'] }), asks({ security: oauth, scopes: ['r', 'w'] }), all],
  'another scope': [asks({ security: oauth, scopes: ['r'] }), asks({ security: oauth, scopes: ['w'] }), all],
  'a credential that was optional': [asks({ security: bearer, isOptional: true }), asks({ security: bearer }), all],
  'a choice of credentials fewer': [asks({ security: [bearer, key] }), asks({ security: bearer }), all],
  'a choice of credentials more': [asks({ security: bearer }), asks({ security: [bearer, key] }), []],
  'a second route removed': [one.route('GET', '/a/:id').route('GET', '/b/:id'), one.route('GET', '/a/:id'), ['http']],
  'the first route removed': [one.route('GET', '/a/:id').route('GET', '/b/:id'), one.route('GET', '/b/:id'), ['http']],
  'routes in another order': [one.route('GET', '/a/:id').route('GET', '/b/:id'), one.route('GET', '/b/:id').route('GET', '/a/:id'), []],
  'a wildcard in the place of a parameter': [one.route('GET', '/a/:id'), one.route('GET', '/a/*id'), []],
  'a parameter in the place of a wildcard': [one.route('GET', '/a/*id'), one.route('GET', '/a/:id'), both],
  'a field of the meta of an error removed': [refuses(z.object({ by: z.string(), at: z.string() })), refuses(z.object({ by: z.string() })), all],
  'a field of the meta of an error that may be null': [refuses(z.object({ by: z.string() })), refuses(z.object({ by: z.string().nullable() })), all],
  'no meta of an error any more': [refuses(z.object({ by: z.string() })), refuses(), all],
  'meta of one of two errors of a status': [refuses(z.object({ by: z.string() })).errors(other), refuses(z.object({ by: z.int() })).errors(other), all],
  'flag of a regular expression removed': [takes(z.string().regex(/x/i)), takes(z.string().regex(/x/)), all],
  'flag of a regular expression added': [takes(z.string().regex(/x/)), takes(z.string().regex(/x/s)), all],
  'protocol of a URL': [takes(z.url()), takes(z.url({ protocol: /^https$/ })), all],
  'host of a URL': [takes(z.url()), takes(z.url({ hostname: /example/ })), all],
  'a URL of HTTP': [takes(z.url()), takes(z.httpUrl()), all],
  'algorithm of a token': [takes(z.jwt()), takes(z.jwt({ alg: 'HS256' })), all],
  'a rule behind a pipe': [takes(z.string().pipe(z.string().min(1))), takes(z.string().pipe(z.string().min(3))), all],
  'a rule behind a conversion': [takes(z.string().transform(Number)), takes(z.string().transform(Number).pipe(z.number().min(3))), all],
  'trimmed before a rule': [takes(z.string().min(1)), takes(z.string().trim().min(1)), all],
  'no longer trimmed before a pattern': [takes(z.string().trim().regex(/^a$/)), takes(z.string().regex(/^a$/)), all],
  'no longer caught': [takes(z.int().catch(1)), takes(z.int()), all],
  'exactly one of two': [takes(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])), takes(z.xor([z.object({ a: z.string() }), z.object({ b: z.string() })])), all],
  'no longer converted to a number': [takes(z.coerce.number()), takes(z.number()), all],
  'no longer converted to a boolean': [takes(z.coerce.boolean()), takes(z.boolean()), all],
  'no longer prepared': [takes(z.preprocess((value) => Number(value), z.number())), takes(z.number()), all],
  'other words for true and false': [takes(z.stringbool()), takes(z.stringbool({ truthy: ['yes'], falsy: ['no'] })), all],
  'a check of valibot': [capability(v.object({ a: v.string() }), () => 1), capability(v.object({ a: v.pipe(v.string(), v.check((text) => text !== 'b')) }), () => 1), all],
  'a check of arktype': [capability(type({ a: 'string' }), () => 1), capability(type({ a: 'string' }).narrow(({ a }) => a !== 'b'), () => 1), all],
  'another address of a resource': [one.resource('items://{id}'), one.resource('things://{id}'), ['agents']],
  'no resource any more': [one.resource('items://{id}'), one, ['agents']],
  'no prompt any more': [gives(z.string()).prompt(), gives(z.string()), ['agents']],
  'a header that may be missing': [gives(User, { headers: { 'x-a': z.string() } }), gives(User, { headers: { 'x-a': z.string().optional() } }), both],
  'letters of a header': [gives(User, { headers: { 'X-A': z.string() } }), gives(User, { headers: { 'x-a': z.string() } }), []],
  'items of a stream': [gives(stream(z.object({ a: z.string(), b: z.string() })) as never), gives(stream(z.object({ a: z.string() })) as never), all],
  'a media type': [gives(text('text/csv') as never), gives(text('text/plain') as never), all],
  'the inferred client no longer served': [one, one, ['client'], [{ calls: true }, {}]],
  'the inferred client served': [one, one, [], [{}, { calls: true }]],
  'CORS of one site': [one, one, both, [{}, { cors: { origin: 'https://example.org' } }]],
  'fewer methods of CORS': [one, one, both, [{}, { cors: { methods: 'GET' } }]],
  'no CORS any more': [one, one, both, [{}, { cors: false }]],
  'CORS where there was none': [one, one, [], [{ cors: false }, {}]],
  'a shorter timeout of the server': [one, one, all, [{}, { timeoutMs: 1000 } as never]],
  'a date as a text': [gives(z.date()), gives(z.iso.datetime()), ['client']],
  'a text of a date as a codec': [gives(z.iso.datetime()), gives(z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })), ['client']],
  'a text of a date that is sent as a date': [takes(z.iso.datetime()), takes(z.coerce.date()), ['client']],
  'a query that is text either way': [capability(z.object({ q: z.union([z.string(), z.number()]) }), () => 1, 'query'), capability(z.object({ q: z.string() }), () => 1, 'query'), ['client', 'agents']],
};

/** Changes that were silent or false alarms once, with those who must hear of them. */
export const silentEdits: readonly (readonly [string, SilentEdit])[] = [
  ...Object.entries(rows).map(([name, [before, after, audience, restOptions]]) => {
    const edit = { before: { item: before }, after: { item: after }, audience };
    return [name, restOptions === undefined ? edit : { ...edit, restOptions }] as const;
  }),
  [
    'a new route that takes requests of another one',
    {
      before: { getItem: one },
      after: { getItem: one, getTop: capability(z.object({}), () => 1) },
      audience: both,
    },
  ],
];
