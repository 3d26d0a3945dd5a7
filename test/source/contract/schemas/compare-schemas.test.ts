import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { uploadedFile } from '../../../../server-runtime/index.ts';
import { compareSchemas } from '../../../../source/contract/schemas/compare-schemas.ts';
import { toApiSchema } from '../../../../source/document/branch.ts';
import { toSchemaJson } from '../../../../source/document/to-schema-json.ts';

function diff(
  direction: 'input' | 'output',
  before: z.ZodType | undefined,
  after: z.ZodType | undefined,
): readonly string[] {
  const read = (schema: z.ZodType | undefined) =>
    schema && toApiSchema(toSchemaJson(schema, direction));
  return compareSchemas(read(before), read(after), { at: direction, direction }).map(
    (change) => `${change.class} ${change.at}: ${change.message}`,
  );
}

const a = z.string();
const input: readonly [string, z.ZodType | undefined, z.ZodType | undefined, readonly string[]][] =
  [
    ['nothing', z.object({ a }), z.object({ a }), []],
    [
      'a new required field',
      z.object({}),
      z.object({ a }),
      ['breaking input.a: `a` was added, required'],
    ],
    [
      'a new optional field',
      z.object({}),
      z.object({ a: a.optional() }),
      ['safe input.a: `a` was added, optional'],
    ],
    [
      'a new field with a default',
      z.object({}),
      z.object({ a: a.default('x') }),
      ['safe input.a: `a` was added, optional'],
    ],
    ['a field less', z.object({ a }), z.object({}), ['risky input.a: `a` was removed']],
    [
      'a field less where unknown fields are refused',
      z.strictObject({ a }),
      z.strictObject({}),
      ['breaking input.a: `a` was removed'],
    ],
    [
      'unknown fields refused',
      z.object({ a }),
      z.strictObject({ a }),
      ['breaking input: `input` has the unknown fields refused, it was none'],
    ],
    [
      'optional to required',
      z.object({ a: a.optional() }),
      z.object({ a }),
      ['breaking input.a: `a` became required'],
    ],
    [
      'required to optional',
      z.object({ a }),
      z.object({ a: a.optional() }),
      ['safe input.a: `a` became optional'],
    ],
    [
      'another default',
      z.object({ a: z.int().default(1) }),
      z.object({ a: z.int().default(2) }),
      ['risky input.a: `a` has the default 2, it was 1'],
    ],
    [
      'another type',
      z.object({ a }),
      z.object({ a: z.number() }),
      ['breaking input.a: `a` changed from string to number'],
    ],
    [
      'a wider type',
      z.object({ a: z.int() }),
      z.object({ a: z.number() }),
      ['safe input.a: `a` changed from integer to number'],
    ],
    [
      'a narrower type',
      z.object({ a: z.number() }),
      z.object({ a: z.int() }),
      ['breaking input.a: `a` changed from number to integer'],
    ],
    [
      'null allowed',
      z.object({ a }),
      z.object({ a: a.nullable() }),
      ['safe input.a: `a` changed from string to string | null'],
    ],
    [
      'null forbidden',
      z.object({ a: a.nullable() }),
      z.object({ a }),
      ['breaking input.a: `a` changed from string | null to string'],
    ],
    [
      'a date for a string',
      z.object({ a }),
      z.object({ a: z.date() }),
      ['breaking input.a: `a` changed from string to date'],
    ],
    [
      'enum values lost',
      z.object({ a: z.enum(['x', 'y']) }),
      z.object({ a: z.enum(['x']) }),
      ['breaking input.a: `a` lost "y"'],
    ],
    [
      'enum values gained',
      z.object({ a: z.enum(['x']) }),
      z.object({ a: z.enum(['x', 'y']) }),
      ['safe input.a: `a` gained "y"'],
    ],
    [
      'text to enum',
      z.object({ a }),
      z.object({ a: z.enum(['x']) }),
      ['breaking input.a: `a` takes only "x" now'],
    ],
    [
      'enum to text',
      z.object({ a: z.enum(['x']) }),
      z.object({ a }),
      ['safe input.a: `a` takes any value now'],
    ],
    [
      'a higher minimum',
      z.object({ a: a.min(1) }),
      z.object({ a: a.min(3) }),
      ['breaking input.a: `a` has the minimum length 3, it was 1'],
    ],
    [
      'a lower minimum',
      z.object({ a: a.min(3) }),
      z.object({ a: a.min(1) }),
      ['safe input.a: `a` has the minimum length 1, it was 3'],
    ],
    [
      'a new maximum',
      z.object({ a }),
      z.object({ a: a.max(9) }),
      ['breaking input.a: `a` has the maximum length 9, it was none'],
    ],
    [
      'a format',
      z.object({ a }),
      z.object({ a: z.email() }),
      ['breaking input.a: `a` has the format email, it was none'],
    ],
    [
      'another pattern',
      z.object({ a: a.regex(/a/) }),
      z.object({ a: a.regex(/b/) }),
      ['breaking input.a: `a` has the pattern /b/, it was /a/'],
    ],
    [
      'a field deep inside',
      z.object({ list: z.array(z.object({ at: z.object({ a }) })) }),
      z.object({ list: z.array(z.object({ at: z.object({ a: z.number() }) })) }),
      ['breaking input.list[].at.a: `list[].at.a` changed from string to number'],
    ],
    [
      'a record of something else',
      z.object({ a: z.record(z.string(), z.string()) }),
      z.object({ a: z.record(z.string(), z.number()) }),
      ['breaking input.a{}: `a{}` changed from string to number'],
    ],
    [
      'one more kind in a union of objects',
      z.object({ a: z.discriminatedUnion('t', [z.object({ t: z.literal('x') })]) }),
      z.object({
        a: z.discriminatedUnion('t', [
          z.object({ t: z.literal('x') }),
          z.object({ t: z.literal('y') }),
        ]),
      }),
      ['safe input.a: `a` gained object t="y"'],
    ],
    [
      'a branch of several that no tag tells apart',
      z.union([z.object({ a }), z.object({ b: a })]),
      z.union([z.object({ a }), z.object({ b: z.number() })]),
      ['breaking input.b: `b` changed from string to number'],
    ],
    [
      'a branch less',
      z.union([z.object({ a }), z.object({ b: a })]),
      z.object({ a }),
      ['breaking input: `input` changed from { a } | { b } to object'],
    ],
    [
      'another item in a tuple, and one more',
      z.object({ a: z.tuple([a, a]) }),
      z.object({ a: z.tuple([a, z.number(), a]) }),
      [
        'breaking input.a: `a` has the least number of items 3, it was 2',
        'safe input.a: `a` has the greatest number of items 3, it was 2',
        'breaking input.a[1]: `a[1]` changed from string to number',
      ],
    ],
    [
      'other keys of a record',
      z.object({ a: z.record(z.enum(['x', 'y']), a) }),
      z.object({ a: z.record(z.enum(['x', 'z']), a) }),
      [
        'breaking input.a{name}: `a{name}` lost "y"',
        'safe input.a{name}: `a{name}` gained "z"',
        'breaking input.a.y: `a.y` was removed',
        'breaking input.a.z: `a.z` was added, required',
      ],
    ],
    [
      'one of two patterns',
      z.object({ a: a.regex(/x/).regex(/y/) }),
      z.object({ a: a.regex(/x/).regex(/z/) }),
      ['risky input.a: `a` has the pattern /z/, it was /y/'],
    ],
    [
      'one pattern more',
      z.object({ a: a.regex(/x/) }),
      z.object({ a: a.regex(/x/).regex(/y/) }),
      ['breaking input.a: `a` has the pattern /y/, it was none'],
    ],
    [
      'a bound that became inclusive',
      z.object({ a: z.number().gt(0) }),
      z.object({ a: z.number().gte(0) }),
      ['safe input.a: `a` has the minimum 0, it was 0 (exclusive)'],
    ],
    [
      'a bound in other words',
      z.object({ a: z.int().positive() }),
      z.object({ a: z.int().min(1) }),
      [],
    ],
    [
      'a multiple of more',
      z.object({ a: z.number().multipleOf(2) }),
      z.object({ a: z.number().multipleOf(4) }),
      ['breaking input.a: `a` has the multiple 4, it was 2'],
    ],
    [
      'limits of a number that is not an integer any more',
      z.object({ a: z.int().min(3) }),
      z.object({ a: z.number().min(5) }),
      [
        'safe input.a: `a` changed from integer to number',
        'breaking input.a: `a` has the minimum 5, it was 3',
      ],
    ],
    [
      'values that a text of limited length refuses',
      z.object({ a: z.enum(['x', 'yz']) }),
      z.object({ a: a.min(2) }),
      ['breaking input.a: `a` lost "x"', 'safe input.a: `a` takes any value now'],
    ],
    [
      'the rules of a file',
      z.object({ a: uploadedFile({ maxSize: 9, accept: ['image/*'] }) }),
      z.object({ a: uploadedFile({ maxSize: 5, accept: ['image/png'] }) }),
      [
        'breaking input.a: `a` has the maximum size 5, it was 9',
        'breaking input.a: `a` has the media type image/png, it was image/*',
      ],
    ],
    [
      'a file that became a text',
      z.object({ a: uploadedFile() }),
      z.object({ a }),
      ['breaking input.a: `a` changed from file to string'],
    ],
    [
      'other fields of which something is said now',
      z.object({ a }),
      z.object({ a }).catchall(z.number()),
      ['breaking input: `input` has the unknown fields number, it was none'],
    ],
    [
      'a schema where there was none',
      undefined,
      z.object({ a }),
      ['risky input: input schema was added'],
    ],
    ['no schema any more', z.object({ a }), undefined, ['risky input: input schema was removed']],
  ];

test.each(input)('of an input, %s', (_, before, after, changes) => {
  expect(diff('input', before, after)).toEqual(changes);
});

test('schemas that contain themselves are compared once', () => {
  const tree = (leaf: z.ZodType): z.ZodType => {
    const node: z.ZodType = z.object({
      leaf,
      get children() {
        return z.array(node).optional();
      },
    });
    return node;
  };
  expect(diff('input', tree(z.string()), tree(z.string()))).toEqual([]);
  expect(diff('input', tree(z.string()), tree(z.number()))).toEqual([
    'breaking input.leaf: `leaf` changed from string to number',
  ]);
});

/** A field and a value that its schema takes. */
const field: fc.Arbitrary<readonly [z.ZodType, fc.Arbitrary<unknown>]> = fc.oneof(
  fc.constant([z.string(), fc.string()] as const),
  fc.nat({ max: 3 }).map((min) => [z.string().min(min), fc.string({ minLength: min })] as const),
  fc.constant([z.int(), fc.integer()] as const),
  fc.constant([z.number(), fc.integer()] as const),
  fc.constant([z.string().nullable(), fc.option(fc.string())] as const),
  fc
    .subarray(['x', 'y', 'z'], { minLength: 1 })
    .map((values) => [z.enum(values), fc.constantFrom(...values)] as const),
  fc.constant([z.array(z.string()), fc.array(fc.string())] as const),
  fc.constant([z.boolean(), fc.boolean()] as const),
);

const objectSchema = fc
  .dictionary(fc.constantFrom('a', 'b', 'c'), fc.tuple(field, fc.boolean()))
  .map((fields) => ({
    schema: z.object(
      Object.fromEntries(
        Object.entries(fields).map(([name, [[schema], isOptional]]) => [
          name,
          isOptional ? schema.optional() : schema,
        ]),
      ),
    ),
    value: fc.record(
      Object.fromEntries(Object.entries(fields).map(([name, [[, value]]]) => [name, value])),
      {
        requiredKeys: Object.entries(fields).flatMap(([name, [, isOptional]]) =>
          isOptional ? [] : [name],
        ),
      },
    ),
  }));

test('what the old input took, the new one takes, unless a change is called breaking', () => {
  fc.assert(
    fc.property(objectSchema, objectSchema, fc.gen(), (before, after, generate) => {
      const lines = diff('input', before.schema, after.schema);
      fc.pre(lines.every((line) => !line.startsWith('breaking')));
      const value = generate(() => before.value);
      expect(after.schema.safeParse(value).success).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('a schema does not differ from itself', () => {
  fc.assert(
    fc.property(
      objectSchema,
      fc.constantFrom('input' as const, 'output' as const),
      ({ schema }, direction) => {
        expect(diff(direction, schema, schema)).toEqual([]);
      },
    ),
  );
});
