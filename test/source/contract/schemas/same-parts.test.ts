import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toAllChanges } from '../../../../source/contract/changes/contract-change.ts';
import { compare } from '../../../../source/contract/compare.ts';
import { SameParts } from '../../../../source/contract/schemas/same-parts.ts';
import { jsonSchema } from '../../document/arbitraries.ts';

const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const toDocument = (schemas: object) => ({ components: { schemas } });

function isSame(before: object, after: object): boolean {
  return new SameParts(toDocument(before), toDocument(after)).isSame(schema('A'), schema('A'));
}

function withKeysReversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKeysReversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withKeysReversed(inner)]);
  return Object.fromEntries(entries.toReversed());
}

test('takes a schema with its keys in another order for the same', () => {
  fc.assert(
    fc.property(jsonSchema, (json) => {
      expect(isSame({ A: json }, { A: withKeysReversed(json) })).toBe(true);
    }),
  );
});

const text = { type: 'string' };
const fields = (properties: object) => ({ type: 'object', properties });
const circle = (leaf: object) => ({
  A: fields({ b: schema('B') }),
  B: fields({ a: schema('A'), c: schema('C') }),
  C: fields({ b: schema('B'), leaf }),
});

const pairs: readonly (readonly [what: string, isSame: boolean, before: object, after: object])[] =
  [
    [
      'another description',
      true,
      { A: { ...text, description: 'a' } },
      { A: { ...text, title: 'b' } },
    ],
    [
      'a field that is called description',
      false,
      { A: fields({ description: text }) },
      { A: fields({}) },
    ],
    [
      'another value with a description',
      false,
      { A: { const: { description: 'a' } } },
      { A: { const: { description: 'b' } } },
    ],
    ['a default that is not there', false, { A: { default: 1 } }, { A: {} }],
    ['components in a circle', true, circle(text), circle(text)],
    [
      'components in a circle of which one differs',
      false,
      circle(text),
      circle({ type: 'integer' }),
    ],
    ['a reference that leads nowhere', true, { A: schema('B') }, { A: schema('B') }],
    [
      'a reference that leads nowhere any more',
      false,
      { A: schema('B'), B: text },
      { A: schema('B') },
    ],
    ['a reference to another file', false, { A: { $ref: 'b.json' } }, { A: { $ref: 'b.json' } }],
  ];

test.each(pairs)('%s: the same is %s', (_what, expected, before, after) => {
  expect(isSame(before, after)).toBe(expected);
});

const operation = { responses: { 200: { description: 'Done' } } };
const toApi = (rest: object) => ({
  openapi: '3.0.3',
  paths: { '/a': { get: operation } },
  ...rest,
});

test('compares operations that say the same where the credentials of all have changed', () => {
  const bearer = { components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } } };
  const before = toApi({ ...bearer, security: [] });
  const after = toApi({ ...bearer, security: [{ key: [] }] });
  expect(toAllChanges(compare(before, after)).map(({ rule }) => rule)).toEqual([
    'credential-changed',
  ]);
  expect(toAllChanges(compare(before, toApi({ ...bearer, security: [], info: {} })))).toEqual([]);
});

test('pairs the variants of a union by the names of their components', () => {
  const toUnion = (optional: object) => ({
    Pets: { oneOf: [schema('Cat'), schema('Dog')] },
    Cat: fields({ claws: text, ...optional }),
    Dog: fields({ tail: text, ...optional }),
  });
  const content = { 'application/json': { schema: schema('Pets') } };
  const toPets = (optional: object) => ({
    openapi: '3.1.0',
    paths: { '/a': { get: { responses: { 200: { description: 'Done', content } } } } },
    components: { schemas: toUnion(optional) },
  });
  const changes = toAllChanges(compare(toPets({ age: text }), toPets({})));
  expect(changes.map(({ class: type, message }) => `${type} ${message}`)).toEqual([
    'breaking `200.age` was removed',
    'breaking `200.age` was removed',
  ]);
});
