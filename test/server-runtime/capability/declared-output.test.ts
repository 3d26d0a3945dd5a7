import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type } from 'arktype';
import * as fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  type Schema,
  silentLogger,
} from '../../../server-runtime/index.ts';
import { describe as describeSchema } from '../../../server-runtime/schema/describe.ts';

const Page = z.object({ size: z.number().default(10), tags: z.array(z.string()).optional() });
let asked = 0;

const made: readonly (readonly [what: string, schema: Schema, given: unknown, sent: unknown])[] = [
  ['a default', Page, { secret: 1 }, { size: 10 }],
  ['a default that is undefined in the value', Page, { size: undefined }, { size: 10 }],
  ['a default in a list', z.array(Page), [{}, { size: 1 }], [{ size: 10 }, { size: 1 }]],
  ['a default at the root', Page.default({ size: 5 }), undefined, { size: 5 }],
  ['a prefault', z.object({ page: Page.prefault({}) }), {}, { page: { size: 10 } }],
  [
    'a default that is a function',
    z.object({ at: z.number().default(() => ++asked) }),
    {},
    { at: 1 },
  ],
  [
    'a default that may be null',
    z.object({ a: z.string().nullable().default('x') }),
    { a: null },
    { a: null },
  ],
  [
    'a default beside what else there is',
    z.looseObject({ a: z.number().default(1) }),
    { b: 2 },
    { a: 1, b: 2 },
  ],
  ['a default of a record', z.record(z.string(), Page), { a: {} }, { a: { size: 10 } }],
  [
    'a default in a choice',
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), n: z.number().default(1) }),
      z.object({ kind: z.literal('b') }),
    ]),
    { kind: 'a', secret: 1 },
    { kind: 'a', n: 1 },
  ],
  [
    'a default where two schemas meet',
    z.intersection(Page, z.object({ a: z.string() })),
    { a: 'x' },
    { a: 'x', size: 10 },
  ],
  [
    'a default at the end of a tuple',
    z.tuple([z.string(), z.number().default(1)]),
    ['a'],
    ['a', 1],
  ],
  ['a transform', z.object({ a: z.string().transform(Number) }), { a: '1', b: 2 }, { a: 1 }],
  ['an asynchronous transform', z.string().transform(async (text) => text.length), 'abc', 3],
  ['a codec', z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String }), '5', 5n],
  ['coercion', z.object({ at: z.coerce.date() }), { at: 0 }, { at: new Date(0) }],
  ['a text that is trimmed', z.string().trim(), ' a ', 'a'],
  ['a default of valibot', v.object({ a: v.optional(v.number(), 1) }), { b: 2 }, { a: 1 }],
  ['a default of arktype', type({ a: 'number = 1' }), { b: 2 }, { a: 1, b: 2 }],
  ['what a catch stands for', z.object({ a: z.number().catch(1) }), { a: 'x' }, { a: 1 }],
];

const User = z.object({ id: z.string(), name: z.string().optional() });
const row = { id: '1', passwordHash: 'x' };
interface Tree {
  readonly name: string;
  readonly children: readonly Tree[];
}
const Tree: z.ZodType<Tree> = z.object({ name: z.string(), children: z.array(z.lazy(() => Tree)) });
class Row {
  readonly passwordHash = 'x';
  get id() {
    return '1';
  }
}

const dropped: readonly (readonly [what: string, schema: Schema, value: unknown, sent: unknown])[] =
  [
    ['an object', User, row, { id: '1' }],
    ['an object of a class', User, new Row(), { id: '1' }],
    ['a list', z.array(User), [{ id: '0' }, row], [{ id: '0' }, { id: '1' }]],
    ['a record', z.record(z.string(), User), { a: row }, { a: { id: '1' } }],
    [
      'a tuple',
      z.tuple([z.string(), User], User),
      ['x', row, row],
      ['x', { id: '1' }, { id: '1' }],
    ],
    [
      'an optional field',
      z.object({ user: User.nullable().optional() }),
      { user: row },
      { user: { id: '1' } },
    ],
    [
      'a field with a default',
      z.object({ user: User.default({ id: '0' }) }),
      { user: row },
      { user: { id: '1' } },
    ],
    ['either of null and an object', z.union([User, z.null()]), row, { id: '1' }],
    [
      'a union',
      z.union([z.object({ a: z.number() }), z.object({ b: z.string() })]),
      { b: 'x', c: 1 },
      { b: 'x' },
    ],
    [
      'an intersection whose sides share a field',
      z.intersection(
        z.object({ by: z.object({ id: z.string() }), all: z.array(z.object({ a: z.number() })) }),
        z.object({ by: z.object({ name: z.string() }), all: z.array(z.object({ b: z.number() })) }),
      ),
      { by: { id: '1', name: 'Ada', secret: 'x' }, all: [{ a: 1, b: 2, secret: 'x' }] },
      { by: { id: '1', name: 'Ada' }, all: [{ a: 1, b: 2 }] },
    ],
    [
      'a tree',
      Tree,
      { name: 'a', children: [{ name: 'b', children: [], x: 1 }] },
      { name: 'a', children: [{ name: 'b', children: [] }] },
    ],
    [
      'a catchall',
      z.object({ id: z.string() }).catchall(User),
      { id: '1', other: row },
      { id: '1', other: { id: '1' } },
    ],
    ['an object of valibot', v.object({ id: v.string() }), row, { id: '1' }],
    ['an object of arktype that deletes', type({ '+': 'delete', id: 'string' }), row, { id: '1' }],
  ];

/** What callers get of a value, by every way that there is to call. */
async function give(schema: Schema, value: unknown): Promise<unknown> {
  const getIt = capability((): never => value as never, 'query').output(
    schema as z.ZodType<unknown>,
  );
  const server = createServer({ capabilities: { getIt }, logger: silentLogger });
  return server.invoke({ capability: 'getIt' });
}

describe('a declared output', () => {
  it.each(made)('makes %s', async (_what, schema, given, sent) => {
    expect(await give(schema, given)).toEqual(sent);
  });

  it.each(dropped)(
    'drops what is not declared of %s, and leaves the value as it is',
    async (_what, schema, given, sent) => {
      const before = structuredClone(given);
      expect(await give(schema, given)).toEqual(sent);
      expect(structuredClone(given)).toEqual(before);
    },
  );

  it.each([
    [
      'a field of another type',
      User,
      { id: 1, name: 2 },
      'id: Invalid input: expected string, received number; name: ',
    ],
    ['a value of another type', z.array(User), row, 'expected array, received object'],
    [
      'a field that a strict object does not have',
      z.strictObject({ id: z.string() }),
      row,
      'passwordHash',
    ],
    [
      'a promise',
      User,
      { id: Promise.resolve('1') },
      'id: Invalid input: expected string, received Promise',
    ],
    [
      'what a transform refuses',
      z.object({ n: z.string().transform(Number).pipe(z.int()) }),
      { n: 'x' },
      'n: ',
    ],
    [
      'what asynchronous code refuses',
      z.string().refine(async () => false, 'It is taken'),
      'x',
      'It is taken',
    ],
    ['what valibot refuses', v.object({ id: v.string() }), { id: 1 }, 'id: Invalid type'],
    ['what arktype refuses', type({ id: 'string' }), { id: 1 }, 'id: must be a string'],
  ])('refuses %s', async (_what, schema, given, says) => {
    await expect(give(schema as Schema, given)).rejects.toThrow(says);
  });
});

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

interface Case {
  readonly schema: z.ZodType;
  readonly given: fc.Arbitrary<unknown>;
}

/** Schemas whose forms differ somewhere, with values that they take. */
const { node } = fc.letrec<{ node: Case }>((tie) => {
  const leaves: readonly Case[] = [
    { schema: z.string(), given: fc.string() },
    { schema: z.coerce.number(), given: fc.oneof(fc.integer(), fc.integer().map(String)) },
    {
      schema: z
        .string()
        .transform((text) => text.length)
        .pipe(z.int()),
      given: fc.string(),
    },
    { schema: z.int().catch(0), given: fc.oneof(fc.integer(), fc.string()) },
    {
      schema: z.date(),
      given: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
    },
    { schema: z.string().trim().toUpperCase(), given: fc.string() },
  ];
  const inner = tie('node');
  return {
    node: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(...leaves),
      inner.map(({ schema, given }) => ({
        schema: z.array(schema),
        given: fc.array(given, { maxLength: 3 }),
      })),
      inner.map(({ schema, given }) => ({ schema: schema.nullable(), given: fc.option(given) })),
      inner.map(({ schema, given }) => ({ schema: schema.prefault('x'), given })),
      fc
        .dictionary(fc.constantFrom('a', 'b', 'c'), fc.tuple(inner, fc.boolean()), { maxKeys: 3 })
        .map((fields) => ({
          schema: z.object(
            Object.fromEntries(
              Object.entries(fields).map(([name, [{ schema }, isFilled]]) => [
                name,
                isFilled
                  ? z
                      .string()
                      .default('d')
                      .or(schema as z.ZodString)
                      .optional()
                      .default('e')
                  : schema.optional(),
              ]),
            ),
          ),
          given: fc.record(
            Object.fromEntries(Object.entries(fields).map(([name, [{ given }]]) => [name, given])),
            {
              requiredKeys: [],
            },
          ),
        })),
    ),
  };
});

it('is as the form of answers says, whatever the schema', async () => {
  await fc.assert(
    fc.asyncProperty(
      node.chain(({ schema, given }) => fc.tuple(fc.constant(schema), given)),
      async ([schema, given]) => {
        fc.pre(schema.safeParse(given).success);
        const sent: unknown = JSON.parse(JSON.stringify(await give(schema, given)) ?? 'null');
        const validate = ajv.compile(describeSchema(schema).output);
        expect(validate(sent), JSON.stringify({ sent, errors: validate.errors })).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});
