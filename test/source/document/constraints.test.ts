import { expect, test } from 'vitest';
import { toConstraints } from '../../../source/document/constraints.ts';

const components = {
  schemas: {
    Name: { type: 'string', minLength: 1, maxLength: 20 },
    Tag: { type: 'string', pattern: '^a' },
  },
};

test.each<readonly [json: object, words: readonly string[]]>([
  [{ type: 'string', minLength: 1, maxLength: 20 }, ['1 to 20 characters']],
  [{ type: 'string', minLength: 3, maxLength: 3 }, ['exactly 3 characters']],
  [{ type: 'string', pattern: '^a' }, ['matches /^a/']],
  [{ type: 'string', format: 'email', pattern: '^a' }, []],
  [{ anyOf: [{ type: 'string', maxLength: 1 }, { type: 'null' }] }, ['at most 1 character']],
  [{ anyOf: [{ type: 'string', maxLength: 1 }, { type: 'number' }] }, []],
  [
    { allOf: [{ type: 'integer', minimum: 0 }, { exclusiveMaximum: 9 }] },
    ['at least 0', 'less than 9'],
  ],
  [{ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, multipleOf: 5 }, ['a multiple of 5']],
  [{ type: 'number', minimum: 1, maximum: 2 }, ['1 to 2']],
  [{ type: 'array', minItems: 1, uniqueItems: true }, ['at least 1 item', 'unique']],
  [{ type: 'object', maxProperties: 2 }, ['at most 2 fields']],
  [{ type: 'string', format: 'binary', maxLength: 9 }, ['at most 9 bytes']],
  [{ $ref: '#/components/schemas/Name' }, ['1 to 20 characters']],
  [
    { allOf: [{ $ref: '#/components/schemas/Tag' }], maxLength: 2 },
    ['at most 2 characters', 'matches /^a/'],
  ],
])('%j is told as %j', (json, words) => {
  expect(toConstraints({ json, root: { components } })).toEqual(words);
});
