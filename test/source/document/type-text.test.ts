import { expect, test } from 'vitest';
import * as z from 'zod';
import { toApiSchema } from '../../../source/document/branch.ts';
import { toBranches } from '../../../source/document/read-branches.ts';
import { toTypeText, toVariantTexts } from '../../../source/document/type-text.ts';

const name = z.string();

test.each<readonly [string, readonly z.ZodType[], readonly string[]]>([
  [
    'of other types by them',
    [z.object({ name }), z.string(), z.number()],
    ['object', 'string', 'number'],
  ],
  [
    'by their fields',
    [z.object({ a: name, b: name }), z.object({ c: name })],
    ['object with a, b', 'object with c'],
  ],
  ['of one type by numbers', [z.string().max(3), z.string().min(10)], ['string 1', 'string 2']],
  [
    'that are the same by numbers',
    [z.object({ a: name }), z.object({ a: name })],
    ['object with a 1', 'object with a 2'],
  ],
  ['without a field as such', [z.object({}), z.object({ a: name })], ['object', 'object with a']],
])('variants are told apart: those %s', (_, schemas, texts) => {
  expect(
    toVariantTexts(schemas.flatMap((schema) => toBranches(toApiSchema(z.toJSONSchema(schema))))),
  ).toEqual(texts);
});

const root = {
  openapi: '3.1.0',
  components: {
    schemas: {
      Id: { type: 'string', format: 'uuid' },
      Cat: { type: 'object', properties: { name: { type: 'string' } } },
      Dog: { type: 'object', properties: { name: { type: 'string' } } },
      Pet: { anyOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] },
      Other: { $ref: '#/components/schemas/Pet' },
    },
  },
};
const cat = { $ref: '#/components/schemas/Cat' };
const pet = { $ref: '#/components/schemas/Pet' };

test.each<readonly [string, unknown, string]>([
  ['a component', cat, 'Cat'],
  ['a component with a note', { ...cat, description: 'A cat' }, 'Cat'],
  ['a component with a limit', { ...cat, minProperties: 1 }, 'Cat'],
  ['a union', pet, 'Pet'],
  ['a union behind a component', { $ref: '#/components/schemas/Other' }, 'Other'],
  ['a union and null', { anyOf: [pet, { type: 'null' }] }, 'Pet | null'],
  ['a part of a union', { anyOf: [cat, { type: 'string' }] }, 'Cat | string'],
  ['the variants of a union', root.components.schemas.Pet, 'Cat | Dog'],
  ['one part', { allOf: [cat], description: 'A cat' }, 'Cat'],
  ['two parts', { allOf: [cat, { properties: { age: {} } }] }, 'Cat & object'],
  [
    'a part beside fields',
    { type: 'object', properties: { age: {} }, allOf: [cat] },
    'object & Cat',
  ],
  ['a part that says the type again', { allOf: [cat, { type: 'object' }] }, 'Cat'],
  [
    'a part of a union and fields',
    { allOf: [pet, { properties: { age: {} } }] },
    'Cat & object | Dog & object',
  ],
  ['what nothing fits', { not: {} }, 'never'],
  ['values and null', { type: ['string', 'null'], enum: ['a', 'b', null] }, "'a' | 'b' | null"],
  ['bytes', { type: 'string', contentEncoding: 'base64' }, 'string (base64)'],
  ['a list of a component', { type: 'array', items: pet }, 'Pet[]'],
  ['a record', { type: 'object', additionalProperties: pet }, 'record of Pet'],
  [
    'several objects without names',
    {
      oneOf: [
        { properties: { kind: { const: 'a' } }, required: ['kind'] },
        { properties: { size: {} } },
      ],
    },
    "{ kind: 'a' } | { size? }",
  ],
  ['a component that is nowhere', { $ref: '#/components/schemas/Gone' }, 'Gone'],
])('the type of %s', (_, json, text) => {
  expect(toTypeText(toApiSchema(json, root))).toBe(text);
});

test('null is taken by the word of OpenAPI 3.0', () => {
  const schema = toApiSchema({ type: 'string', nullable: true }, { openapi: '3.0.3' });
  expect(toTypeText(schema)).toBe('string | null');
});
