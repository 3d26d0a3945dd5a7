import fc from 'fast-check';
import * as z from 'zod';

export type SchemaPair = readonly [before: z.ZodType, after: z.ZodType];

const name = fc.constantFrom('a', 'b', 'c');
const count = fc.nat({ max: 3 });
const tag = fc.constantFrom('x', 'y', 'z');

const leaf: fc.Arbitrary<z.ZodType> = fc.oneof(
  fc.constantFrom<z.ZodType>(
    z.string(),
    z.number(),
    z.int(),
    z.boolean(),
    z.null(),
    z.email(),
    z.uuid(),
    z.any(),
  ),
  fc.tuple(count, count).map(([min, max]) => z.string().min(min).max(max)),
  fc
    .uniqueArray(fc.constantFrom('^a', 'b', '^.?$'), { minLength: 1 })
    .map((patterns) =>
      patterns.reduce((text, pattern) => text.regex(new RegExp(pattern)), z.string()),
    ),
  fc
    .tuple(count, fc.boolean())
    .map(([min, isOpen]) => (isOpen ? z.number().gt(min) : z.number().gte(min))),
  fc
    .tuple(count, fc.boolean())
    .map(([max, isOpen]) => (isOpen ? z.int().lt(max) : z.int().lte(max))),
  fc
    .tuple(count, fc.boolean())
    .map(([max, isOpen]) => (isOpen ? z.number().lt(max) : z.number().lte(max))),
  fc.constantFrom(1, 2, 3, 4).map((multiple) => z.number().multipleOf(multiple)),
  fc
    .uniqueArray(fc.constantFrom('a', 'b', 'ab', 1, true, null), { minLength: 1 })
    .map((values) => z.literal(values)),
);

const records: readonly ((value: z.ZodType) => z.ZodType)[] = [
  (value) => z.record(z.string(), value),
  (value) => z.record(z.enum(['a', 'b']), value),
  (value) => z.partialRecord(z.enum(['a', 'c']), value),
  (value) => z.record(z.string().regex(/^a/), value),
  (value) => z.object({ a: value }).catchall(value),
];

type Presence = 'required' | 'optional' | 'missing';

/** Two schemas that grew out of one: of each part the one has what the other has, or something else. */
export const schemaPair: fc.Arbitrary<SchemaPair> = fc.letrec<{ pair: SchemaPair }>((tie) => {
  const pair = tie('pair');
  const presence = fc.constantFrom<Presence>('required', 'required', 'optional', 'missing');
  return {
    pair: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf.map((schema): SchemaPair => [schema, schema]),
      fc.tuple(leaf, leaf),
      {
        weight: 3,
        arbitrary: fc
          .dictionary(name, fc.tuple(pair, presence, presence), { maxKeys: 3 })
          .map(toObjects),
      },
      fc
        .tuple(pair, count, count)
        .map(([[a, b], min, max]): SchemaPair => [z.array(a).min(min), z.array(b).max(max)]),
      fc
        .tuple(pair, fc.boolean(), fc.boolean())
        .map(
          ([[a, b], isNull, mayBeNull]): SchemaPair => [
            isNull ? a.nullable() : a,
            mayBeNull ? b.nullable() : b,
          ],
        ),
      fc
        .tuple(pair, pair, fc.boolean())
        .map(
          ([[a, b], [c, d], isOptional]): SchemaPair => [
            z.tuple([a, c]),
            isOptional ? z.tuple([b, d.optional()]) : z.tuple([b, d]),
          ],
        ),
      fc
        .tuple(pair, pair)
        .map(([[a, b], [c, d]]): SchemaPair => [z.tuple([a]).rest(c), z.tuple([b]).rest(d)]),
      fc
        .tuple(pair, pair)
        .map(([[a, b], [c, d]]): SchemaPair => [z.union([a, c]), z.union([b, d])]),
      fc.tuple(pair, pair).map(([[a, b], [c]]): SchemaPair => [z.union([a, c]), b]),
      fc.tuple(pair, pair).map(([[a, b], [, d]]): SchemaPair => [a, z.union([d, b])]),
      fc.tuple(pair, pair, tag, tag).map(
        ([[a, b], [c, d], one, other]): SchemaPair => [
          toTagged([
            ['x', a],
            ['y', c],
          ]),
          toTagged(
            one === other
              ? [[one, b]]
              : [
                  [one, b],
                  [other, d],
                ],
          ),
        ],
      ),
      fc
        .tuple(pair, fc.constantFrom(...records), fc.constantFrom(...records))
        .map(([[a, b], one, other]): SchemaPair => [one(a), other(b)]),
    ),
  };
}).pair;

function toTagged(variants: readonly (readonly [string, z.ZodType])[]): z.ZodType {
  const objects = variants.map(
    ([value, schema]) => z.object({ c: z.literal(value), a: schema }) as z.ZodObject,
  );
  return z.discriminatedUnion('c', objects as [z.ZodObject, ...z.ZodObject[]]);
}

function toObjects(
  fields: Readonly<Record<string, readonly [SchemaPair, Presence, Presence]>>,
): SchemaPair {
  const toObject = (side: 0 | 1): z.ZodType =>
    z.object(
      Object.fromEntries(
        Object.entries(fields).flatMap(([key, [schemas, ...presences]]) => {
          if (presences[side] === 'missing') return [];
          return [[key, presences[side] === 'optional' ? schemas[side].optional() : schemas[side]]];
        }),
      ),
    );
  return [toObject(0), toObject(1)];
}
