import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  capability,
  createServer,
  type RestOptions,
  silentLogger,
  toFetchHandler,
} from '../../../server-runtime/index.ts';
import { describeThroughEveryDoor } from '../../helpers/every-door.ts';
import {
  type FieldKind,
  type ReferenceField,
  readReferenceQuery,
} from '../input/reference-input.ts';

const schema = z.object({
  q: z.string().optional(),
  limit: z.number().default(10),
  all: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
  ids: z.array(z.number()).optional(),
});
const capabilities = {
  items: {
    listItems: capability(schema, (input) => input),
    searchRaw: capability((input) => input),
    findRecord: capability(z.record(z.string(), z.string()), (input) => input),
  },
};
const rest = {
  overrides: {
    'items.searchRaw': { method: 'GET', path: '/raw/:id' },
    'items.findRecord': { method: 'GET', path: '/record' },
  },
} satisfies RestOptions;

describeThroughEveryDoor('queries', (start) => {
  it.each([
    ['/items', { limit: 10 }],
    ['/items?', { limit: 10 }],
    ['/items?limit=42', { limit: 42 }],
    ['/items?q=123&all=true', { q: '123', all: true, limit: 10 }],
    ['/items?q=01234', { q: '01234', limit: 10 }],
    ['/items?q', { q: '', limit: 10 }],
    ['/items?q=', { q: '', limit: 10 }],
    ['/items?q=a+b%2Bc', { q: 'a b+c', limit: 10 }],
    ['/items?q=%zz', { q: '%zz', limit: 10 }],
    ['/items?q=a&q=b', { q: 'b', limit: 10 }],
    ['/items?q=a=b', { q: 'a=b', limit: 10 }],
    ['/items?tags=a', { tags: ['a'], limit: 10 }],
    ['/items?tags=a&tags=b', { tags: ['a', 'b'], limit: 10 }],
    ['/items?tags[]=a', { tags: ['a'], limit: 10 }],
    ['/items?tags%5B%5D=a&tags=b', { tags: ['b', 'a'], limit: 10 }],
    ['/items?ids=1&ids=2', { ids: [1, 2], limit: 10 }],
    ['/items?q[]=a', { q: 'a', limit: 10 }],
    ['/items?unknown=1', { limit: 10 }],
    ['/raw/7?count=1&id=8&__proto__=x&constructor=y', { count: '1', id: '7' }],
    ['/record?a=1&b=true', { a: '1', b: 'true' }],
  ])('%s is read as %j', async (path, data) => {
    const { request } = await start({ capabilities, rest });
    expect(await (await request(path)).json()).toEqual({ data });
  });

  it.each([
    ['flag=false&count=1.5', { flag: false, count: 1.5 }],
    ['flag=true', { flag: true, count: 3 }],
    ['flag=0&count=0x10', { flag: true, count: 16 }],
    ['flag=&count=', { flag: false, count: 0 }],
  ])(
    'leaves to a coercing schema what is not a number or boolean: %s is %j',
    async (query, data) => {
      const coercing = z.object({ flag: z.coerce.boolean(), count: z.coerce.number().default(3) });
      const { request } = await start({
        capabilities: { items: { listItems: capability(coercing, (input) => input) } },
      });
      expect(await (await request(`/items?${query}`)).json()).toEqual({ data });
    },
  );

  it.each([
    ['/items?limit=abc', 'limit', 'abc'],
    ['/items?limit=0x10', 'limit', '0x10'],
    ['/items?limit=', 'limit', ''],
    ['/items?all=1', 'all', '1'],
    ['/items?ids=1&ids=x', 'ids.1', 'x'],
  ])('%s is refused, with what was sent for %s', async (path, field, received) => {
    const { request } = await start({ capabilities, rest });
    const response = await request(path);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: 'BadRequest',
      message: 'Input validation failed',
      meta: { fields: [{ path: field, received }] },
    });
  });
});

describe('a parameter of the path', () => {
  it.each([
    ['a text, for which no schema is described', z.string(), '1', 0],
    ['a number, which its description says', z.number(), 1, 1],
  ])('is %s', async (_, id, expected, times) => {
    let described = 0;
    const input = z.object({ id });
    // zod calls it for each JSON Schema that it writes.
    input._zod.toJSONSchema = () => {
      described += 1;
      return undefined;
    };
    const server = createServer({
      logger: silentLogger,
      capabilities: { items: { getItem: capability(input, (fields) => fields) } },
    });
    const answer = toFetchHandler(server);
    for (let count = 0; count < 2; count += 1) {
      const response = await answer(new Request('http://in-memory/items/1'));
      expect(await response.json()).toEqual({ data: { id: expected } });
    }
    expect(described).toBe(times);
  });
});

describe('any query of any fields', () => {
  const makers: Readonly<Record<FieldKind, readonly z.ZodType[]>> = {
    text: [z.string(), z.string().optional(), z.unknown(), z.union([z.string(), z.number()])],
    number: [
      z.number(),
      z.number().optional(),
      z.number().default(1).nullable(),
      z.coerce.number(),
    ],
    boolean: [z.boolean(), z.boolean().nullish(), z.boolean().default(true)],
    texts: [z.array(z.string()), z.array(z.string()).optional()],
    numbers: [z.array(z.number()), z.array(z.number().optional()).default([])],
    pair: [z.tuple([z.number(), z.number()]), z.tuple([z.number(), z.number()]).nullish()],
    booleans: [z.array(z.boolean()).readonly()],
  };
  const field: fc.Arbitrary<ReferenceField> = fc
    .constantFrom(...(Object.keys(makers) as FieldKind[]))
    .chain((kind) =>
      fc.constantFrom(...makers[kind]).map((fieldSchema) => ({ kind, schema: fieldSchema })),
    );
  const name = fc.constantFrom('a', 'b', 'limit', 'x y', 'ü');
  const fields = fc
    .uniqueArray(fc.tuple(name, field), { selector: ([key]) => key })
    .map((pairs) => new Map(pairs));
  const value = fc.oneof(
    fc.constantFrom('1', '2.5', 'true', 'false', '', 'abc', '0x1', ' 1', '%', '%zz', '+', 'a+b'),
    fc.string({ maxLength: 6 }).map(toSent),
  );
  const pair = fc.tuple(
    fc.oneof(name, fc.constantFrom('__proto__', 'constructor', 'other', '[]')),
    fc.constantFrom('', '[]'),
    fc.option(value),
  );
  const query = fc
    .array(pair, { maxLength: 8 })
    .map((pairs) =>
      pairs
        .map(
          ([key, brackets, text]) => `${toSent(key)}${brackets}${text === null ? '' : `=${text}`}`,
        )
        .join('&'),
    );

  it('reaches the handler as the rules say, word for word', async () => {
    await fc.assert(
      fc.asyncProperty(
        fields,
        query,
        fc.constantFrom('7', 'true', 'x%20y'),
        async (declared, text, segment) => {
          let seen: unknown;
          const shape = Object.fromEntries([...declared].map(([key, each]) => [key, each.schema]));
          // What reaches validation is shown, so that what validation thinks of it does not matter.
          const watched = z.preprocess(
            (sent) => {
              seen = structuredClone(sent);
              return {};
            },
            z.object(
              Object.fromEntries(
                Object.entries(shape).map(([key, each]) => [key, each.optional()]),
              ),
            ),
          );
          const server = createServer({
            logger: silentLogger,
            capabilities: { items: { listItems: capability(watched, () => null) } },
          });
          const answer = toFetchHandler(server, {
            overrides: { 'items.listItems': { method: 'GET', path: '/items/:limit' } },
          });
          await answer(new Request(`http://in-memory/items/${segment}?${text}`));
          const sentQuery = new URL(`http://in-memory/?${text}`).search.slice(1);
          expect(seen).toEqual(
            readReferenceQuery(sentQuery, { limit: decodeURIComponent(segment) }, declared),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Text as a client sends it, without the two characters that separate. */
function toSent(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+');
}
