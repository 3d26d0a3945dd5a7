import { expect, test } from 'vitest';
import * as z from 'zod';
import { toApiSchema } from '../../../source/document/branch.ts';
import { toBranches } from '../../../source/document/read-branches.ts';
import { toVariantTexts } from '../../../source/document/type-text.ts';

const name = z.string();

test.each<readonly [string, readonly z.ZodType[], readonly string[]]>([
  ['of other types by them', [z.object({ name }), z.string(), z.number()], ['object', 'string', 'number']],
  ['by their fields', [z.object({ a: name, b: name }), z.object({ c: name })], ['object with a, b', 'object with c']],
  [
    'by the fields that not all of them have first',
    [z.object({ id: name, card: name }), z.object({ id: name, iban: name })],
    ['object with card, id', 'object with iban, id'],
  ],
  [
    'of equal fields by the types of those',
    [z.object({ a: z.string() }), z.object({ a: z.number() })],
    ['object with a: string', 'object with a: number'],
  ],
  [
    'in lists by those',
    [z.array(z.object({ a: name })), z.array(z.object({ b: name }))],
    ['list of object with a', 'list of object with b'],
  ],
  [
    'of one type by their constraints',
    [z.string().max(3), z.string().min(10)],
    ['string, at most 3 characters', 'string, at least 10 characters'],
  ],
  [
    'that are the same by numbers',
    [z.object({ a: name }), z.object({ a: name })],
    ['object with a 1', 'object with a 2'],
  ],
  ['without a field as such', [z.object({}), z.object({ a: name })], ['object without fields', 'object with a']],
])('variants are told apart: those %s', (_, schemas, texts) => {
  expect(toVariantTexts(schemas.flatMap((schema) => toBranches(toApiSchema(z.toJSONSchema(schema)))))).toEqual(texts);
});
