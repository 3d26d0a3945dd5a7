import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type } from 'arktype';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  generateOpenAPI,
  type Schema,
  silentLogger,
  toFetchHandler,
} from '../../../server-runtime/index.ts';

const scalar = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom<unknown>(
    true,
    false,
    null,
    0.5,
    2 ** 53,
    'a',
    'B',
    'on',
    '7',
    '2026-01-31',
    [],
    {},
    [null],
  ),
  fc.constantFrom(
    '2026-01-31T10:00:00Z',
    '2026-01-31T10:00:00+02:00',
    '2026-01-31T10:00:00.123Z',
    '10:00:00',
  ),
  fc.constantFrom(
    'a@b.example',
    'https://a.example',
    '+49123456789',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'YWJj',
    '10.0.0.0/8',
  ),
  fc.uuid(),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  {
    weight: 2,
    arbitrary: fc.dictionary(fc.constantFrom('a', 'b', 'kind', 'toString'), scalar, { maxKeys: 3 }),
  },
);

const Named = z.object({ a: z.string() }).meta({ id: 'Named' });
const zodLeaf = fc.constantFrom<z.ZodType>(
  z.string(),
  z.string().min(2).max(3),
  z.string().regex(/^[a-z]+$/),
  z.iso.datetime(),
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ precision: 3 }),
  z.iso.date(),
  z.e164(),
  z.ulid(),
  z.base64(),
  z.cidrv4(),
  z.uuid(),
  z.number(),
  z.int(),
  z.number().min(1).max(9),
  z.int().multipleOf(2),
  z.boolean(),
  z.null(),
  z.enum(['a', 'B']),
  z.literal(['a', 7, true]),
  z.any(),
  Named,
  Named.meta({ id: 'Renamed' }),
  z.json().meta({ id: 'Json' }),
  z.object({ a: z.int() }).meta({ id: 'Named' }),
  z.preprocess((sent) => sent, z.string()),
  z.preprocess((sent) => sent, z.string()).readonly(),
  z.preprocess((sent) => sent, z.any()),
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), a: z.int() }),
    z.object({ kind: z.literal('B'), b: z.string().optional() }),
  ]),
  z.object({ toString: z.string().optional(), a: z.string().optional() }),
);
const { node } = fc.letrec<{ node: z.ZodType }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    zodLeaf,
    tie('node').map((inner) => inner.optional()),
    tie('node').map((inner) => inner.nullable()),
    tie('node').map((inner) => inner.readonly()),
    tie('node').map((inner) => z.array(inner).max(2)),
    tie('node').map((inner) => z.record(z.string(), inner)),
    fc.tuple(tie('node'), tie('node')).map((items) => z.tuple(items)),
    fc.tuple(tie('node'), tie('node')).map((branches) => z.union(branches)),
    fc
      .dictionary(fc.constantFrom('a', 'b'), tie('node'), { minKeys: 1 })
      .map((fields) => z.object(fields)),
    fc
      .dictionary(fc.constantFrom('a', 'b'), tie('node'), { minKeys: 1 })
      .map((fields) => z.strictObject(fields)),
  ),
}));
const valibotLeaf = fc.constantFrom<v.GenericSchema>(
  v.string(),
  v.pipe(v.string(), v.minLength(2)),
  v.pipe(v.string(), v.regex(/^[a-z]+$/)),
  v.pipe(v.number(), v.minValue(1)),
  v.pipe(v.number(), v.integer()),
  v.boolean(),
  v.nullable(v.string()),
  v.picklist(['a', 'B']),
  v.array(v.number()),
  v.strictObject({ a: v.string() }),
  v.union([v.number(), v.object({ a: v.string() })]),
);
const arktypeLeaf = fc.constantFrom<Schema>(
  type('string') as Schema,
  type('string >= 2') as Schema,
  type(/^[a-z]+$/) as Schema,
  type('1 <= number <= 9') as Schema,
  type('number.integer') as Schema,
  type('boolean | null') as Schema,
  type("'a' | 'B'") as Schema,
  type('number[]') as Schema,
  type({ 'a?': 'string', b: 'number' }) as Schema,
);

/** The whole of an input, of one library. A report of a failure has the document in place of it. */
const input = fc
  .oneof<fc.MaybeWeightedArbitrary<Schema>[]>(
    { weight: 3, arbitrary: node.map((inner) => z.object({ it: inner })) },
    { weight: 1, arbitrary: valibotLeaf.map((inner) => v.object({ it: inner })) },
    { weight: 1, arbitrary: arktypeLeaf.map((inner) => type({ it: inner as never }) as Schema) },
  )
  .map((schema) => ({ schema, [fc.toStringMethod]: () => 'a project' }));

it('takes what the document admits and refuses the rest, and gives what the document says', async () => {
  let [taken, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      input,
      fc.array(value, { minLength: 4, maxLength: 6 }),
      async ({ schema }, values) => {
        const capabilities = {
          save: capability(schema as Schema<object>, (sent) => sent as never).output(schema),
        };
        const document = generateOpenAPI(capabilities);
        const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true });
        formats.default(ajv);
        ajv.addSchema({ $id: 'doc', ...document });
        const post = 'doc#/paths/~1save/post';
        const admits = ajv.compile({
          $ref: `${post}/requestBody/content/application~1json/schema`,
        });
        const gives = ajv.compile({
          $ref: `${post}/responses/200/content/application~1json/schema`,
        });
        const handle = toFetchHandler(createServer({ capabilities, logger: silentLogger }));
        for (const body of [{}, ...values.map((it) => ({ it }))]) {
          const response = await handle(
            new Request('http://host/save', {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }),
          );
          const told = JSON.stringify({
            body,
            document: document.paths['/save']?.['post'],
            ...document.components.schemas,
          });
          expect([response.status, told]).toEqual([admits(body) ? 200 : 400, told]);
          if (response.status === 200)
            expect([gives(await response.json()), told]).toEqual([true, told]);
          if (response.status === 200) taken++;
          else refused++;
        }
      },
    ),
    { numRuns: 500 },
  );
  expect(Math.min(taken, refused)).toBeGreaterThan(150);
}, 600_000);
