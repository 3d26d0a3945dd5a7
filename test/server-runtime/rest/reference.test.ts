import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  silentLogger,
  toFetchHandler,
} from '../../../server-runtime/index.ts';
import type { FieldKind, ReferenceField } from '../input/reference-input.ts';
import {
  answerByTheContract,
  MAX_BODY_SIZE,
  type ReferenceOperation,
  type ReferenceRequest,
} from './reference-rest.ts';

/** Names of a group `items` and what the contract's table makes of them, with and without a field `id`. */
const routes = {
  getItem: ['GET', '/items/:id', '/items'],
  getItemStats: ['GET', '/items/:id', '/items/item-stats'],
  listItems: ['GET', '/items', '/items'],
  createItem: ['POST', '/items', '/items'],
  updateItem: ['PATCH', '/items/:id', '/items/:id'],
  replaceItem: ['PUT', '/items/:id', '/items/:id'],
  deleteItem: ['DELETE', '/items/:id', '/items/:id'],
  unfollow: ['DELETE', '/items/:id/follow', '/items/:id/follow'],
  bulkMove: ['POST', '/items/bulk-move', '/items/bulk-move'],
} as const;

const schemas: Readonly<Record<FieldKind, z.ZodType>> = {
  text: z.string().optional(),
  number: z.number().default(1),
  boolean: z.boolean().nullish(),
  texts: z.array(z.string()).optional(),
  numbers: z.array(z.number()).optional(),
  booleans: z.array(z.boolean()).optional(),
};
const field: fc.Arbitrary<ReferenceField> = fc
  .constantFrom(...(Object.keys(schemas) as FieldKind[]))
  .map((kind) => ({ kind, schema: schemas[kind] }));
const id: fc.Arbitrary<ReferenceField> = fc.constantFrom(
  { kind: 'text', schema: z.string() },
  { kind: 'number', schema: z.number() },
);
const fields = fc
  .tuple(fc.option(id), fc.dictionary(fc.constantFrom('a', 'b', 'c'), field))
  .map(
    ([idField, others]) =>
      new Map([...(idField === null ? [] : [['id', idField] as const]), ...Object.entries(others)]),
  );

interface Declared extends ReferenceOperation {
  readonly name: keyof typeof routes;
}
const operation: fc.Arbitrary<Declared> = fc
  .record({
    name: fc.constantFrom(...(Object.keys(routes) as (keyof typeof routes)[])),
    fields,
    isGuarded: fc.boolean(),
  })
  .map((made) => {
    const [method, withId, without] = routes[made.name];
    return { ...made, method, path: made.fields.has('id') ? withId : without };
  });
const registry = fc
  .uniqueArray(operation, { minLength: 1, maxLength: 6, selector: ({ method, path }) => `${method} ${path}` })
  .map((operations) => {
    const byName = new Map(operations.map((each) => [each.name, each]));
    return [...byName.values()];
  });

const text = fc.constantFrom('7', '1.5', 'true', 'x', '', '0x1', 'a%20b');
const json = fc.oneof(
  fc.constantFrom(
    '',
    '{}',
    '[]',
    '{"a":',
    'null',
    '{"a":"1"}',
    '{"a":1,"b":true}',
    '{"id":"9","c":["x"]}',
    '{"__proto__":{"a":1},"b":null}',
    `{"a":"${'x'.repeat(80)}"}`,
  ),
  fc
    .dictionary(
      fc.constantFrom('a', 'b', 'c', 'id', 'constructor'),
      fc.oneof(fc.integer(), fc.boolean(), fc.constantFrom('x', 'é'), fc.array(fc.integer(), { maxLength: 3 })),
    )
    .map((value) => JSON.stringify(value)),
);
const request: fc.Arbitrary<ReferenceRequest> = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'),
  path: fc.constantFrom(
    '/items',
    '/items/',
    '/items/7',
    '/items/a%2Fb',
    '//items//x',
    '/items/item-stats',
    '/items/bulk-move',
    '/items/7/follow',
    '/',
    '/nothing',
    '/items/7/8/9',
  ),
  query: fc
    .array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'id', 'a[]', 'prototype'), text), { maxLength: 4 })
    .map((pairs) => pairs.map(([key, value]) => `${key}=${value}`).join('&')),
  contentType: fc.constantFrom(
    'application/json',
    'application/json; charset=utf-8',
    'application/vnd.x+json',
    'text/plain',
    'application/json; charset=latin1',
  ),
  body: json,
  isUser: fc.boolean(),
});

const mustBeUser = defineGuard((ctx: { readonly isUser: boolean }) => {
  if (!ctx.isUser) throw defaultErrors.Unauthorized();
});

function toServer(operations: readonly Declared[]): ReturnType<typeof toFetchHandler> {
  const items = Object.fromEntries(
    operations.map(({ name, fields: declared, isGuarded }) => {
      const schema = z.object(Object.fromEntries([...declared].map(([key, each]) => [key, each.schema])));
      const plain = capability.withContext<{ readonly isUser: boolean }>()(schema, (input) => input);
      return [name, isGuarded ? plain.guard(mustBeUser) : plain];
    }),
  );
  const context = defineContext(({ headers }) => ({ isUser: headers['authorization'] !== undefined }));
  return toFetchHandler(createServer({ context, capabilities: { items }, logger: silentLogger }), {
    maxBodySize: MAX_BODY_SIZE,
  });
}

it('answers any request to any registry as the contract says, read from top to bottom', async () => {
  await fc.assert(
    fc.asyncProperty(registry, fc.array(request, { minLength: 1, maxLength: 8 }), async (operations, requests) => {
      const answer = toServer(operations);
      for (const each of requests) {
        const hasBody = each.method !== 'GET' && each.method !== 'HEAD';
        const response = await answer(
          new Request(`http://in-memory${each.path}?${each.query}`, {
            method: each.method,
            headers: {
              ...(each.contentType === undefined ? {} : { 'content-type': each.contentType }),
              ...(each.isUser ? { authorization: 'me' } : {}),
            },
            ...(hasBody ? { body: new TextEncoder().encode(each.body) } : {}),
          }),
        );
        const expected = answerByTheContract(operations, each);
        const body = await response.text();
        if (each.method === 'HEAD') expect([response.status, body]).toEqual([expected.status, '']);
        else {
          const { data, error } = JSON.parse(body) as { data?: unknown; error?: string };
          expect({ status: response.status, data, error }).toEqual({
            status: expected.status,
            data: expected.data,
            error: expected.error,
          });
        }
      }
    }),
    { numRuns: 300 },
  );
});
