import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type } from 'arktype';
import * as fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Schema } from '../../../server-runtime/schema/schema.ts';
import { createAnswerMaker } from '../../../server-runtime/schema/sent/create-answer-maker.ts';
import { hasOutputForm, toMaking } from '../../../server-runtime/schema/sent/has-output-form.ts';
import { toWireSchema } from '../../../server-runtime/schema/to-wire-schema.ts';

const Page = z.object({ size: z.number().default(10), tags: z.array(z.string()).optional() });
let asked = 0;

const made: readonly (readonly [what: string, schema: Schema, given: unknown, sent: unknown])[] = [
  ['a default', Page, { secret: 1 }, { size: 10 }],
  ['a default that is undefined in the value', Page, { size: undefined }, { size: 10 }],
  ['a default in a list', z.array(Page), [{}, { size: 1 }], [{ size: 10 }, { size: 1 }]],
  ['a default at the root', Page.default({ size: 5 }), undefined, { size: 5 }],
  ['a prefault', z.object({ page: Page.prefault({}) }), {}, { page: { size: 10 } }],
  ['a default that is a function', z.object({ at: z.number().default(() => ++asked) }), {}, { at: 1 }],
  ['a default that may be null', z.object({ a: z.string().nullable().default('x') }), { a: null }, { a: null }],
  ['a default beside what else there is', z.looseObject({ a: z.number().default(1) }), { b: 2 }, { a: 1, b: 2 }],
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
  ['a default at the end of a tuple', z.tuple([z.string(), z.number().default(1)]), ['a'], ['a', 1]],
  ['a transform', z.object({ a: z.string().transform(Number) }), { a: '1', b: 2 }, { a: 1 }],
  ['an asynchronous transform', z.string().transform(async (text) => text.length), 'abc', 3],
  ['a codec', z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String }), '5', 5n],
  ['coercion', z.object({ at: z.coerce.date() }), { at: 0 }, { at: new Date(0) }],
  ['a text that is trimmed', z.string().trim(), ' a ', 'a'],
  ['a default of valibot', v.object({ a: v.optional(v.number(), 1) }), { b: 2 }, { a: 1 }],
  ['a default of arktype', type({ a: 'number = 1' }), { b: 2 }, { a: 1 }],
  ['what a catch stands for', z.object({ a: z.number().catch(1) }), { a: 'x' }, { a: 1 }],
];

describe('what is sent', () => {
  it.each(made)('has %s', async (_what, schema, given, sent) => {
    expect(await createAnswerMaker(schema)(given)).toEqual(sent);
  });

  it('is what was given where it does not fit, without undeclared fields and with defaults', () => {
    const schema = z.object({ id: z.string().transform(Number), page: Page.optional() });
    expect(createAnswerMaker(schema)({ id: 1, page: { x: 1 }, secret: 2 })).toEqual({ id: 1, page: { size: 10 } });
  });

  it('runs no schema that only drops or fills', () => {
    expect([z.object({ a: z.string() }), Page, z.object({ a: z.email().refine(() => true) })].map(toMaking)).toEqual([
      'none',
      'fill',
      'none',
    ]);
    expect(createAnswerMaker(Page)({ size: 1, tags: ['a'] })).toEqual({ size: 1, tags: ['a'] });
  });
});

describe('the form of what is given', () => {
  it.each([
    [z.object({ a: z.string().optional() }), false],
    [z.object({ a: z.date(), b: z.coerce.number(), c: z.string().trim() }), false],
    [z.object({ a: z.preprocess((value) => value, z.string()) }), false],
    [z.enum(['a', 'b']).default('a'), false],
    [z.string().pipe(z.string()), false],
    [z.array(z.object({ a: z.string().default('x') })), true],
    [z.string().transform(Number), true],
    [z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: String }), true],
  ] as const)('differs only where its JSON Schema does', (schema, differs) => {
    expect(hasOutputForm(schema)).toBe(differs);
    const texts = (['input', 'output'] as const).map((io) => JSON.stringify(toWireSchema(schema, { io })));
    if (!differs) expect(texts[0]).toBe(texts[1]);
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
    { schema: z.date(), given: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }) },
    { schema: z.string().trim().toUpperCase(), given: fc.string() },
  ];
  const inner = tie('node');
  return {
    node: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(...leaves),
      inner.map(({ schema, given }) => ({ schema: z.array(schema), given: fc.array(given, { maxLength: 3 }) })),
      inner.map(({ schema, given }) => ({ schema: schema.nullable(), given: fc.option(given) })),
      inner.map(({ schema, given }) => ({ schema: schema.prefault('x'), given })),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.tuple(inner, fc.boolean()), { maxKeys: 3 }).map((fields) => ({
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
        given: fc.record(Object.fromEntries(Object.entries(fields).map(([name, [{ given }]]) => [name, given])), {
          requiredKeys: [],
        }),
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
        const sent: unknown = JSON.parse(JSON.stringify(await createAnswerMaker(schema)(given)) ?? 'null');
        const validate = ajv.compile(toWireSchema(schema, { io: 'output' }));
        expect(validate(sent), JSON.stringify({ sent, errors: validate.errors })).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});
