import { type } from 'arktype';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import * as z from 'zod';
import type { GuardOptions } from '../../../server-runtime/capability/guard.ts';
import {
  type AnyCapability,
  bareEnvelope,
  capability,
  compileRegistry,
  defineEnvelope,
  defineError,
  defineGuard,
  type ErrorFactory,
  type Schema,
  stream,
} from '../../../server-runtime/index.ts';
import type { SharedRestOptions } from '../../../source/document/parse-rest-options.ts';
import { describeApi } from '../../../source/manifest/describe-api.ts';

const flows = { clientCredentials: { tokenUrl: '/token', scopes: { read: '', write: '' } } };
const withGuard = (options: GuardOptions): AnyCapability =>
  capability(() => 1).guard(defineGuard(() => {}, { name: 'a', ...options })) as never;
const taking = (a: Schema) => capability(z.object({ a: a as z.ZodType }), () => 1);
const takingOther = (schema: Schema): AnyCapability => capability(schema, () => 1) as never;
const giving = (schema: Schema): AnyCapability =>
  capability(() => null as never, 'query').output(schema) as never;
const failing = (...errors: ErrorFactory[]): AnyCapability =>
  capability(() => 1).errors(...errors) as never;
const Taken = (meta?: z.ZodType) =>
  defineError(409, 'Taken', meta && ({ meta } as object)) as ErrorFactory;
const Closed = defineError(409, 'Closed');
const routed = capability(() => 1, 'query').route('GET', '/a');
const user = z.object({ id: z.string(), name: z.string() });
const text = z.string();

/** Changes of one capability that its callers notice. */
const pairs: readonly (readonly [name: string, before: AnyCapability, after: AnyCapability])[] = [
  [
    'a scope',
    withGuard({ security: { type: 'oauth2', flows }, scopes: ['read'] }),
    withGuard({ security: { type: 'oauth2', flows }, scopes: ['read', 'write'] }),
  ],
  [
    'a credential that becomes required',
    withGuard({ security: { type: 'http', scheme: 'bearer' }, isOptional: true }),
    withGuard({ security: { type: 'http', scheme: 'bearer' } }),
  ],
  [
    'an alternative that goes',
    withGuard({
      security: [
        { type: 'http', scheme: 'bearer' },
        { type: 'http', scheme: 'basic' },
      ],
    }),
    withGuard({ security: { type: 'http', scheme: 'bearer' } }),
  ],
  ['a second route that goes', routed.route('GET', '/b'), routed],
  [
    'a field of the facts of an error',
    failing(Taken(user)),
    failing(Taken(user.omit({ name: true }))),
  ],
  [
    'facts of an error that may be null',
    failing(Taken(z.object({ a: text }))),
    failing(Taken(z.object({ a: text.nullable() }))),
  ],
  ['facts of an error that go', failing(Taken(user)), failing(Taken())],
  [
    'the same, where a status has two errors',
    failing(Taken(user), Closed),
    failing(Taken(), Closed),
  ],
  ['an error of two of one status', failing(Taken(user), Closed), failing(Taken(user))],
  ['flag i', taking(text.regex(/x/i)), taking(text.regex(/x/))],
  ['flag s', taking(text.regex(/x./s)), taking(text.regex(/x./))],
  ['a protocol', taking(z.url()), taking(z.url({ protocol: /^https$/ }))],
  ['a host', taking(z.url()), taking(z.url({ hostname: /^a$/ }))],
  ['httpUrl', taking(z.url()), taking(z.httpUrl())],
  ['an algorithm', taking(z.jwt()), taking(z.jwt({ alg: 'HS256' }))],
  ['a pipe', taking(text.pipe(text.min(1))), taking(text.pipe(text.min(3)))],
  [
    'a pipe behind a transform',
    taking(text.transform(Number)),
    taking(text.transform(Number).pipe(z.number().min(3))),
  ],
  ['a trim before a limit', taking(text.min(1)), taking(text.trim().min(1))],
  ['a trim before a pattern', taking(text.trim().regex(/^a/)), taking(text.regex(/^a/))],
  ['the order of both', taking(text.trim().refine(Boolean)), taking(text.refine(Boolean).trim())],
  ['a catch', taking(text.catch('x')), taking(text)],
  [
    'an exclusive union',
    taking(z.union([user, z.object({ id: text })])),
    taking(z.xor([user, z.object({ id: text })])),
  ],
  ['a coerced number', taking(z.coerce.number()), taking(z.number())],
  ['a coerced boolean', taking(z.coerce.boolean()), taking(z.boolean())],
  ['a preprocess', taking(z.preprocess(String, text)), taking(text)],
  [
    'the words of a stringbool',
    taking(z.stringbool({ truthy: ['y'], falsy: ['n'] })),
    taking(z.stringbool({ truthy: ['j'], falsy: ['n'] })),
  ],
  ['a refinement', taking(text), taking(text.refine((value) => value !== 'a'))],
  [
    'another refinement',
    taking(text.refine((value) => value !== 'b')),
    taking(text.refine((value) => value !== 'a')),
  ],
  ['a limit of a date', taking(z.date()), taking(z.date().min(new Date(0)))],
  ['a limit of a bigint', taking(z.bigint()), taking(z.bigint().min(3n))],
  ['a size of a file', taking(z.file()), taking(z.file().max(10))],
  [
    'a check of valibot',
    takingOther(v.object({ a: v.string() })),
    takingOther(
      v.object({
        a: v.pipe(
          v.string(),
          v.check((a) => a !== 'q'),
        ),
      }),
    ),
  ],
  [
    'a check of arktype',
    takingOther(type({ a: 'string' })),
    takingOther(type({ a: 'string' }).narrow(({ a }) => a !== 'q')),
  ],
  [
    'a resource',
    capability(() => 1, 'query').resource('a://b'),
    capability(() => 1, 'query').resource('a://c'),
  ],
  [
    'the items of a stream',
    giving(stream(user) as never),
    giving(stream(user.omit({ name: true })) as never),
  ],
  [
    'a date in an answer that is a text',
    giving(z.object({ at: z.date() })),
    giving(z.object({ at: z.iso.datetime() })),
  ],
];

it.each(pairs)('the document tells %s', (_name, before, after) => {
  expect(describeOne(after)).not.toBe(describeOne(before));
});

const one = capability(() => 1);

/** Changes of the options of a transport that callers notice. */
const options: readonly (readonly [
  name: string,
  before: SharedRestOptions,
  after: SharedRestOptions,
])[] = [
  ['calls by key', { calls: true }, {}],
  ['the origins of browsers', {}, { cors: { origin: 'https://a.example' } }],
  ['the methods of browsers', {}, { cors: { methods: 'GET' } }],
  ['no browsers', {}, { cors: false }],
  ['the time', { timeoutMs: 2000 }, { timeoutMs: 1000 }],
  ['the prefix', {}, { prefix: '/api' }],
  ['the envelope', {}, { envelope: bareEnvelope }],
  ['the status of bad inputs', {}, { envelope: defineEnvelope({ validationStatus: 422 }) }],
  ['the size of bodies', {}, { maxBodySize: 10 }],
  ['forms', {}, { multipart: false }],
];

it.each(options)('the document tells %s', (_name, before, after) => {
  expect(describeOne(one, after)).not.toBe(describeOne(one, before));
});

it('the document is the same for the same capabilities', () => {
  const same = () => taking(text.trim().refine((value) => value !== 'a'));
  expect(describeOne(same())).toBe(describeOne(same()));
});

function describeOne(cap: AnyCapability, restOptions: SharedRestOptions = {}): string {
  const registry = compileRegistry({ things: { makeThing: cap } });
  return JSON.stringify(describeApi({ registry, restOptions }).document);
}
