import { expect, it } from 'vitest';
import { z } from 'zod';
import { capability } from '../../../server-runtime/index.ts';
import { startGraphql } from '../../helpers/start-graphql.ts';

const Node = z
  .object({
    id: z.string(),
    any: z.unknown().optional(),
    get kids() {
      return z.array(Node).optional();
    },
  })
  .meta({ id: 'Node' }) as z.ZodType<{ id: string; any?: unknown }>;
const Input = z.object({
  id: z.string(),
  any: z.unknown().optional(),
  at: z.iso.datetime().optional(),
});
const getNode = capability(Input, ({ id, any }) => ({ id, any })).output(Node);
const getRaw = capability(
  () => ({
    toJSON() {
      throw new Error('a secret');
    },
  }),
  'query',
);
const getCircle = capability(() => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  return circle;
}, 'query');
const capabilities = { nodes: { getNode, getRaw, getCircle } };

const fragments = (count: number, toBody: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `fragment F${at} on Node { ${toBody(at)} }`).join(' ');
const doubled = fragments(30, (at) => `...F${at + 1} ...F${at + 1}`);
const nested = fragments(
  12,
  (at) => `a${at}: kids { ...F${at + 1} } b${at}: kids { ...F${at + 1} }`,
);
const literal = `${'['.repeat(900)}${']'.repeat(900)}`;

it.each([
  ['aliases within aliases', `{ getNode(id: 1) { ${'kids { id } '.repeat(330)} } }`, 200],
  [
    'fragments in a circle',
    `{ getNode(id: 1) { ...F0 } } ${fragments(3, (at) => `kids { ...F${(at + 1) % 3} }`)}`,
    400,
  ],
  [
    'a circle that nothing spreads',
    `{ getNode(id: 1) { id } } ${fragments(2, (at) => `...F${1 - at}`)}`,
    400,
  ],
  [
    'fragments that double',
    `{ getNode(id: 1) { ...F0 } } ${doubled} fragment F30 on Node { id }`,
    400,
  ],
  [
    'fragments that double in levels',
    `{ getNode(id: 1) { ...F0 } } ${nested} fragment F12 on Node { id }`,
    400,
  ],
  ['10,000 fields', `{ getNode(id: 1) { ${'id '.repeat(10_000)} } }`, 400],
  ['10,000 directives', `{ getNode(id: 1) { id ${'@skip(if: false) '.repeat(10_000)} } }`, 400],
  [
    '600 fragments in one another',
    `{ ${'... { '.repeat(600)} getNode(id: 1) { id } ${'}'.repeat(600)} }`,
    200,
  ],
  ['a list of 900 levels', `{ getNode(id: 1, any: ${literal}) { id } }`, 200],
  [
    'a type of 900 levels',
    `query ($a: ${'['.repeat(900)}ID${']'.repeat(900)}) { getNode(id: 1) { id } }`,
    400,
  ],
  ['an argument __proto__', '{ getNode(id: 1, __proto__: { a: 1 }) { id } }', 400],
  [
    'names of prototypes in a value',
    '{ getNode(id: 1, any: { __proto__: { a: 1 }, constructor: { prototype: { b: 1 } } }) { any } }',
    200,
  ],
  [
    'names of prototypes as aliases',
    '{ __proto__: getNode(id: 1) { constructor: id toString: id } }',
    200,
  ],
  ['a field __proto__', '{ __proto__ { id } }', 400],
  ['a scalar that throws', '{ getNode(id: 1, at: 5) { id } }', 400],
  ['a text of 500,000 characters', `{ getNode(id: "${'a'.repeat(500_000)}") { id } }`, 200],
  ['a comment alone', '#'.repeat(500_000), 400],
])('%s is answered in time, and not with 500', async (_title, query, status) => {
  const { ask, log } = await startGraphql({ capabilities });
  const answer = await ask(query);
  expect(answer.status).toBe(status);
  expect(answer.errors?.filter(({ extensions }) => extensions?.status === 500) ?? []).toEqual([]);
  expect(log.errors).toEqual([]);
  expect(({} as Record<string, unknown>)['a']).toBeUndefined();
});

it('variables that are huge, deep, or named as prototypes are refused in words, or are values', async () => {
  const { send, log } = await startGraphql({ capabilities });
  const post = (variables: string) =>
    send({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"query":"query ($a: JSON) { getNode(id: 1, any: $a) { any } }","variables":${variables}}`,
    });
  const deep = await post(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  expect(deep).toMatchObject({
    status: 400,
    errors: [{ message: 'The request body is nested deeper than 64 levels' }],
  });
  expect((await post(`{"a":"${'x'.repeat(2_000_000)}"}`)).status).toBe(413);
  expect((await post('{"a":{"__proto__":{"polluted":1}}}')).data).toEqual({ getNode: { any: {} } });
  expect((await post('{"__proto__":{"a":1}}')).data).toEqual({ getNode: { any: null } });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(log.errors).toEqual([]);
});

it('what cannot be written as JSON is the fault of the code, of which the caller learns nothing', async () => {
  const { ask, log } = await startGraphql({ capabilities });
  const { data, errors } = await ask('{ nodesGetRaw nodesGetCircle }');
  expect(data).toEqual({ nodesGetRaw: null, nodesGetCircle: null });
  expect(errors?.map(({ message }) => message)).toEqual(Array(2).fill('Internal server error'));
  expect(JSON.stringify(errors)).not.toMatch(/secret|node:|\.ts/);
  expect(log.errors).toHaveLength(2);
});
