import { expect, test } from 'vitest';
import { toAllChanges } from '../../../source/contract/changes/contract-change.ts';
import { compare } from '../../../source/contract/compare.ts';

type Json = Readonly<Record<string, unknown>>;

/** A document of one operation that takes and gives the first of the components. */
function toDocument(schemas: Json): object {
  const [name = ''] = Object.keys(schemas);
  const schema = { $ref: `#/components/schemas/${name}` };
  const content = { 'application/json': { schema } };
  const post = {
    operationId: 'send',
    requestBody: { required: true, content },
    responses: { 200: { description: 'Done', content } },
  };
  return { openapi: '3.1.0', paths: { '/things': { post } }, components: { schemas } };
}

function diff(before: Json, after: Json): readonly string[] {
  return toAllChanges(compare(toDocument(before), toDocument(after))).map(
    ({ class: type, at, message }) => `${type} ${at}: ${message}`,
  );
}

const refersTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** Components of which each has a field for each of all. */
function toMesh(count: number, last: Json): Json {
  const fields = Object.fromEntries(names('C', count).map((name) => [`to${name}`, refersTo(name)]));
  const mesh = names('C', count).map((name) => [name, { type: 'object', properties: fields }]);
  return Object.fromEntries([
    ...mesh,
    [`C${count}`, { type: 'object', properties: last }],
    ['Last', refersTo(`C${count}`)],
  ]);
}

test('tells one change of a component once, where all components refer to each other', () => {
  const withLast = (last: Json): Json => {
    const mesh = toMesh(60, last);
    const { properties } = mesh['C30'] as { properties: Json };
    return {
      ...mesh,
      C30: { type: 'object', properties: { ...properties, last: refersTo('C60') } },
    };
  };
  expect(diff(withLast({ a: { type: 'string' } }), withLast({ a: { type: 'integer' } }))).toEqual([
    'breaking input.toC30.last.a: `toC30.last.a` changed from string to integer',
    'breaking output.200.toC30.last.a: `200.toC30.last.a` changed from string to integer',
  ]);
});

test('compares unions without tags that are nested in each other', () => {
  const nest = (depth: number, leaf: Json): Json =>
    depth === 0
      ? leaf
      : {
          oneOf: ['a', 'b', 'c'].map((name) => ({
            type: 'object',
            properties: { [name]: nest(depth - 1, leaf) },
          })),
        };
  const of = (type: string): Json => ({ Nested: nest(6, { type }) });
  expect(diff(of('string'), of('string'))).toEqual([]);
  expect(diff(of('string'), of('integer')).length).toBeGreaterThan(0);
});

test('compares lists of thousands of values', () => {
  const values = names('value', 5_000);
  const of = (list: readonly string[]): Json => ({ Listed: { type: 'string', enum: list } });
  expect(diff(of(values), of(values.toReversed()))).toEqual([]);
  expect(diff(of(values), of(values.slice(1)))).toEqual([
    'breaking input: `input` lost "value0"',
    'safe output.200: `200` lost "value0"',
  ]);
});

test('compares the fields of a union of more than a hundred objects', () => {
  const of = (type: string): Json => ({
    Union: {
      oneOf: names('kind', 130).map((kind) => ({
        type: 'object',
        required: ['kind'],
        properties: { kind: { const: kind }, size: { type: kind === 'kind99' ? type : 'string' } },
      })),
    },
  });
  expect(diff(of('string'), of('integer'))).toEqual([
    'breaking input.size: `size` changed from string to integer',
    'breaking output.200.size: `200.size` changed from string to integer',
  ]);
});

test('calls an intersection of two long unions unclear where they differ, and the same where not', () => {
  const union = (prefix: string, count: number, type = 'string') => ({
    anyOf: names(prefix, count).map((name) => ({
      type: 'object',
      properties: { [name]: { type } },
    })),
  });
  const of = (type: string): Json => ({ Both: { allOf: [union('a', 70), union('b', 70, type)] } });
  expect(diff(of('string'), of('string'))).toEqual([]);
  expect(new Set(diff(of('string'), of('integer')).map((text) => text.split(':')[0]))).toEqual(
    new Set(['risky input', 'risky output.200']),
  );
});

test('compares an intersection that contains itself, and unions that are each other', () => {
  const of = (type: string): Json => ({
    Whole: {
      allOf: [
        { type: 'object', properties: { next: refersTo('Whole'), size: { type: 'string' } } },
        { type: 'object', properties: { next: refersTo('Part'), size: refersTo('Size') } },
      ],
    },
    Part: { type: 'object', properties: { next: refersTo('Whole'), name: { type } } },
    Size: { anyOf: [{ type: 'string' }, refersTo('Other')] },
    Other: { anyOf: [{ type: 'string' }, refersTo('Size')] },
  });
  expect(diff(of('string'), of('string'))).toEqual([]);
  expect(diff(of('string'), of('integer'))).toEqual([
    'breaking input.next.name: `next.name` changed from string to integer',
    'breaking output.200.next.name: `200.next.name` changed from string to integer',
  ]);
});

test('follows references through thousands of components', () => {
  const of = (type: string): Json =>
    Object.fromEntries(
      names('Link', 5_000).map((name, index) => [
        name,
        {
          type: 'object',
          properties: { next: index === 4_999 ? { type } : refersTo(`Link${index + 1}`) },
        },
      ]),
    );
  expect(diff(of('string'), of('integer')).length).toBe(2);
});
