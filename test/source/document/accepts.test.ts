import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { toApiSchema } from '../../../source/document/branch.ts';
import {
  accepts,
  findOnlyObject,
  findTag,
  toBranches,
  toValueBranches,
} from '../../../source/document/read-branches.ts';
import { jsonSchema, jsonValue, zodSchema } from './arbitraries.ts';

const options = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  logger: false,
} as const;
const ajv = new Ajv2020({ ...options, meta: false, code: { optimize: false } });
// No schema here has `unevaluatedProperties`, and following what is evaluated ends some validations of ajv in a TypeError.
ajv.opts.unevaluated = false;

/** Whether this and the judge say the same of every value. */
function expectSame(
  schema: object | boolean,
  values: readonly unknown[],
  judge = ajv.compile(schema),
): void {
  const read = toApiSchema(schema);
  expect(values.map((value) => [value, accepts(read, value)])).toEqual(
    values.map((value) => [value, judge(value)]),
  );
}

const values = fc.array(jsonValue, { minLength: 8, maxLength: 20 });

/** Values that fit several of `oneOf` are told apart by nobody: it is read as `anyOf`. */
function withAnyOf(schema: object | boolean): object | boolean {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('oneOf' in value)) return value;
    const { oneOf, allOf = [], ...others } = value as { oneOf: unknown; allOf?: unknown[] };
    return { ...others, allOf: [...allOf, { anyOf: oneOf }] };
  }) as object | boolean;
}

it('accepts exactly what a JSON Schema accepts', () => {
  fc.assert(
    fc.property(jsonSchema, values, (schema, each) =>
      expectSame(schema, each, ajv.compile(withAnyOf(schema))),
    ),
    { numRuns: 2000 },
  );
});

it('accepts exactly what the JSON Schema of a zod schema accepts', () => {
  fc.assert(
    fc.property(
      zodSchema,
      values,
      fc.constantFrom('input' as const, 'output' as const),
      (schema, each, io) => expectSame(z.toJSONSchema(schema, { io }), each),
    ),
    { numRuns: 1000 },
  );
});

it.each([
  [
    'a pattern beside what refuses other fields',
    { patternProperties: { '^a': {} }, allOf: [{ additionalProperties: false }] },
    [{ ab: 1 }, { c: 1 }, {}],
  ],
  [
    'a field that another part counts among all others',
    { properties: { a: {} }, allOf: [{ additionalProperties: { type: 'string' } }] },
    [{ a: 1 }, { a: 'x' }],
  ],
  [
    'a tuple that is an array too',
    { prefixItems: [{}, {}], allOf: [{ items: { type: 'string' } }], maxItems: 3 },
    [
      ['a', 1],
      ['a', 'b', 1],
    ],
  ],
  [
    'branches of which one fits',
    { oneOf: [{ minimum: 1, maximum: 2 }, { minimum: 3 }] },
    [0, 1, 2.5, 3, 'a'],
  ],
  [
    'branches beside branches',
    {
      anyOf: [{ type: 'string' }, { type: 'number' }],
      oneOf: [
        { type: 'number', minimum: 1 },
        { type: 'string', minLength: 1 },
      ],
    },
    ['', 'a', 0, 1],
  ],
  [
    'values that another part refuses',
    { enum: ['a', 'ab', 1, null], allOf: [{ type: ['string', 'null'], minLength: 2 }] },
    ['a', 'ab', 1, null],
  ],
  ['integers among numbers', { type: 'integer', enum: [1, 1.5] }, [1, 1.5, 2]],
  [
    'a tagged union with limits beside it',
    {
      oneOf: [
        { type: 'object', properties: { t: { const: 1 } }, required: ['t'] },
        { type: 'object', properties: { t: { const: 2 } }, required: ['t'] },
      ],
      properties: { t: { minimum: 2 } },
    },
    [{ t: 1 }, { t: 2 }, {}],
  ],
])('accepts exactly what is accepted by %s', (_, schema, each) => {
  expectSame(schema, each);
});

it.each([
  [
    'a tuple of draft 7',
    { items: [{ type: 'string' }], additionalItems: false },
    [[], ['a'], ['a', 1], [1]],
  ],
  [
    'a type that may be null',
    { type: 'string', nullable: true, enum: ['a', null] },
    ['a', 'b', null, 1],
  ],
  [
    'a type that may be null, but for its values',
    { type: 'string', nullable: true, enum: ['a'] },
    ['a', null],
  ],
])('accepts what older documents mean by %s', (_, schema, each) => {
  expectSame(schema, each, new Ajv(options).compile(schema));
});

it('accepts what OpenAPI 3.0 means by an exclusive minimum, and by a reference that may be null', () => {
  const bound = toApiSchema({ type: 'number', minimum: 1, exclusiveMinimum: true });
  expect([1, 1.5].map((value) => accepts(bound, value))).toEqual([false, true]);
  const root = { $defs: { 'a b/c': { type: 'string' } } };
  const reference = toApiSchema({ nullable: true, allOf: [{ $ref: '#/$defs/a%20b~1c' }] }, root);
  expect(['x', null, 1].map((value) => accepts(reference, value))).toEqual([true, true, false]);
});

describe('the branches of', () => {
  const branches: readonly [string, object | boolean, readonly object[]][] = [
    [
      'any of several types',
      { type: ['string', 'null'], minLength: 1 },
      [{ counts: { minLength: 1 } }, { type: 'null' }],
    ],
    [
      'several patterns',
      { type: 'string', allOf: [{ pattern: 'a' }, { pattern: 'b' }] },
      [{ patterns: ['a', 'b'] }],
    ],
    ['a constant', { type: 'string', const: 'a' }, [{ type: 'string', values: ['a'] }]],
    [
      'constants beside each other',
      { anyOf: [{ const: 'a' }, { const: 'b' }] },
      [{ values: ['a', 'b'] }],
    ],
    ['null among values', { enum: ['a', null] }, [{ values: ['a'] }, { type: 'null' }]],
    [
      'a file',
      {
        type: 'string',
        format: 'binary',
        maxLength: 9,
        anyOf: [{ contentMediaType: 'image/png' }, { contentMediaType: 'image/gif' }],
      },
      [{ formats: ['binary'], counts: { maxLength: 9 }, mediaTypes: ['image/png', 'image/gif'] }],
    ],
    [
      'a record',
      { type: 'object', additionalProperties: { type: 'string' } },
      [{ type: 'object', isRecord: true, fields: new Map() }],
    ],
    [
      'a record of each key',
      { type: 'object', propertyNames: { enum: ['a'] }, additionalProperties: {}, required: ['a'] },
      [{ isRecord: true, required: new Set(['a']) }],
    ],
    [
      'an object of which nothing is said',
      { type: 'object' },
      [{ fields: new Map(), rest: { json: true } }],
    ],
    [
      'an object without fields',
      { type: 'object', properties: {} },
      [{ fields: new Map(), rest: undefined }],
    ],
    ['a date', { 'x-capix-kind': 'date' }, [{ type: 'any', kind: 'date' }]],
    ['limits without their type', { minLength: 1 }, [{ type: 'string', counts: { minLength: 1 } }]],
    [
      'limits of several types',
      { minLength: 1, minimum: 1 },
      [{ type: 'any', others: { minLength: 1, minimum: 1 } }],
    ],
    ['types that exclude each other', { type: 'string', allOf: [{ type: 'number' }] }, []],
    [
      'a reference and more',
      { $ref: '#/$defs/a', required: ['b'], $defs: { a: { type: 'object', required: ['a'] } } },
      [{ name: 'a & object', required: new Set(['a', 'b']) }],
    ],
    [
      'what the model cannot say',
      { type: 'array', items: {}, contains: { type: 'null' } },
      [{ type: 'array', others: { contains: { type: 'null' } } }],
    ],
    ['what is not a schema', { type: 'money' }, [{ type: 'any', others: { type: 'money' } }]],
    [
      'a reference that leads nowhere',
      { $ref: 'other.json#/a' },
      [{ type: 'any', others: { $ref: 'other.json#/a' } }],
    ],
    ['a reference to itself', { $ref: '#' }, [{ type: 'any' }]],
  ];

  it.each(branches)('%s', (_, schema, found) => {
    expect(toBranches(toApiSchema(schema))).toMatchObject(found);
    expect(toBranches(toApiSchema(schema))).toHaveLength(found.length);
  });

  it('objects that are told apart, also behind references, in branches of branches, and beside null', () => {
    const variant = (tag: string) => ({
      type: 'object',
      properties: { kind: { const: tag } },
      required: ['kind'],
    });
    const schema = toApiSchema({
      anyOf: [
        { oneOf: [{ $ref: '#/$defs/card' }, variant('cash')] },
        variant('iban'),
        { type: 'null' },
      ],
      $defs: {
        card: {
          allOf: [{ $ref: '#/$defs/base' }, { properties: { kind: { $ref: '#/$defs/tag' } } }],
        },
        base: { type: 'object', required: ['kind'] },
        tag: { enum: ['card', 'visa'] },
      },
    });
    expect(toBranches(schema).map(({ type }) => type)).toEqual([
      'object',
      'object',
      'object',
      'null',
    ]);
    expect(findTag(toValueBranches(schema))).toEqual({
      name: 'kind',
      values: [['card', 'visa'], ['cash'], ['iban']],
    });
  });

  it('a schema that contains itself are the same, however often they are asked for', () => {
    const schema = toApiSchema({ type: 'object', properties: { next: { $ref: '#' } } });
    const node = findOnlyObject(schema);
    const next = findOnlyObject(node!.fields.get('next')!);
    expect(next?.fields).toBe(node?.fields);
  });
});

it.each([
  [0.01, 0.07, true],
  [0.01, 0.05, true],
  [0.1, 0.3, true],
  [0.01, 0.075, false],
])('takes of multiples of %d what a person would: %d, %s', (multipleOf, value, isTaken) => {
  expect(accepts(toApiSchema(z.toJSONSchema(z.number().multipleOf(multipleOf))), value)).toBe(
    isTaken,
  );
});
