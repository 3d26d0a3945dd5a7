import { type } from 'arktype';
import fc from 'fast-check';
import {
  type GraphQLOutputType,
  getNamedType,
  graphql,
  isObjectType,
  validateSchema,
} from 'graphql';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { graphqlTransport, toGraphqlSchema } from '../../../server-runtime/graphql/index.ts';
import {
  capability,
  createServer,
  restTransport,
  type Schema,
} from '../../../server-runtime/index.ts';

/** A value as all three schema libraries can describe it. */
type Shape =
  | { readonly kind: 'text' | 'count' | 'measure' | 'flag' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly item: Shape }
  | { readonly kind: 'object'; readonly fields: readonly Field[] };

interface Field {
  readonly name: string;
  readonly shape: Shape;
  readonly mayBeLeftOut: boolean;
  readonly mayBeNull: boolean;
}

const names = ['name', 'count', 'zip-code', 'kind', 'note', 'tags', 'Address', 'x_1', 'type', 'on'];
const texts = ['new', 'in-progress', 'done', 'a b', 'ä'];

const { shape, object } = fc.letrec<{ shape: Shape; object: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ kind: fc.constantFrom('text', 'count', 'measure', 'flag') }) as fc.Arbitrary<Shape>,
    fc
      .uniqueArray(fc.constantFrom(...texts), { minLength: 2, maxLength: 4 })
      .map((values): Shape => ({ kind: 'choice', values })),
    tie('shape').map((item): Shape => ({ kind: 'list', item })),
    tie('object'),
  ),
  object: fc
    .uniqueArray(
      fc.record({
        name: fc.constantFrom(...names),
        shape: tie('shape'),
        mayBeLeftOut: fc.boolean(),
        mayBeNull: fc.boolean(),
      }),
      { selector: ({ name }) => name, minLength: 1, maxLength: 4 },
    )
    .map((fields): Shape => ({ kind: 'object', fields })),
}));

function toZod(of: Shape): z.ZodType {
  switch (of.kind) {
    case 'text':
      return z.string().max(5);
    case 'count':
      return z.int32().max(100);
    case 'measure':
      return z.number();
    case 'flag':
      return z.boolean();
    case 'choice':
      return z.enum(of.values);
    case 'list':
      return z.array(toZod(of.item));
    case 'object':
      return z.object(
        Object.fromEntries(
          of.fields.map((field) => {
            const own = field.mayBeNull ? toZod(field.shape).nullable() : toZod(field.shape);
            return [field.name, field.mayBeLeftOut ? own.optional() : own];
          }),
        ),
      );
  }
}

function toValibot(of: Shape): v.GenericSchema {
  switch (of.kind) {
    case 'text':
      return v.pipe(v.string(), v.maxLength(5));
    case 'count':
      return v.pipe(v.number(), v.integer(), v.minValue(-(2 ** 31)), v.maxValue(100));
    case 'measure':
      return v.number();
    case 'flag':
      return v.boolean();
    case 'choice':
      return v.picklist(of.values);
    case 'list':
      return v.array(toValibot(of.item));
    case 'object':
      return v.object(
        Object.fromEntries(
          of.fields.map((field) => {
            const own = toValibot(field.shape);
            const nullable = field.mayBeNull ? v.nullable(own) : own;
            return [field.name, field.mayBeLeftOut ? v.optional(nullable) : nullable];
          }),
        ),
      );
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- a type that is made of texts
function toArk(of: Shape): any {
  switch (of.kind) {
    case 'text':
      return type('string <= 5');
    case 'count':
      return type('-2147483648 <= number.integer <= 100');
    case 'measure':
      return type('number');
    case 'flag':
      return type('boolean');
    case 'choice':
      return type.enumerated(...of.values);
    case 'list':
      return toArk(of.item).array();
    case 'object':
      return type(
        Object.fromEntries(
          of.fields.map((field) => {
            const own = field.mayBeNull ? toArk(field.shape).or('null') : toArk(field.shape);
            return [field.mayBeLeftOut ? `${field.name}?` : field.name, own];
          }),
        ),
      );
  }
}

const libraries: readonly ((of: Shape) => Schema)[] = [
  (of) => toZod(of),
  (of) => toValibot(of),
  (of) => toArk(of) as Schema,
];

/** Values that fit. A field that may be left out is there, or not; where it may not be null, it never is. */
function valueOf(of: Shape): fc.Arbitrary<unknown> {
  switch (of.kind) {
    case 'text':
      return fc.string({ maxLength: 5 });
    case 'count':
      return fc.integer({ min: -(2 ** 31), max: 100 });
    case 'measure':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'flag':
      return fc.boolean();
    case 'choice':
      return fc.constantFrom(...of.values);
    case 'list':
      return fc.array(valueOf(of.item), { maxLength: 3 });
    case 'object':
      return fc
        .tuple(
          ...of.fields.map((field) => {
            const own = valueOf(field.shape);
            const nullable = field.mayBeNull ? fc.option(own) : own;
            const there = nullable.map((value) => [[field.name, value]] as const);
            return field.mayBeLeftOut ? fc.oneof(there, fc.constant([] as const)) : there;
          }),
        )
        .map((fields) => Object.fromEntries(fields.flat() as (readonly [string, unknown])[]));
  }
}

/** What no value of a shape is, and both doors read alike. */
const wrong: Readonly<Record<string, unknown>> = {
  text: 'too long',
  count: 101,
  measure: 'x',
  flag: 'x',
  choice: 'none',
  list: [null],
  object: 'x',
};

/** Values of which one part at most does not fit: each of those is a choice. */
function sentOf(of: Shape & { kind: 'object' }): fc.Arbitrary<unknown> {
  return valueOf(of).chain((value) =>
    fc.constantFrom(undefined, ...of.fields).map((field) => {
      const sent = { ...(value as Record<string, unknown>) };
      if (field === undefined) return sent;
      const { item } = field.shape as { item?: Shape };
      // Null in a list of what may not be null is wrong in both.
      sent[field.name] = item === undefined ? wrong[field.shape.kind] : [wrong[item.kind]];
      return sent;
    }),
  );
}

const toName = (name: string): string => name.replaceAll(/\W/g, '_');

/** A value as GraphQL answers, with null for what is not there. */
function toAnswer(of: Shape, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (of.kind === 'choice') return areNames(of.values) ? toName(value as string) : value;
  if (of.kind === 'list') return (value as unknown[]).map((item) => toAnswer(of.item, item));
  if (of.kind !== 'object') return JSON.parse(JSON.stringify(value));
  return Object.fromEntries(
    of.fields.map((field) => [
      toName(field.name),
      toAnswer(field.shape, (value as Record<string, unknown>)[field.name]),
    ]),
  );
}

/** A value as a caller of GraphQL sends it: by the names of fields and enums there. */
function toSent(of: Shape, value: unknown): unknown {
  if (of.kind === 'choice' && typeof value === 'string' && areNames(of.values))
    return toName(value);
  if (of.kind === 'list' && Array.isArray(value)) return value.map((item) => toSent(of.item, item));
  if (of.kind !== 'object' || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const field = of.fields.find((each) => each.name === name) as Field;
      return [toName(name), toSent(field.shape, part)];
    }),
  );
}

/** Whether texts have different names in GraphQL: they are an enum there, else a `String`. */
function areNames(values: readonly string[]): boolean {
  return new Set(values.map(toName)).size === values.length;
}

function toSelection(of: GraphQLOutputType): string {
  const named = getNamedType(of);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields());
  return `{ ${fields.map((field) => `${field.name} ${toSelection(field.type)}`).join(' ')} }`;
}

const project = fc
  .record({ library: fc.constantFrom(...libraries), input: object, output: shape, more: object })
  .chain((parts) =>
    fc.record({
      ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, fc.constant(part)])),
      answer: valueOf(parts.output),
      other: valueOf(parts.more),
      sent: sentOf(parts.input as Shape & { kind: 'object' }),
    } as {
      library: fc.Arbitrary<(of: Shape) => Schema>;
      input: fc.Arbitrary<Shape>;
      output: fc.Arbitrary<Shape>;
      more: fc.Arbitrary<Shape>;
      answer: fc.Arbitrary<unknown>;
      other: fc.Arbitrary<unknown>;
      sent: fc.Arbitrary<unknown>;
    }),
  );

/** The project `inputs` of `vitest.config.ts` tries 300. */
const count = Number(process.env['CAPIX_PROJECTS'] ?? 30);

it(`${count} random projects have a valid schema, answers that fit it, and inputs that agree with REST`, async () => {
  await fc.assert(
    fc.asyncProperty(project, async ({ library, input, output, more, answer, other, sent }) => {
      const seen: unknown[] = [];
      const createThing = capability(library(input), (taken) => {
        seen.push(taken);
        return answer;
      }).output(library(output));
      const getThing = capability(() => answer, 'query')
        .route('GET', '/one')
        .output(library(output));
      const listThings = capability(() => [other], 'query').output(
        library({ kind: 'list', item: more }),
      );
      const server = createServer({
        capabilities: { things: { createThing, getThing, listThings } },
        transports: [restTransport({ port: 0 }), graphqlTransport()],
        logger: { debug() {}, info() {}, warn() {}, error() {} },
      });
      const schema = await toGraphqlSchema(server);
      expect(validateSchema(schema)).toEqual([]);

      const queries = schema.getQueryType()?.getFields() ?? {};
      const { getThing: one, listThings: many } = queries;
      const source = `{ getThing ${one && toSelection(one.type)} listThings ${many && toSelection(many.type)} }`;
      const result = await graphql({ schema, source, contextValue: {} });
      expect(result.errors).toBeUndefined();
      expect(JSON.parse(JSON.stringify(result.data))).toEqual({
        getThing: toAnswer(output, answer),
        listThings: [toAnswer(more, other)],
      });

      const [started] = await server.start();
      try {
        const made = schema.getMutationType()?.getFields()['createThing'];
        const query = `mutation ($input: ${made?.args[0]?.type}) { createThing(input: $input) ${made && toSelection(made.type)} }`;
        const send = async (path: string, body: unknown) =>
          fetch(`${started?.url}${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          });
        const rest = await send('/things', sent);
        const response = await send('/graphql', {
          query,
          variables: { input: toSent(input, sent) },
        });
        const { errors } = (await response.json()) as { errors?: { extensions: object }[] };
        expect(errors === undefined).toBe(rest.ok);
        if (rest.ok) expect(seen[1]).toEqual(seen[0]);
        else expect(errors?.map(({ extensions }) => extensions)).toMatchObject([{ status: 400 }]);
        expect(seen).toHaveLength(rest.ok ? 2 : 0);
      } finally {
        await server.stop({ graceMs: 0 });
      }
    }),
    { numRuns: count },
  );
});
