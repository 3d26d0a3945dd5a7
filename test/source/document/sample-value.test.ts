import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { toApiSchema } from '../../../source/document/branch.ts';
import { accepts } from '../../../source/document/read-branches.ts';
import { toSampleValue } from '../../../source/document/sample-value.ts';
import { toSchemaJson } from '../../../source/document/to-schema-json.ts';

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

test('a sample of a schema that zod writes passes zod', () => {
  const password = z.string().min(12);
  const input = z.object({
    email: z.email(),
    password,
    number: z.string().min(12).max(19),
    code: z.string().regex(/^[A-Z]{2}\d{3}$/),
    age: z.int().min(18).max(120),
    price: z.number().positive().multipleOf(0.01),
    tags: z.array(z.string().min(6)).min(2),
    url: z.url(),
    ip: z.ipv4(),
    day: z.iso.date(),
    at: z.iso.datetime(),
    id: z.uuid(),
    kind: z.discriminatedUnion('by', [
      z.object({ by: z.literal('a'), n: z.number().lt(0) }),
      z.object({ by: z.literal('b') }),
    ]),
    extra: z.string().optional(),
  });
  const json = toSchemaJson(input, 'input');
  expect(input.safeParse(toSampleValue(toApiSchema(json))).error).toBeUndefined();
});
