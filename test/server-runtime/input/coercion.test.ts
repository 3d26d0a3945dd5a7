import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import {
  capability,
  createServer,
  type GroupTree,
  type Schema,
  silentLogger,
  toFetchHandler,
} from '../../../server-runtime/index.ts';

/** One field in the words of each library, with a value that it takes. */
interface Field {
  readonly zod: z.ZodType;
  readonly mini: mini.ZodMiniType;
  readonly valibot: v.GenericSchema;
  readonly arktype: string;
  readonly value: unknown;
}

const number = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => (value === 0 ? 0 : value));
const text = fc.oneof(
  fc.string(),
  number.map(String),
  fc.constantFrom('true', 'false', '01', '1e3'),
);
const field: fc.Arbitrary<Field> = fc.oneof(
  text.map((value) => ({
    zod: z.string(),
    mini: mini.string(),
    valibot: v.string(),
    arktype: 'string',
    value,
  })),
  number.map((value) => ({
    zod: z.number(),
    mini: mini.number(),
    valibot: v.number(),
    arktype: 'number',
    value,
  })),
  fc.boolean().map((value) => ({
    zod: z.boolean(),
    mini: mini.boolean(),
    valibot: v.boolean(),
    arktype: 'boolean',
    value,
  })),
  number.map((value) => ({
    zod: z.number().nullable(),
    mini: mini.nullable(mini.number()),
    valibot: v.nullable(v.number()),
    arktype: 'number | null',
    value,
  })),
  text.map((value) => ({
    zod: z.union([z.number(), z.string()]),
    mini: mini.union([mini.number(), mini.string()]),
    valibot: v.union([v.number(), v.string()]),
    arktype: 'number | string',
    value,
  })),
  fc.array(number, { minLength: 1 }).map((value) => ({
    zod: z.array(z.number()),
    mini: mini.array(mini.number()),
    valibot: v.array(v.number()),
    arktype: 'number[]',
    value,
  })),
);
const input = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'x y'), field, { minKeys: 1 });

function listThingsBy(schema: Schema): (query: string) => Promise<unknown> {
  const capabilities = { things: { listThings: capability(schema, (sent) => sent) } };
  const answer = toFetchHandler(createServer({ capabilities, logger: silentLogger }));
  return async (query) => (await answer(new Request(`http://localhost/things?${query}`))).json();
}

describe('what is sent in a query arrives as it was, in the words of', () => {
  it.each<[string, (fields: readonly (readonly [string, Field])[]) => Schema]>([
    ['zod', (fields) => z.object(Object.fromEntries(fields.map(([name, { zod }]) => [name, zod])))],
    [
      'zod/mini',
      (fields) => mini.object(Object.fromEntries(fields.map(([name, each]) => [name, each.mini]))),
    ],
    [
      'valibot',
      (fields) =>
        toStandardJsonSchema(
          v.object(Object.fromEntries(fields.map(([name, each]) => [name, each.valibot]))),
        ),
    ],
    [
      'arktype',
      (fields) =>
        type(Object.fromEntries(fields.map(([name, { arktype }]) => [name, arktype])) as object),
    ],
  ])('%s', async (_library, toSchema) => {
    await fc.assert(
      fc.asyncProperty(input, async (fields) => {
        const sent = Object.entries(fields);
        const query = new URLSearchParams();
        for (const [name, { value }] of sent)
          for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
        const data = Object.fromEntries(sent.map(([name, { value }]) => [name, value]));
        expect(await listThingsBy(toSchema(sent))(query.toString())).toEqual({ data });
      }),
      { numRuns: 60 },
    );
  });
});

it('describes no input before a request needs it, however many there are', async () => {
  let described = 0;
  const toSchema = (): z.ZodType => {
    const schema = z.object({ id: z.number(), tags: z.array(z.string()).optional() });
    const { processJSONSchema: own } = schema._zod;
    schema._zod.processJSONSchema = (...given) => {
      described++;
      own?.(...given);
    };
    return schema;
  };
  const toGroup = (_: unknown, index: number) => [
    `group${index}`,
    { getThing: capability(toSchema(), (input) => input) },
  ];
  const capabilities = Object.fromEntries(Array.from({ length: 1000 }, toGroup)) as GroupTree;
  const answer = toFetchHandler(createServer({ capabilities, logger: silentLogger }), {
    prefix: '/api',
  });
  await answer(new Request('http://localhost/nowhere'));
  expect(described).toBe(0);
  for (let count = 0; count < 3; count++)
    expect(await (await answer(new Request('http://localhost/api/group7/5'))).json()).toEqual({
      data: { id: 5 },
    });
  expect(described).toBe(1);
});
