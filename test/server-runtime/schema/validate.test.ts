import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as zod42 from 'zod-4.2';
import { describe as describeSchema } from '../../../server-runtime/schema/describe.ts';
import type { Issue, ParseResult } from '../../../server-runtime/schema/issues.ts';

const field = z.union([z.string().min(2), z.number().int(), z.null()]);
const tree = z.object({
  a: z.string(),
  get b() {
    return z.array(tree).optional();
  },
});
const schemas = {
  'an object with defaults, transforms and refinements': z
    .object({
      a: z.string().trim().min(1).default('x'),
      b: z.number().int().max(10).optional(),
      c: z
        .array(field)
        .max(3)
        .transform((list) => list.length),
    })
    .refine(({ a, c }) => a.length !== c, { message: 'of equal length', path: ['c'] }),
  'a strict object inside a strict object': z.strictObject({
    a: z.strictObject({ b: z.boolean() }),
    c: z.unknown(),
  }),
  'a discriminated union': z.discriminatedUnion('a', [
    z.object({ a: z.literal('x'), b: z.email() }),
    z.object({ a: z.literal(1), b: z.iso.date('a date, please') }),
  ]),
  'a record with coercion': z.record(z.string().max(1), z.coerce.number()),
  'a tree': tree,
  'a pipe with a custom issue': z.preprocess(
    (value) => (value === 'x' ? { a: 1 } : value),
    z.looseObject({ a: z.number() }).superRefine((value, ctx) => {
      if ('b' in value) ctx.addIssue({ code: 'custom', message: 'b is not wanted', path: ['b'] });
    }),
  ),
};

const leaf = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.constantFrom('x', 'y@example.com', '2026-01-31'),
  fc.integer({ max: 20 }),
  fc.boolean(),
  fc.constant(null),
);
const { input } = fc.letrec<{ input: unknown }>((tie) => ({
  input: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('input'), { maxLength: 4 }),
    fc.record({ a: tie('input'), b: tie('input'), c: tie('input') }, { requiredKeys: [] }),
  ),
}));

/** The fields that are told. */
function toTold(issue: object): object {
  const { path, message, code, issues, errors, format, pattern, keys } = issue as Issue;
  return { path, message, code, issues, errors, format, pattern, keys };
}

/** Schemas with and without texts of the application, at the schema, at a check and inside. */
const texts = {
  'of zod alone': z.object({
    a: z.string().min(2).max(3),
    b: z.number().int().min(1).max(5).multipleOf(2),
    c: z.enum(['x', 'y']),
    d: z.email().max(2),
    e: z.array(z.strictObject({ f: z.literal([1, 'x']), g: z.boolean().optional() })).min(1),
  }),
  'at a schema': z.object({
    a: z.string('a text').min(2).max(3),
    b: z.number({ error: ({ input: sent }) => `not ${typeof sent}` }).min(1),
    c: z.enum(['x', 'y'], { error: () => undefined }),
    d: z.email({ error: ({ code }) => ({ message: code }) }).max(2),
    e: z.array(z.strictObject({ f: z.literal(1) }, 'an item'), 'a list').min(1),
  }),
  'at a check': z.object({
    a: z
      .string()
      .min(2, 'too short')
      .max(3, { abort: true, error: () => 'too long' }),
    b: z.number().min(1, { error: () => undefined }),
    c: z.string().regex(/^x/, 'x, please').startsWith('y'),
    d: z.email().max(2, { error: ({ code }) => code }),
    e: z.array(z.object({ f: z.string().min(9, { abort: true }).max(1, 'short') })).min(3, 'more'),
  }),
  'at what stands around it': z.object(
    {
      a: z.union([z.string().min(2), z.number().max(3, 'less')], 'either'),
      c: z.record(z.string().min(2, 'a long key'), z.string()),
      d: z.intersection(z.object({ f: z.string() }), z.object({ g: z.number('a number') })),
    },
    'an object',
  ),
};
const sent = fc.oneof(
  { weight: 1, arbitrary: input },
  {
    weight: 9,
    arbitrary: fc.record(
      {
        a: leaf,
        b: leaf,
        c: fc.oneof(leaf, fc.dictionary(fc.constantFrom('p', 'qq'), leaf)),
        d: fc.oneof(leaf, fc.record({ f: leaf, g: leaf }, { requiredKeys: [] })),
        e: fc.oneof(
          leaf,
          fc.array(fc.record({ f: leaf, g: leaf }, { requiredKeys: [] }), { maxLength: 2 }),
        ),
      },
      { requiredKeys: [] },
    ),
  },
);
const before = { ...z.config() };
const locales = {
  'its English': {},
  'another language': z.locales.de(),
  'a locale of the application': {
    localeError: ({ code, path, schema }: z.core.$ZodRawIssue) =>
      code === 'too_big'
        ? undefined
        : { message: `${code} ${path?.join('.')} ${schema?._zod.def.type}` },
  },
  'no locale': { localeError: undefined },
  'a text for all': {
    customError: ({ code, input: value }: z.core.$ZodRawIssue) =>
      code === 'invalid_type' ? `of all: ${typeof value}` : undefined,
  },
};

describe('the texts', () => {
  afterEach(() => {
    z.config({ customError: undefined, ...before });
  });

  it.each(
    Object.entries(locales).flatMap(([locale, config]) =>
      Object.entries(texts).map(([place, schema]) => [locale, place, config, schema] as const),
    ),
  )(
    'are what zod says in %s where the application has them %s',
    (_locale, _place, config, schema) => {
      z.config(config);
      const { validate: parse } = describeSchema(schema);
      fc.assert(
        fc.property(sent, (value) => {
          const expected = schema.safeParse(value).error?.issues ?? [];
          const parsed = parse(value) as ParseResult;
          expect(parsed.ok ? [] : parsed.issues.map(toTold)).toEqual(expected.map(toTold));
        }),
        { numRuns: 100 },
      );
    },
  );
});

describe('toParseSchema', () => {
  it.each(Object.entries(schemas))('finds in %s what zod finds, in the same turn', (_, schema) => {
    const parse = describeSchema(schema).validate;
    fc.assert(
      fc.property(input, (value) => {
        const expected = schema.safeParse(value);
        const parsed = parse(value) as ParseResult;
        expect(parsed.ok).toBe(expected.success);
        if (parsed.ok) expect(parsed.value).toEqual(expected.data);
        else
          expect([parsed.issues.map(toTold), parsed.omitted]).toEqual([
            expected.error?.issues.map(toTold),
            0,
          ]);
      }),
      { numRuns: 300 },
    );
  });

  it('runs a schema of another version of zod', () => {
    const { validate: parse } = describeSchema(
      zod42.object({ a: zod42.string().min(2).default('xx'), b: zod42.array(zod42.int()) }),
    );
    expect(parse({ b: [1], c: 1 })).toEqual({ ok: true, value: { a: 'xx', b: [1] } });
    expect(parse({ a: 'x', b: Array(60).fill('') })).toMatchObject({
      issues: expect.arrayContaining([expect.objectContaining({ path: ['a'], code: 'too_small' })]),
      omitted: 11,
    });
  });

  it('gives a promise only where the schema needs one, and hands on what it rejects with', async () => {
    const broken = z.object({
      a: z.string().refine(() => Promise.reject(new Error('the database is away'))),
    });
    await expect(describeSchema(broken).validate({ a: 'x' })).rejects.toThrow(
      'the database is away',
    );
    expect(describeSchema(broken).validate({ a: 1 })).toMatchObject({ ok: false });
  });

  it('runs the code in a schema once, also on what is invalid', () => {
    let runs = 0;
    const counted = z.object({ a: z.string().refine(() => ++runs > 1) });
    expect(describeSchema(counted).validate({ a: 'x' })).toMatchObject({ ok: false });
    expect(runs).toBe(1);
  });
});

it.each([
  [
    'a field of an optional tuple',
    (part: z.ZodType) => z.tuple([z.string(), z.object({ a: part })]).optional(),
    ['', { a: '' }],
  ],
  ['a rest', (part: z.ZodType) => z.tuple([z.string()], part), ['', '']],
  ['a branch', (part: z.ZodType) => z.union([z.number(), z.string().and(part)]), ''],
  ['a lazy schema', (part: z.ZodType) => z.lazy(() => part), ''],
  ['a catchall', (part: z.ZodType) => z.object({}).catchall(part), { a: '' }],
  ['a pipe', (part: z.ZodType) => z.preprocess(String, part), ''],
])('waits for code in %s, which runs once', async (_where, around, value) => {
  let runs = 0;
  const part = z.string().refine(async () => ++runs > 1);
  expect(await describeSchema(around(part)).validate(value)).toMatchObject({ ok: false });
  expect(runs).toBe(1);
});
