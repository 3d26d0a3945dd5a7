import { describe, expect, it } from 'vitest';
import { compare } from '../../../source/contract/compare.ts';

type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const ref = { $ref: '#/components/schemas/Part' };

/** An operation whose body is restricted, by a component if it refers to one. */
function toDocument(restriction: Json, part: unknown = text): object {
  const schema = { type: 'object', ...restriction };
  const content = { 'application/json': { schema } };
  return {
    openapi: '3.1.0',
    paths: { '/a': { post: { requestBody: { content }, responses: { 204: {} } } } },
    components: { schemas: { Part: part } },
  };
}

function find(before: object, after: object): readonly string[] {
  return compare(before, after).changed.flatMap(({ changes }) =>
    changes.map((change) => `${change.class} ${change.message}`),
  );
}

const part = { type: 'object', properties: { b: text } };
const narrowPart = { ...part, required: ['b'] };

type Place = readonly [word: string, toSchema: (inner: unknown) => Json, found: string];

const places: readonly Place[] = [
  ['then', toThen, 'breaking `input{then}.b` became required'],
  [
    'else',
    (inner) => ({ if: { required: ['a'] }, else: inner }),
    'breaking `input{else}.b` became required',
  ],
  ['if', (inner) => ({ if: inner, else: { required: ['a'] } }), 'risky `input` has another `if`'],
  ['not', (inner) => ({ not: inner }), 'safe `input` has another `not`'],
  [
    'contains',
    (inner) => ({ properties: { l: { type: 'array', contains: inner } } }),
    'breaking `l` has another `contains`',
  ],
  [
    'patternProperties',
    (inner) => ({ patternProperties: { '^x-': inner } }),
    'breaking `input{/^x-/}.b` became required',
  ],
  [
    'dependentSchemas',
    (inner) => ({ dependentSchemas: { a: inner } }),
    'breaking `input{with a}.b` became required',
  ],
];

/** An object literal with this word would be a promise to those who wait for it. */
function toThen(inner: unknown): Json {
  const text = JSON.stringify({ if: { required: ['a'] }, else: inner });
  return JSON.parse(text.replace('"else"', '"then"')) as Json;
}

describe.each(places)('the schema of `%s`', (_word, toSchema, found) => {
  it('is compared with what it refers to', () => {
    expect(find(toDocument(toSchema(ref), part), toDocument(toSchema(ref), narrowPart))).toEqual([
      found,
    ]);
  });

  it('is the same in its place and behind a reference', () => {
    expect(find(toDocument(toSchema(ref), part), toDocument(toSchema(part)))).toEqual([]);
  });

  it('is the same with another description', () => {
    const described = { ...part, description: 'Another one' };
    expect(find(toDocument(toSchema(part)), toDocument(toSchema(described)))).toEqual([]);
  });
});

const changes: Readonly<
  Record<string, readonly [before: Json, after: Json, found: readonly string[]]>
> = {
  'a restriction more': [
    {},
    { not: { required: ['a'] } },
    ['breaking `input` is restricted by `not` now'],
  ],
  'a restriction fewer': [
    { dependentRequired: { a: ['b'] } },
    {},
    ['safe `input` is no longer restricted by `dependentRequired`'],
  ],
  'a condition without a consequence': [{}, { if: { required: ['a'] } }, []],
  'another pattern of names': [
    { patternProperties: { '^x-': text } },
    { patternProperties: { '^y-': text } },
    ['risky `input` has another `patternProperties`'],
  ],
  'other fields, beside a pattern of names': [
    { patternProperties: { '^x-': text } },
    { patternProperties: { '^x-': text }, additionalProperties: false },
    ['breaking `input{}` changed from any to never'],
  ],
  'the same word in two parts': [
    { allOf: [{ not: { required: ['a'] } }, { not: { required: ['b'] } }] },
    { allOf: [{ not: { required: ['c'] } }, { not: { required: ['b'] } }] },
    ['risky `input` has another `not`'],
  ],
};

it.each(Object.entries(changes))('tells %s', (_name, [before, after, found]) => {
  expect(find(toDocument(before), toDocument(after))).toEqual(found);
});

it('tells what changes behind the same word in two parts', () => {
  const both = { allOf: [{ not: ref }, { not: { required: ['b'] } }] };
  expect(find(toDocument(both, part), toDocument(both, narrowPart))).toEqual([
    'safe `input` has another `not`',
  ]);
});
