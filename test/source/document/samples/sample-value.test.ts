import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { toApiSchema } from '../../../../source/document/branch.ts';
import { accepts } from '../../../../source/document/read-branches.ts';
import { toSampleValue } from '../../../../source/document/samples/sample-value.ts';
import { toSchemaJson } from '../../../../source/document/to-schema-json.ts';

const components = {
  schemas: {
    Node: {
      type: 'object',
      properties: {
        name: { type: 'string', examples: ['root'] },
        children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
        parent: { $ref: '#/components/schemas/Node' },
      },
      required: ['name', 'children'],
    },
  },
};

test.each<readonly [json: object, value: unknown]>([
  [{ type: 'string', format: 'email' }, 'ada@example.com'],
  [{ type: 'integer', exclusiveMinimum: 4 }, 5],
  [{ type: 'number', default: 0 }, 0],
  [{ enum: ['a', 'b'] }, 'a'],
  [{ anyOf: [{ type: 'null' }, { type: 'boolean' }] }, true],
  [{ type: 'null' }, null],
  [{ $ref: '#/components/schemas/Node' }, { name: 'root', children: [] }],
  [
    {
      allOf: [
        { type: 'object', properties: { a: { const: 1 } }, required: ['a'] },
        { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
      ],
    },
    { a: 1, b: 'text' },
  ],
  [{ type: 'array', prefixItems: [{ const: 1 }, { const: 2 }] }, [1, 2]],
  [{}, undefined],
])('the sample of %j is %j', (json, value) => {
  expect(toSampleValue({ json, root: { components } })).toEqual(value);
});

const count = fc.integer({ min: 0, max: 30 });
const between = fc
  .tuple(count, count)
  .map(([one, two]) => [Math.min(one, two), Math.max(one, two)]);

/** Schemas with limits that some value fits. */
const schema = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom({ type: 'string' }, { type: 'boolean' }, { enum: [1, 'a'] }, { type: 'null' }),
    between.map(([minLength, maxLength]) => ({ type: 'string', minLength, maxLength })),
    count.map((minLength) => ({ type: 'string', minLength })),
    fc
      .constantFrom(
        '^[A-Z]{3}-\\d{4}$',
        '^\\d+$',
        '^[a-z0-9-]+$',
        '^#[0-9a-f]{6}$',
        '^\\+\\d{7,}$',
        '^a\\.b$',
        '^v?\\d+\\.\\d+$',
      )
      .map((pattern) => ({ type: 'string', pattern })),
    count.map((minLength) => ({ type: 'string', minLength, pattern: '^[a-z]+$' })),
    fc
      .constantFrom('email', 'uuid', 'date', 'date-time', 'uri')
      .map((format) => ({ type: 'string', format })),
    fc.integer({ min: -9, max: 9 }).map((minimum) => ({ type: 'integer', minimum })),
    fc.integer({ min: -9, max: 9 }).map((maximum) => ({ type: 'integer', maximum })),
    between.map(([minimum, maximum]) => ({ type: 'number', minimum, maximum })),
    fc
      .integer({ min: -9, max: 9 })
      .map((least) => ({ type: 'number', exclusiveMinimum: least, exclusiveMaximum: least + 1 })),
    fc
      .constantFrom(0.01, 0.5, 5, 7)
      .map((multipleOf) => ({ type: 'number', minimum: 3, multipleOf })),
    tie('schema').map((items) => ({ type: 'array', items })),
    fc
      .tuple(tie('schema'), fc.integer({ min: 0, max: 3 }))
      .map(([items, minItems]) => ({ type: 'array', items, minItems })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((anyOf) => ({ anyOf })),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema')).map((properties) => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
    })),
  ),
})).schema;

test('a sample fits its schema, with all of its limits', () => {
  fc.assert(
    fc.property(schema, (json) => {
      const sample = toSampleValue({ json, root: json });
      expect(
        accepts({ json, root: json }, sample),
        `${JSON.stringify(json)}: ${JSON.stringify(sample)}`,
      ).toBe(true);
    }),
  );
});

const text = z.string();
const patterns = [
  /^(draft|sent)$/,
  /^(?:[a-z]{2}-)+\d$/,
  /^a|b$/,
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  /^(?=.*\d)(?=.*[A-Z]).{8,}$/,
  /^\d{4}( \d{4}){3}$/,
  /^#(?:[0-9a-fA-F]{3}){1,2}$/,
  /^([01]\d|2[0-3]):[0-5]\d$/,
  /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/,
  /^\p{L}+$/u,
  /^[^\s]+$/,
  /\S/,
];

/** What JSON can carry of zod, each with a limit that some text or number fits. */
// biome-ignore format: those of a kind in a line.
const zodLeaves: readonly z.ZodType[] = [
  z.email(), z.uuid(), z.uuidv4(), z.uuidv7(), z.guid(), z.url(), z.httpUrl(), z.hostname(),
  z.emoji(), z.base64(), z.base64url(), z.jwt(), z.nanoid(), z.cuid(), z.cuid2(), z.ulid(),
  z.ipv4(), z.ipv6(), z.mac(), z.cidrv4(), z.cidrv6(), z.e164(), z.hex(), z.hash('sha256'),
  z.iso.date(), z.iso.datetime(), z.iso.time(), z.iso.duration(),
  z.iso.datetime({ offset: true }), z.iso.datetime({ local: true }),
  z.iso.datetime({ precision: 3 }), z.iso.datetime({ precision: 0 }),
  text, text.min(12).max(19), text.max(0), text.length(5), z.email().max(12), z.email().min(30),
  text.startsWith('ab'), text.endsWith('yz'), text.includes('mid'), text.lowercase(),
  text.startsWith('ab').endsWith('yz').min(20), text.min(40).max(41).regex(/^[A-Z ]+$/),
  ...patterns.map((pattern) => text.regex(pattern)),
  z.int(), z.int32(), z.int().max(-5), z.number().positive(), z.number().gt(0).lt(0.001),
  z.number().multipleOf(0.25).gt(10).lt(11), z.number().min(1e9), z.int().min(18).max(120),
  z.boolean(), z.null(), z.literal([1, 'a', null]), z.enum(['x', 'y']), z.json(),
  z.templateLiteral(['id-', z.number()]), z.templateLiteral([z.enum(['a', 'b']), ':', text]),
  text.min(3).transform(Number), z.lazy(() => text.min(7)), z.coerce.number(), text.trim(),
  text.min(10).meta({ examples: ['short', '0123456789'] }),
];

const names = fc.constantFrom('a', 'b', 'c', 'some name');
const zodSchema = fc.letrec<{ schema: z.ZodType }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom(...zodLeaves),
    fc.dictionary(names, tie('schema')).map((shape) => z.object(shape)),
    fc.dictionary(names, tie('schema')).map((shape) => z.strictObject(shape)),
    fc
      .tuple(tie('schema'), tie('schema'))
      .map(([a, b]) => z.intersection(z.object({ a }), z.object({ b }))),
    fc.tuple(tie('schema'), fc.nat(3)).map(([item, least]) =>
      z
        .array(item)
        .min(least)
        .max(least + 1),
    ),
    fc.tuple(tie('schema'), tie('schema')).map(([first, rest]) => z.tuple([first], rest)),
    fc.tuple(tie('schema'), tie('schema')).map((branches) => z.union(branches)),
    fc
      .tuple(tie('schema'), tie('schema'))
      .map(([one, other]) =>
        z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('one'), value: one }),
          z.object({ kind: z.literal('other'), value: other }),
        ]),
      ),
    tie('schema').map((value) => z.record(z.enum(['x', 'y']), value)),
    tie('schema').map((value) => z.record(text.regex(/^k\d$/), value)),
    tie('schema').map((value) => value.nullable()),
    tie('schema').map((value) => z.object({ there: z.int(), value: value.optional() })),
  ),
})).schema;

test.each(zodLeaves.map((leaf) => [toSchemaJson(leaf, 'input'), leaf] as const))(
  'a sample of %j passes zod',
  (json, leaf) => {
    expect(leaf.safeParse(toSampleValue(toApiSchema(json))).error).toBeUndefined();
  },
);

test('a sample of any schema that zod writes passes zod', () => {
  fc.assert(
    fc.property(zodSchema, (schema) => {
      const json = toSchemaJson(schema, 'input');
      const sample = toSampleValue(toApiSchema(json));
      expect(
        schema.safeParse(sample).error,
        `${JSON.stringify(json)}: ${JSON.stringify(sample)}`,
      ).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});

test.each<readonly [json: object, value: unknown]>([
  [{ type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 2, uniqueItems: true }, ['a', 'b']],
  [{ type: 'array', items: { type: 'integer' }, minItems: 3, uniqueItems: true }, [1, 2, 3]],
  [
    { type: 'object', minProperties: 2, additionalProperties: { type: 'boolean' } },
    { name: true, name1: true },
  ],
  [
    { type: 'object', minProperties: 1, properties: { a: { type: 'null' }, b: { const: 2 } } },
    { a: null },
  ],
])('a schema of others has as many different values as it must: %j, %j', (json, value) => {
  expect(toSampleValue({ json, root: json })).toEqual(value);
  expect(accepts({ json, root: json }, value)).toBe(true);
});
