import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accepts } from '../../../source/document/read-branches.ts';
import { toSampleValue } from '../../../source/document/sample-value.ts';

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

/** Schemas without limits that a sample does not keep. */
const schema = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom({ type: 'string' }, { type: 'boolean' }, { enum: [1, 'a'] }, { type: 'null' }),
    fc.integer({ min: -9, max: 9 }).map((minimum) => ({ type: 'integer', minimum })),
    tie('schema').map((items) => ({ type: 'array', items })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((anyOf) => ({ anyOf })),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema')).map((properties) => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
    })),
  ),
})).schema;

test('a sample fits its schema', () => {
  fc.assert(
    fc.property(schema, (json) =>
      accepts({ json, root: json }, toSampleValue({ json, root: json })),
    ),
  );
});
