import fc from 'fast-check';
import * as z from 'zod';

/** Few names, texts and numbers, so that schemas and values often meet. */
const name = fc.constantFrom('a', 'b', 'c', 'ab');
const text = fc.constantFrom('', 'a', 'b', 'ab', 'aab', 'c', '💥');
const number = fc.constantFrom(-1, 0, 1, 2, 3, 4, 0.5, 1.5, 1e15);
const pattern = fc.constantFrom('^a', 'b', '^.?$', '^[a-c]+$', 'c|^$');
const count = fc.nat({ max: 3 });

export const jsonValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    text,
    number,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

type Json = Record<string, unknown>;

/** A few of the keywords. */
function some(keywords: Record<string, fc.Arbitrary<unknown>>, most = 3): fc.Arbitrary<Json> {
  const all = Object.entries(keywords);
  return fc
    .subarray(all, { maxLength: Math.min(most, all.length) })
    .chain((few) => fc.record(Object.fromEntries(few), { noNullPrototype: true }));
}

/** Several groups of keywords in one schema. */
function together(...groups: readonly fc.Arbitrary<Json>[]): fc.Arbitrary<Json> {
  return fc.tuple(...groups).map((parts) => Object.assign({}, ...parts) as Json);
}

const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
const type = some({
  type: fc.oneof(types, types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
});
const notes = some(
  { description: text, default: jsonValue, title: text, readOnly: fc.boolean() },
  1,
);
const limits = {
  minLength: count,
  maxLength: count,
  pattern,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: fc.constantFrom(1, 2, 0.5),
  minItems: count,
  maxItems: count,
  uniqueItems: fc.boolean(),
  minProperties: count,
  maxProperties: count,
  required: fc.uniqueArray(name, { maxLength: 2 }),
};
const values = fc.oneof(
  fc.record(
    { enum: fc.array(jsonValue, { minLength: 1, maxLength: 3 }) },
    { noNullPrototype: true },
  ),
  fc.record({ const: fc.oneof(text, number, jsonValue) }, { noNullPrototype: true }),
);

/** Objects that are told apart by a field. */
function tagged(field: fc.Arbitrary<unknown>): fc.Arbitrary<Json> {
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 1), field), {
      minLength: 2,
      maxLength: 3,
      selector: ([tag]) => tag,
    })
    .map((variants) => ({
      oneOf: variants.map(([tag, json]) => ({
        type: 'object',
        properties: { a: { const: tag }, b: json },
        required: ['a'],
      })),
    }));
}

const loose = [
  ...Object.keys(limits),
  'properties',
  'additionalProperties',
  'propertyNames',
  'items',
  'prefixItems',
];

/** Without the limits beside no type, which the model takes for those of theirs. */
function withoutLoose<Schema>(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map((each: unknown) => withoutLoose(each)) as Schema;
  if (typeof schema !== 'object' || schema === null) return schema;
  const isTyped = 'type' in schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => isTyped || !loose.includes(keyword))
      .map(([keyword, value]) => [keyword, withoutLoose(value as unknown)]),
  ) as Schema;
}

/** JSON Schemas of draft 2020-12, as foreign documents may have them: limits of any type, references, parts and branches. */
export const jsonSchema: fc.Arbitrary<Json | boolean> = fc
  .letrec<{ schema: Json | boolean; fields: Json; items: Json; choice: Json }>((tie) => ({
    fields: some({
      properties: fc.dictionary(name, tie('schema'), { maxKeys: 3, noNullPrototype: true }),
      required: limits.required,
      additionalProperties: tie('schema'),
      propertyNames: tie('schema'),
    }),
    items: some({
      items: tie('schema'),
      prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
    }),
    choice: some(
      {
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
      },
      2,
    ),
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 1, arbitrary: fc.boolean() },
      { weight: 4, arbitrary: together(type, some(limits, 2)) },
      { weight: 2, arbitrary: together(type, values) },
      { weight: 2, arbitrary: values },
      { weight: 4, arbitrary: together(fc.constant({ type: 'object' }), tie('fields'), notes) },
      {
        weight: 2,
        arbitrary: together(fc.constant({ type: 'array' }), tie('items'), some(limits, 2)),
      },
      { weight: 3, arbitrary: tie('choice') },
      {
        weight: 3,
        arbitrary: together(type, some(limits, 2), tie('fields'), tie('choice'), notes),
      },
      { weight: 2, arbitrary: tagged(tie('schema')) },
      {
        weight: 2,
        arbitrary: fc.constantFrom('#/$defs/one', '#/$defs/two').map(($ref) => ({ $ref })),
      },
      { weight: 1, arbitrary: fc.constantFrom({ not: {} }, { not: false }) },
    ),
  }))
  .schema.map(withoutLoose)
  .map((schema) =>
    JSON.stringify(schema).includes('$ref') ? { ...(schema as Json), $defs } : schema,
  );

/** The first contains itself, in a field and in the items of the second. */
const $defs = {
  one: {
    type: 'object',
    properties: { a: { $ref: '#/$defs/one' }, b: { $ref: '#/$defs/two' }, c: { const: 'a' } },
    required: ['c'],
  },
  two: {
    anyOf: [
      { type: 'number' },
      { type: 'string', minLength: 1 },
      { type: 'array', items: { $ref: '#/$defs/one' } },
    ],
  },
};

/** zod schemas that JSON Schema can say. */
export const zodSchema: fc.Arbitrary<z.ZodType> = fc.letrec<{
  schema: z.ZodType;
  object: z.ZodObject;
}>((tie) => ({
  object: fc
    .tuple(
      fc.dictionary(
        name,
        fc.tuple(tie('schema'), fc.constantFrom('required', 'optional', 'default')),
        { maxKeys: 3 },
      ),
      fc.constantFrom('plain', 'strict', 'loose'),
    )
    .map(([fields, kind]) => {
      const shape = Object.fromEntries(
        Object.entries(fields).map(([key, [field, presence]]) => [
          key,
          presence === 'optional'
            ? field.optional()
            : presence === 'default'
              ? field.default('a')
              : field,
        ]),
      );
      return kind === 'strict'
        ? z.strictObject(shape)
        : kind === 'loose'
          ? z.looseObject(shape)
          : z.object(shape);
    }),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<z.ZodType>(
      z.string(),
      z.number(),
      z.int(),
      z.boolean(),
      z.null(),
      z.any(),
      z.never(),
      z.unknown(),
    ),
    fc.tuple(count, count).map(([min, max]) => z.string().min(min).max(max)),
    fc
      .uniqueArray(pattern, { minLength: 1, maxLength: 2 })
      .map((patterns) =>
        patterns.reduce((schema, each) => schema.regex(new RegExp(each)), z.string()),
      ),
    fc.tuple(number, number).map(([min, max]) => z.number().gt(min).lte(max)),
    number.map((min) => z.int().min(Math.ceil(min))),
    fc.constantFrom(z.number().multipleOf(0.5), z.int().positive()),
    fc
      .uniqueArray(fc.constantFrom('a', 'b', 'ab'), { minLength: 1 })
      .map((values) => z.enum(values)),
    fc
      .uniqueArray(fc.constantFrom('a', 1, null, true), { minLength: 1 })
      .map((values) => z.literal(values)),
    tie('schema').map((schema) => schema.nullable()),
    tie('schema').map((schema) => schema.readonly().describe('x')),
    fc.tuple(tie('schema'), count).map(([item, min]) => z.array(item).min(min)),
    fc
      .tuple(tie('schema'), tie('schema'))
      .map(([first, second]) => z.tuple([first, second.optional()])),
    fc.tuple(tie('schema'), tie('schema')).map(([first, rest]) => z.tuple([first]).rest(rest)),
    tie('schema').map((value) => z.record(z.string(), value)),
    tie('schema').map((value) => z.record(z.enum(['a', 'b']), value)),
    tie('schema').map((value) => z.partialRecord(z.enum(['a', 'b']), value)),
    tie('schema').map((value) => z.record(z.string().regex(/^a/), value)),
    fc.tuple(tie('schema'), tie('schema')).map(([one, other]) => z.union([one, other])),
    fc
      .tuple(tie('schema'), tie('schema'))
      .map(([one, other]) =>
        z.discriminatedUnion('c', [
          z.object({ c: z.literal('a'), a: one }),
          z.object({ c: z.enum(['b', 'c']), a: other }),
        ]),
      ),
    fc.tuple(tie('object'), tie('object')).map(([one, other]) => z.intersection(one, other)),
    tie('object'),
    tie('schema').map((value) => {
      const node: z.ZodType = z.object({
        a: value,
        get b() {
          return node.optional();
        },
      });
      return node;
    }),
  ),
})).schema;
