import { expect, test } from 'vitest';
import * as z from 'zod';
import { toApiSchema } from '../../../source/document/branch.ts';
import { toBranches } from '../../../source/document/read-branches.ts';
import { toVariantTexts } from '../../../source/document/type-text.ts';

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
