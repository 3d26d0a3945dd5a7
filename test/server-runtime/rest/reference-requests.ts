import fc from 'fast-check';
import { z } from 'zod';
import { createEnhancer } from '../../../server-runtime/capability/enhancer.ts';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineError,
  defineGuard,
  type RestOptions,
  reply,
  restTransport,
  type Server,
  silentLogger,
} from '../../../server-runtime/index.ts';
import type { FieldKind, ReferenceField } from '../input/reference-input.ts';
import {
  type Ending,
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

const schemas: Readonly<Record<FieldKind, readonly z.ZodType[]>> = {
  text: [
    z.string().optional(),
    z.string().min(2).max(3).optional(),
    z.enum(['x', '7']).default('x'),
    z
      .string()
      .refine((text) => Promise.resolve(text !== 'x'), 'no x')
      .optional(),
    z
      .string()
      .transform((text) => text.length)
      .optional(),
  ],
  number: [
    z.number().default(1),
    z.int().min(2).nullish(),
    z
      .number()
      .refine((n) => n > 1, 'too few')
      .optional(),
  ],
  boolean: [z.boolean().nullish(), z.boolean().default(true).readonly()],
  texts: [z.array(z.string()).optional(), z.array(z.string().max(1)).min(2).optional()],
  numbers: [z.array(z.number()).optional()],
  pair: [z.tuple([z.number(), z.number()]).optional()],
  booleans: [z.array(z.boolean()).optional()],
};
const field: fc.Arbitrary<ReferenceField> = fc
  .constantFrom(...(Object.keys(schemas) as FieldKind[]))
  .chain((kind) => fc.constantFrom(...schemas[kind]).map((schema) => ({ kind, schema })));
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

/** An operation and how it is made; what is made in another way must answer the same. */
export interface Declared extends ReferenceOperation {
  readonly name: keyof typeof routes;
  /** Whether guard, enhancer and handler give promises. */
  readonly isAsync: boolean;
  readonly isEnhanced: boolean;
}

const operation: fc.Arbitrary<Declared> = fc
  .record({
    name: fc.constantFrom(...(Object.keys(routes) as (keyof typeof routes)[])),
    fields,
    isGuarded: fc.boolean(),
    ending: fc.constantFrom<Ending>(
      'input',
      'input',
      'input',
      'nothing',
      'reply',
      'refusal',
      'fault',
      'thrown text',
    ),
    isAsync: fc.boolean(),
    isEnhanced: fc.boolean(),
  })
  .map((made) => {
    const [method, withId, without] = routes[made.name];
    return { ...made, method, path: made.fields.has('id') ? withId : without };
  });

export const registries = fc
  .uniqueArray(operation, {
    minLength: 1,
    maxLength: 6,
    selector: ({ method, path }) => `${method} ${path}`,
  })
  .map((operations) => [...new Map(operations.map((each) => [each.name, each])).values()]);

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
      fc.oneof(
        fc.integer(),
        fc.boolean(),
        fc.constantFrom('x', 'é'),
        fc.array(fc.integer(), { maxLength: 3 }),
      ),
    )
    .map((value) => JSON.stringify(value)),
);

export const requests: fc.Arbitrary<ReferenceRequest> = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'),
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
    .array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'id', 'a[]', 'prototype'), text), {
      maxLength: 4,
    })
    .map((pairs) => pairs.map(([key, value]) => `${key}=${value}`).join('&')),
  contentType: fc.constantFrom(
    'application/json',
    'application/json; charset=utf-8',
    'application/vnd.x+json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    undefined,
  ),
  body: json,
  isUser: fc.boolean(),
  requestId: fc.option(fc.stringMatching(/^[a-z0-9-]{1,20}$/), { nil: undefined }),
});

/** The application that the operations describe, whose context comes in the same turn or later. */
export function toServer(
  operations: readonly Declared[],
  rest: RestOptions,
  contextIsAsync: boolean,
): Server {
  const context = defineContext(({ headers }) => {
    const built = { isUser: headers['authorization'] !== undefined };
    return contextIsAsync ? Promise.resolve(built) : built;
  });
  return createServer({
    context,
    capabilities: {
      items: Object.fromEntries(operations.map((each) => [each.name, toCapability(each)])),
    },
    transports: [restTransport({ ...rest, maxBodySize: MAX_BODY_SIZE })],
    logger: silentLogger,
  });
}

const Teapot = defineError(418, 'I am a teapot', 'Teapot');

function mustBeUser({ isAsync }: Declared) {
  const check = (ctx: { readonly isUser: boolean }): void => {
    if (!ctx.isUser) throw defaultErrors.Unauthorized();
  };
  return defineGuard(isAsync ? async (ctx: { readonly isUser: boolean }) => check(ctx) : check);
}

const passOn = createEnhancer((next) => (input, ctx) => next(input, ctx), { name: 'passOn' });

function toCapability(declared: Declared) {
  const schema = z.object(
    Object.fromEntries([...declared.fields].map(([key, each]) => [key, each.schema])),
  );
  const finish = (input: unknown): unknown => end(declared.ending, input);
  const plain = capability.withContext<{ readonly isUser: boolean }>()(
    schema,
    declared.isAsync ? async (input) => finish(input) : finish,
  );
  const enhanced = declared.isEnhanced ? plain.enhance(passOn) : plain;
  return declared.isGuarded ? enhanced.guard(mustBeUser(declared)) : enhanced;
}

function end(ending: Ending, input: unknown): unknown {
  switch (ending) {
    case 'input':
      return input;
    case 'nothing':
      return undefined;
    case 'reply':
      return reply(input, { status: 201, headers: { 'X-Made': 'yes' } });
    case 'refusal':
      throw Teapot('Short and stout', { handle: 'left' });
    case 'fault':
      throw new Error('secret');
    case 'thrown text':
      throw 'secret';
  }
}
