import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compare } from '../../../../source/contract/compare.ts';
import { findUnread, uncompared } from '../../../../source/sides/references/find-unread.ts';

const item = { post: { responses: { 200: { description: 'ok' } } } };

/** A document with each of the parts in the one place where OpenAPI has it. */
const whole = {
  openapi: '3.2.0',
  info: { title: 'Pets', version: '1' },
  webhooks: { born: item },
  paths: {
    '/pets': {
      additionalOperations: { COPY: item.post },
      post: {
        callbacks: { done: { '{$request.body#/url}': item } },
        responses: { 200: { description: 'ok', links: { pet: { operationId: 'getPet' } } } },
      },
    },
  },
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
  const schema = { type: 'object', properties: { links: { type: 'object', title: 'x' } } };
  expect(
    findUnread({
      openapi: '3.1.0',
      webhooks: {},
      components: { schemas: { callbacks: schema } },
      paths: { '/a': { get: { responses: {}, callbacks: {} } } },
    }),
  ).toEqual([]);
});
