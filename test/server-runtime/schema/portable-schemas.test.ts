/* oxlint-disable no-useless-escape -- needless escapes are what is tested here */
import { type } from 'arktype';
import * as fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability, generateOpenAPI, type ServerOptions } from '../../../server-runtime/index.ts';
import { toPortablePattern } from '../../../server-runtime/schema/portable-pattern.ts';
import type { Schema } from '../../../server-runtime/schema/schema.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';
import { createStrictReader } from '../../helpers/strict-reader.ts';

/** A schema with values of which most fit. */
interface Case {
  readonly schema: Schema;
  readonly values: fc.Arbitrary<unknown>;
}

const digits = (length: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const time = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2099-12-31') });
const isoTexts = time.chain((date) => {
  const text = date.toISOString();
  const local = text.slice(0, 19);
  const forms = [text, local, local.slice(0, 16), text.slice(0, 10), text.slice(11, 19)];
  return fc.constantFrom(
    ...forms,
    text.slice(11, 16),
    `${local}+02:00`,
    `${local}Z`,
    `${local}.5Z`,
  );
});
const urls = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    'https://example.org/ü',
    'https://example.org/?q=a|b',
    'https://example.org/{id}',
    'https://example.org/a b',
    'https://example.org/a[1]',
    'http://localhost',
    'mailto:a@example.org',
  ),
);
const emails = fc.oneof(fc.emailAddress(), fc.constantFrom('ü@example.org', 'a@b', 'a+b@c.org'));
const words = fc.stringMatching(/^[a-zA-Z0-9_.@ -]{0,12}$/);
const hex = fc.stringMatching(/^[0-9a-f]{64}$/);
const base64 = fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes));
const ips = fc.oneof(fc.ipV4(), fc.ipV6());
const decimals = fc.integer({ min: -10_000, max: 10_000 }).map((cents) => cents / 100);
const characters = fc.string({ unit: 'grapheme', maxLength: 6 });
const names = fc.stringMatching(/^[a-z_.-]{1,6}$/);

/** Expressions that are written without the flag `u`, most of which it refuses, and texts that match. */
const patternTexts: readonly (readonly [RegExp, RegExp])[] = [
  [/^[\w-.]+$/, /^[\w.-]{1,9}$/],
  [/^[\w.-]+\@[\w]+$/, /^[\w.-]{1,5}@\w{1,5}$/],
  [/^a\-b\_c$/, /^a-b_c$/],
  [/^[A-Za-z\_\-]+$/, /^[A-Za-z_-]{1,9}$/],
  [/^{[a-z]+}$/, /^\{[a-z]{1,9}\}$/],
  [/^[^\s-]+]?$/, /^[a-z]{1,9}\]?$/],
  [/^(?<year>\d{4})-(?<month>\d\d)$/, /^\d{4}-\d\d$/],
  [/^\d+\%$/, /^\d{1,9}%$/],
  [/^[\d-\w]*$/, /^[\w-]{0,9}$/],
];
const patterns = patternTexts.map(([pattern]) => pattern);

function toPatternCases(toSchema: (pattern: RegExp) => unknown): readonly Case[] {
  return patternTexts.map(([pattern, texts]) => ({
    schema: toSchema(pattern) as Schema,
    values: fc.stringMatching(texts),
  }));
}

const zodTexts: readonly Case[] = [
  ...[
    z.email(),
    z.email({ pattern: z.regexes.html5Email }),
    z.email({ pattern: z.regexes.unicodeEmail }),
    z.email({ pattern: z.regexes.rfc5322Email }),
  ].map((schema) => ({ schema, values: emails })),
  ...[z.url(), z.httpUrl(), z.url({ protocol: /^https$/ })].map((schema) => ({
    schema,
    values: urls,
  })),
  ...[
    z.iso.time(),
    z.iso.date(),
    z.iso.datetime(),
    z.iso.datetime({ local: true }),
    z.iso.datetime({ offset: true }),
    z.iso.datetime({ precision: -1 }),
    z.iso.datetime({ precision: 3 }),
    z.iso.time({ precision: 0 }),
  ].map((schema) => ({ schema, values: isoTexts })),
  ...[z.ipv4(), z.ipv6()].map((schema) => ({ schema, values: ips })),
  ...[z.cidrv4(), z.cidrv6()].map((schema) => ({
    schema,
    values: ips.chain((ip) => fc.nat(32).map((bits) => `${ip}/${bits}`)),
  })),
  ...[z.uuid(), z.guid(), z.uuidv4(), z.uuidv7()].map((schema) => ({ schema, values: fc.uuid() })),
  ...[z.base64(), z.base64url()].map((schema) => ({
    schema,
    values: base64.chain((bytes) =>
      fc.constantFrom(bytes.toString('base64'), bytes.toString('base64url')),
    ),
  })),
  ...[
    z.hex(),
    z.hash('sha256'),
    z.nanoid(),
    z.cuid2(),
    z.string().lowercase(),
    z.string().includes('a'),
  ].map((schema) => ({ schema, values: fc.oneof(hex, words) })),
  ...[
    z.hostname(),
    z.e164(),
    z.iso.duration(),
    z.emoji(),
    z.jwt(),
    z.mac(),
    z.ulid(),
    z.xid(),
    z.ksuid(),
    z.cuid(),
  ].map((schema) => ({
    schema,
    values: fc.constantFrom(
      'a.example.org',
      'localhost',
      '+4912345678',
      'P1DT2H',
      'PT1.5S',
      'P3W',
      '😀',
      'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
      '00:1a:2b:3c:4d:5e',
      '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      '9m4e2mr0ui3e8a215n4g',
      '0o5Fs0EELR0fUjHjbCnEtdUwQe3',
      'cjld2cjxh0000qzrmn831i7rn',
    ),
  })),
  ...toPatternCases((pattern) => z.string().regex(pattern)),
  {
    schema: z.stringFormat('plate', /^[A-Z]{1,3}\-\d+$/),
    values: fc.stringMatching(/^[A-Z]{1,3}-\d+$/),
  },
  { schema: z.stringFormat('even', (text) => text.length % 2 === 0), values: words },
  {
    schema: z.templateLiteral(['a-', z.number().int()]),
    values: fc.nat().map((count) => `a-${count}`),
  },
  { schema: z.number().multipleOf(0.01), values: decimals },
  { schema: z.number().min(-5).max(50), values: decimals },
  { schema: z.int().multipleOf(3), values: fc.integer().map((count) => count * 3) },
  { schema: z.enum(['a', 'b']), values: fc.constantFrom('a', 'b') },
  { schema: z.boolean(), values: fc.boolean() },
  { schema: z.string().min(3).max(5), values: characters },
  { schema: z.tuple([]), values: fc.constant([]) },
  { schema: z.tuple([]).rest(z.boolean()), values: fc.array(fc.boolean()) },
];

const valibotTexts: readonly Case[] = [
  ...[v.email(), v.rfcEmail()].map((action) => ({
    schema: v.pipe(v.string(), action),
    values: emails,
  })),
  { schema: v.pipe(v.string(), v.url()), values: urls },
  ...[v.isoTime(), v.isoTimeSecond(), v.isoDate(), v.isoDateTime(), v.isoTimestamp()].map(
    (action) => ({ schema: v.pipe(v.string(), action as never), values: isoTexts }),
  ),
  ...[v.ip(), v.ipv4(), v.ipv6()].map((action) => ({
    schema: v.pipe(v.string(), action as never),
    values: ips,
  })),
  { schema: v.pipe(v.string(), v.uuid()), values: fc.uuid() },
  ...[
    v.base64(),
    v.hexadecimal(),
    v.digits(),
    v.nanoid(),
    v.slug(),
    v.decimal(),
    v.octal(),
    v.bic(),
    v.domain(),
    v.mac(),
    v.hexColor(),
  ].map((action) => ({
    schema: v.pipe(v.string(), action as never),
    values: fc.oneof(
      words,
      digits(4),
      base64.map(String),
      fc.constantFrom('a-b', 'DEUTDEFF', 'example.org', '00:1a:2b:3c:4d:5e', '#fff', '0o7'),
    ),
  })),
  ...toPatternCases((pattern) => v.pipe(v.string(), v.regex(pattern))),
  { schema: v.pipe(v.number(), v.multipleOf(0.01)), values: decimals },
  { schema: v.pipe(v.number(), v.minValue(-5), v.maxValue(50)), values: decimals },
  { schema: v.picklist(['a', 'b']), values: fc.constantFrom('a', 'b') },
  { schema: v.boolean(), values: fc.boolean() },
] as readonly Case[];

const arktypeTexts: readonly Case[] = [
  { schema: type('string.email'), values: emails },
  { schema: type('string.url'), values: urls },
  { schema: type('string.uuid'), values: fc.uuid() },
  { schema: type('string.ip'), values: ips },
  { schema: type('string.date.iso'), values: isoTexts },
  ...(
    [
      'string.hex',
      'string.base64',
      'string.semver',
      'string.alphanumeric',
      'string.integer',
      'string.numeric',
      'string.lower.preformatted',
      'string.creditCard',
      'string.json',
    ] as const
  ).map((name) => ({
    schema: type(name as 'string'),
    values: fc.oneof(
      words,
      digits(3),
      base64.map(String),
      fc.constantFrom('1.2.3', '-5', '1.5', '{}', '4111111111111111'),
    ),
  })),
  ...toPatternCases((pattern) => type(pattern)),
  { schema: type('number % 2'), values: fc.integer().map((count) => count * 2) },
  { schema: type('-5 <= number <= 50'), values: decimals },
  { schema: type("'a' | 'b'"), values: fc.constantFrom('a', 'b') },
  { schema: type('boolean'), values: fc.boolean() },
];

/** Combines schemas of one library. */
interface Library {
  readonly leaves: readonly Case[];
  readonly toObject: (fields: Readonly<Record<string, Schema>>) => Schema;
  readonly containers: readonly ((inner: Case, other: Case) => Case)[];
}

const list = ({ values }: Case): fc.Arbitrary<unknown[]> => fc.array(values, { maxLength: 3 });
const pair = (one: Case, other: Case): fc.Arbitrary<readonly unknown[]> =>
  fc.tuple(one.values, other.values);
const either = (one: Case, other: Case): fc.Arbitrary<unknown> =>
  fc.oneof(one.values, other.values);
const orNull = ({ values }: Case): fc.Arbitrary<unknown> => fc.option(values);
const byName = ({ values }: Case): fc.Arbitrary<unknown> =>
  fc.dictionary(names, values, { maxKeys: 3 });

/** What the types of arktype work out of its words is nothing that a table needs. */
const toType = type as unknown as (...definition: readonly unknown[]) => Schema;

const libraries: Readonly<Record<string, Library>> = {
  zod: {
    leaves: zodTexts,
    toObject: (fields) => z.object(fields as Record<string, z.ZodType>),
    containers: [
      (a) => ({ schema: z.array(a.schema as z.ZodType), values: list(a) }),
      (a, b) => ({
        schema: z.tuple([a.schema as z.ZodType, b.schema as z.ZodType]),
        values: pair(a, b),
      }),
      (a, b) => ({
        schema: z.union([a.schema as z.ZodType, b.schema as z.ZodType]),
        values: either(a, b),
      }),
      (a, b) => ({
        schema: z.tuple([a.schema as z.ZodType], b.schema as z.ZodType),
        values: fc.tuple(a.values, list(b)).map(([first, rest]) => [first, ...rest]),
      }),
      (a, b) => ({
        schema: z
          .strictObject({ a: a.schema as z.ZodType })
          .and(z.union([z.strictObject({ b: b.schema as z.ZodType }), z.object({ c: z.null() })])),
        values: fc.record(
          { a: a.values, b: b.values, c: fc.constant(null) },
          { requiredKeys: ['a'] },
        ),
      }),
      (a) => ({ schema: z.nullable(a.schema as z.ZodType), values: orNull(a) }),
      (a) => ({
        schema: z.record(z.string().regex(/^[a-z\_.-]+$/), a.schema as z.ZodType),
        values: byName(a),
      }),
    ],
  },
  valibot: {
    leaves: valibotTexts,
    toObject: (fields) => v.object(fields as v.ObjectEntries) as Schema,
    containers: [
      (a) => ({ schema: v.array(a.schema as v.GenericSchema), values: list(a) }) as Case,
      (a, b) =>
        ({
          schema: v.strictTuple([a.schema as v.GenericSchema, b.schema as v.GenericSchema]),
          values: pair(a, b),
        }) as Case,
      (a, b) =>
        ({
          schema: v.union([a.schema as v.GenericSchema, b.schema as v.GenericSchema]),
          values: either(a, b),
        }) as Case,
      (a, b) =>
        ({
          schema: v.looseTuple([a.schema as v.GenericSchema, b.schema as v.GenericSchema]),
          values: fc.tuple(pair(a, b), list(b)).map(([first, rest]) => [...first, ...rest]),
        }) as Case,
      (a, b) =>
        ({
          schema: v.tuple([a.schema as v.GenericSchema, b.schema as v.GenericSchema]),
          values: fc.tuple(pair(a, b), list(b)).map(([first, rest]) => [...first, ...rest]),
        }) as Case,
      (a, b) =>
        ({
          schema: v.tupleWithRest([a.schema as v.GenericSchema], b.schema as v.GenericSchema),
          values: fc.tuple(a.values, list(b)).map(([first, rest]) => [first, ...rest]),
        }) as Case,
      (a) => ({ schema: v.nullable(a.schema as v.GenericSchema), values: orNull(a) }) as Case,
      (a) =>
        ({
          schema: v.record(
            v.pipe(v.string(), v.regex(/^[a-z\_.-]+$/)),
            a.schema as v.GenericSchema,
          ),
          values: byName(a),
        }) as Case,
    ],
  },
  arktype: {
    leaves: arktypeTexts,
    toObject: (fields) => type(fields as never) as Schema,
    containers: [
      (a) => ({ schema: toType(a.schema, '[]'), values: list(a) }),
      (a, b) => ({ schema: toType([a.schema, b.schema]), values: pair(a, b) }),
      (a, b) => ({
        schema: toType([a.schema, '...', toType(b.schema, '[]')]),
        values: fc.tuple(a.values, list(b)).map(([first, rest]) => [first, ...rest]),
      }),
      (a, b) => ({
        schema: toType(['...', toType(a.schema, '[]'), b.schema]),
        values: fc.tuple(list(a), b.values).map(([first, last]) => [...first, last]),
      }),
      (a) => ({ schema: toType(a.schema, '|', 'boolean[]'), values: a.values }),
      (a) => ({ schema: toType(a.schema, '|', 'null'), values: orNull(a) }),
    ],
  },
};

/** How many schemas are fields of one object, which is a capability's input and its answer. */
const FIELDS = 40;
const OBJECTS = 25;
const VALUES = 20;

describe.each(Object.entries(libraries))(
  'for schemas of %s, what others validate',
  (_, library) => {
    const leaves = fc.constantFrom(...library.leaves);
    const nested = fc
      .tuple(fc.constantFrom(...library.containers), leaves, leaves)
      .map(([toContainer, a, b]) => toContainer(a, b));
    const cases = fc.array(fc.oneof(leaves, nested), { minLength: FIELDS, maxLength: FIELDS });

    it(`admits all that ${FIELDS * OBJECTS} of them admit: inputs and answers, documents and tools`, async () => {
      const objects = fc.sample(cases, { numRuns: OBJECTS, seed: 55 });
      const capabilities = objects.map((fields, at) => {
        const named = fields.map(({ schema }, index) => [`f${index}`, schema] as const);
        const schema = library.toObject(Object.fromEntries(named)) as never;
        const echo = capability(schema, (input: object) => input as never).output(schema);
        return [`makeThing${at}`, echo] as const;
      });
      const readers = await toReaders({ things: Object.fromEntries(capabilities) } as never);
      let checked = 0;
      for (const [at, fields] of objects.entries())
        for (const [index, { schema, values }] of fields.entries())
          for (const value of fc.sample(values, { numRuns: VALUES, seed: at })) {
            if (!(await fits(schema, value))) continue;
            checked++;
            for (const { place, findRefusal } of readers[at] ?? [])
              expect(
                findRefusal(`f${index}`, value),
                `${place} ${JSON.stringify(value)}`,
              ).toBeUndefined();
          }
      expect(checked).toBeGreaterThan(FIELDS * OBJECTS * 3);
    }, 600_000);
  },
);

it.each([
  ['valibot', v.object({ f0: v.pipe(v.string(), v.minLength(4)) })],
  ['arktype', type({ f0: 'string >= 4' })],
])(
  'an answer of %s, which counts units of UTF-16, may have half as many characters',
  async (_library, schema) => {
    const makeThing0 = capability(schema as never, (input: object) => input as never).output(
      schema as never,
    );
    const [readers = []] = await toReaders({ things: { makeThing0 } } as never);
    const answers = readers.filter(({ place }) => place.startsWith('answer'));
    expect(answers.map(({ findRefusal }) => findRefusal('f0', '😀😀'))).toEqual([
      undefined,
      undefined,
    ]);
    expect(answers.every(({ findRefusal }) => findRefusal('f0', 'a'))).toBe(true);
  },
);

interface Reader {
  readonly place: string;
  readonly findRefusal: (field: string, value: unknown) => string | undefined;
}

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: object }>>;
}

/** The readers of each capability, in the order of their declaration. */
async function toReaders(
  capabilities: ServerOptions['capabilities'],
): Promise<readonly (readonly Reader[])[]> {
  const { paths, components } = generateOpenAPI(capabilities as never);
  const client = await connectToTools({ capabilities } as ServerOptions);
  const { tools } = await client.listTools();
  return Object.values(paths).map((path, at) => {
    const { requestBody, responses } = path['post'] as unknown as {
      readonly requestBody: Content;
      readonly responses: Readonly<Record<string, Content>>;
    };
    const tool = tools.find(({ name }) => name === `things_makeThing${at}`);
    const places: Readonly<Record<string, object | undefined>> = {
      'input of the document': requestBody.content['application/json']?.schema,
      'answer of the document': toData(responses['200']?.content['application/json']?.schema),
      'input of the tool': tool?.inputSchema,
      'answer of the tool': toData(tool?.outputSchema),
    };
    return Object.entries(places).map(([place, schema]) => {
      if (schema === undefined) throw new Error(`There is no ${place}`);
      return { place, findRefusal: createStrictReader({ ...schema, components }) };
    });
  });
}

function toData(envelope: object | undefined): object | undefined {
  const { properties = {}, $defs } = (envelope ?? {}) as {
    readonly properties?: Readonly<Record<string, object>>;
    readonly $defs?: object;
  };
  const data = properties['data'];
  return data && { ...data, ...($defs !== undefined && { $defs }) };
}

async function fits(schema: Schema, value: unknown): Promise<boolean> {
  const result = await (schema as z.ZodType)['~standard'].validate(value);
  return result.issues === undefined;
}

describe('an expression', () => {
  it.each([
    [/^[\w-.]+$/, String.raw`^[\w\-.]+$`],
    [/^a\-b\_c\@$/, '^a-b_c@$'],
    [/^{a}]$/, String.raw`^\{a\}\]$`],
    [/a{,5}/, String.raw`a\{,5\}`],
    [/[a-\d]/, String.raw`[a\-\d]`],
    [/(?<year>\d{4})-\d/, String.raw`(\d{4})-\d`],
    [/(?<same>a)\k<same>/, String.raw`(?<same>a)\k<same>`],
    [/^[a-z]+$/, '^[a-z]+$'],
  ])('%s that needs to be without the flag `u` is written as an equal one', (pattern, portable) => {
    expect(toPortablePattern(pattern.source)).toBe(portable);
  });

  it('is equal to the one that is written for it, for texts of ASCII', () => {
    const expressions = fc.constantFrom(
      ...patterns,
      /[a-\d]x/,
      /a{,5}/,
      /\x41\u0042\_/,
      /(?<x>a)(b)\2/,
    );
    fc.assert(
      fc.property(expressions, fc.string({ unit: 'grapheme-ascii' }), ({ source }, text) => {
        const portable = toPortablePattern(source) ?? '';
        expect(new RegExp(portable, 'u').test(text)).toBe(new RegExp(source).test(text));
      }),
    );
  });

  it.each([/(?=a)*b/, new RegExp(String.raw`[\1]`)])(
    '%s, for which none is found, is said in words',
    (pattern) => {
      const schema = z.object({ code: z.string().regex(pattern) });
      const { paths } = generateOpenAPI({ capabilities: { a: capability(schema, () => 1) } });
      expect(JSON.stringify(paths)).toContain(JSON.stringify(`Matches /${pattern.source}/.`));
      expect(JSON.stringify(paths)).not.toContain('"pattern"');
    },
  );
});
