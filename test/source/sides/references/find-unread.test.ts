import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compare } from '../../../../source/contract/compare.ts';
import { findUnread, uncompared } from '../../../../source/sides/references/unread.ts';

/** A document with each of the parts in the one place where OpenAPI has it. */
const whole = {
  openapi: '3.2.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://{region}.example', variables: { region: { default: 'eu' } } }],
  paths: { '/pets': { post: { responses: { 200: { description: 'ok' } } } } },
};

function without(part: unknown, keyword: string): unknown {
  return JSON.parse(
    JSON.stringify(part, (name, value: unknown) => (name === keyword ? undefined : value)),
  );
}

it.each(uncompared.map(({ keyword }) => keyword))(
  'tells of %s, which no rule looks at, and which the page lists',
  (keyword) => {
    expect(findUnread(whole).filter((part) => part.keyword === keyword)).toHaveLength(1);
    expect(findUnread(Object(without(whole, keyword))).map((part) => part.keyword)).not.toContain(
      keyword,
    );
    // A rule that looks at it makes the entry untrue.
    expect(compare(whole, Object(without(whole, keyword))).class).toBeUndefined();
    const page = readFileSync(new URL('../../../../docs/gate.md', import.meta.url), 'utf8');
    expect(page).toContain(`\`${keyword}\``);
  },
);

it('tells nothing of names that anybody may choose, nor of what is empty', () => {
  const schema = { type: 'object', properties: { variables: { type: 'object', title: 'x' } } };
  expect(
    findUnread({
      openapi: '3.1.0',
      servers: [{ url: '/', variables: {} }],
      components: { schemas: { variables: schema } },
      paths: { '/a': { get: { responses: {} } } },
    }),
  ).toEqual([]);
});

it('tells of an id that two operations have, which are the same as themselves by their routes', () => {
  const get = { operationId: 'readPet', responses: { 200: { description: 'ok' } } };
  const twice = { openapi: '3.1.0', paths: { '/a': { get }, '/b': { get } } };
  expect(findUnread(twice)).toEqual([
    {
      keyword: 'operationId',
      place: '/paths/~1b/get/operationId',
      count: 1,
      reason: 'several operations are called readPet: they are told apart by their routes',
    },
  ]);
  const one = { openapi: '3.1.0', paths: { '/b': { get } } };
  expect(compare(twice, structuredClone(twice)).class).toBeUndefined();
  expect(compare(twice, one).removed.map(({ route }) => route)).toEqual(['GET /a']);
});
