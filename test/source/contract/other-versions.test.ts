import { expect, it } from 'vitest';
import { compare } from '../../../source/contract/compare.ts';

const json = 'application/json';
const own = { type: 'object', properties: { x: { type: 'string' } } };
const ref = { $ref: '#/components/schemas/Own' };
const nothing = { type: 'null' };
const text = { type: 'string' };

/** An API that takes and gives one value, in the words of a version. */
function toDocument(openapi: string, schema: object, mediaType: string): object {
  const content = { [mediaType]: { schema } };
  const responses = { 200: { description: 'Ok', content } };
  return {
    openapi,
    paths: { '/a': { post: { operationId: 'a', requestBody: { content }, responses } } },
    components: { schemas: { Own: own } },
  };
}

interface Pair {
  readonly name: string;
  readonly of30: object;
  readonly of31: object;
  readonly mediaType: string;
}

const rows: readonly (readonly [string, of30: object, of31: object, mediaType?: string])[] = [
  ['bytes in a text', { ...text, format: 'byte' }, { ...text, contentEncoding: 'base64' }],
  [
    'null beside listed values',
    { ...text, enum: ['a', 'b'], nullable: true },
    { anyOf: [{ ...text, enum: ['a', 'b'] }, nothing] },
  ],
  [
    'files in a form of which nothing is said',
    {
      type: 'object',
      properties: {
        file: { ...text, format: 'binary' },
        all: { type: 'array', items: { ...text, format: 'binary' } },
      },
    },
    { type: 'object', properties: { file: {}, all: { type: 'array', items: {} } } },
    'multipart/form-data',
  ],
  [
    'a file in a form',
    { type: 'object', properties: { file: { ...text, format: 'binary' } } },
    {
      type: 'object',
      properties: { file: { ...text, contentMediaType: 'application/octet-stream' } },
    },
    'multipart/form-data',
  ],
  ['a file', { ...text, format: 'binary' }, {}, 'application/pdf'],
  [
    'a file by its media type',
    { ...text, format: 'binary' },
    { contentMediaType: 'application/pdf' },
    'application/pdf',
  ],
  [
    'other fields of a type',
    { type: 'object', additionalProperties: { type: 'integer' } },
    { type: 'object', unevaluatedProperties: { type: 'integer' } },
  ],
  [
    'no other fields',
    { ...own, additionalProperties: false },
    { ...own, unevaluatedProperties: { not: {} } },
  ],
  [
    'null beside a reference',
    { type: 'object', allOf: [ref], nullable: true },
    { anyOf: [ref, nothing] },
  ],
  [
    'null beside values',
    { ...text, allOf: [{ enum: ['a'] }], nullable: true },
    { oneOf: [{ ...text, const: 'a' }, nothing] },
  ],
  ['a word that 3.1 does not have', text, { ...text, nullable: true }],
];

const pairs = rows.map(
  ([name, of30, of31, mediaType = json]): Pair => ({ name, of30, of31, mediaType }),
);

it.each(pairs)('finds the same in the words of 3.0 and 3.1: $name', ({ of30, of31, mediaType }) => {
  const documents = [
    toDocument('3.0.3', of30, mediaType),
    toDocument('3.1.0', of31, mediaType),
    toDocument('3.2.0', of31, mediaType),
  ] as const;
  const found = (before: object, after: object) =>
    compare(before, after).changed.flatMap(({ changes }) => changes.map(({ message }) => message));
  expect(found(documents[0], documents[1])).toEqual([]);
  expect(found(documents[1], documents[0])).toEqual([]);
  expect(found(documents[1], documents[2])).toEqual([]);
});
