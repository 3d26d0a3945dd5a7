import { type } from 'arktype';
import { type GraphQLSchema, isInputObjectType, isObjectType, validateSchema } from 'graphql';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { toGraphqlSchema } from '../../../server-runtime/graphql/index.ts';
import { capability, createServer } from '../../../server-runtime/index.ts';
import type { Schema } from '../../../server-runtime/schema/schema.ts';

/** Rows: the name of a field, its type in an answer, its type in an input. */
type Row = readonly [field: string, output: string, input: string];

async function schemaOf(thing: Schema): Promise<GraphQLSchema> {
  const saveThing = capability(thing, (input: unknown) => input as never).output(thing);
  const schema = await toGraphqlSchema(createServer({ capabilities: { things: { saveThing } } }));
  expect(validateSchema(schema)).toEqual([]);
  return schema;
}

/** The rows of a schema, as its types have them. */
function rowsOf(schema: GraphQLSchema, outputName: string, inputName: string): readonly Row[] {
  const output = schema.getType(outputName);
  const input = schema.getType(inputName);
  if (!isObjectType(output) || !isInputObjectType(input)) throw new TypeError('no such types');
  const inputs = input.getFields();
  return Object.values(output.getFields()).map(({ name, type: found }) => {
    const { type: taken, defaultValue } = inputs[name] ?? { type: '–' };
    const standard = defaultValue === undefined ? '' : ` = ${JSON.stringify(defaultValue)}`;
    return [name, String(found), `${String(taken)}${standard}`];
  });
}

const card = z.object({ kind: z.literal('card'), number: z.string() });
const cash = z.object({ kind: z.literal('cash') });
const dog = z.object({ barks: z.boolean() }).meta({ id: 'Dog' });
const cat = z.object({ meows: z.boolean() }).meta({ id: 'Cat' });

it('36 each row of the table of types with zod', async () => {
  const part = z.object({ name: z.string() });
  const schema = await schemaOf(
    z.object({
      id: z.string(),
      text: z.string(),
      number: z.number(),
      integer: z.int(),
      int32: z.int32(),
      flag: z.boolean(),
      nothing: z.null(),
      date: z.date(),
      iso: z.iso.datetime(),
      coercedDate: z.coerce.date(),
      coercedNumber: z.coerce.number(),
      coercedFlag: z.coerce.boolean(),
      big: z.bigint(),
      names: z.enum(['a', 'b']),
      cleaned: z.enum(['in-progress', 'done']),
      alike: z.enum(['a-b', 'a b']),
      reserved: z.enum(['true', 'false']),
      one: z.literal('x'),
      numbers: z.literal([1, 2]),
      flags: z.literal(true),
      part,
      named: part.extend({ age: z.number() }).meta({ id: 'Person' }),
      tagged: z.discriminatedUnion('kind', [card, cash]),
      untagged: z.union([dog, cat]),
      mixed: z.union([z.string(), z.array(z.string())]),
      nullable: z.string().nullable(),
      optional: z.string().optional(),
      nullish: z.string().nullish(),
      defaulted: z.number().default(3),
      record: z.record(z.string(), z.number()),
      unknown: z.unknown(),
      pair: z.tuple([z.string(), z.string()]),
      odd: z.tuple([z.string(), z.number()]),
      list: z.array(z.string().nullable()),
      'zip-code': z.string(),
      clash: z.object({ 'a-b': z.string(), a_b: z.string() }),
      hidden: z.object({ __x: z.string() }),
    }),
  );
  expect(rowsOf(schema, 'Thing', 'SaveThingInput')).toEqual([
    ['id', 'ID!', 'ID!'],
    ['text', 'String!', 'String!'],
    ['number', 'Float!', 'Float!'],
    ['integer', 'Float!', 'Float!'],
    ['int32', 'Int!', 'Int!'],
    ['flag', 'Boolean!', 'Boolean!'],
    ['nothing', 'JSON', 'JSON'],
    ['date', 'DateTime!', 'DateTime!'],
    ['iso', 'DateTime!', 'DateTime!'],
    ['coercedDate', 'DateTime!', 'DateTime!'],
    ['coercedNumber', 'Float!', 'Float!'],
    ['coercedFlag', 'Boolean!', 'Boolean!'],
    ['big', 'BigInt!', 'BigInt!'],
    ['names', 'ThingNames!', 'ThingNames!'],
    ['cleaned', 'ThingCleaned!', 'ThingCleaned!'],
    ['alike', 'String!', 'String!'],
    ['reserved', 'String!', 'String!'],
    ['one', 'String!', 'String!'],
    ['numbers', 'Int!', 'Int!'],
    ['flags', 'Boolean!', 'Boolean!'],
    ['part', 'ThingPart!', 'SaveThingPartInput!'],
    ['named', 'Person!', 'PersonInput!'],
    ['tagged', 'ThingTagged!', 'SaveThingTaggedInput!'],
    ['untagged', 'ThingUntagged!', 'SaveThingUntaggedInput!'],
    ['mixed', 'JSON!', 'JSON!'],
    ['nullable', 'String', 'String'],
    ['optional', 'String', 'String'],
    ['nullish', 'String', 'String'],
    ['defaulted', 'Float!', 'Float = 3'],
    ['record', 'JSON!', 'JSON!'],
    ['unknown', 'JSON', 'JSON'],
    ['pair', '[String!]!', '[String!]!'],
    ['odd', 'JSON!', 'JSON!'],
    ['list', '[String]!', '[String]!'],
    ['zip_code', 'String!', 'String!'],
    ['clash', 'JSON!', 'JSON!'],
    ['hidden', 'JSON!', 'JSON!'],
  ]);
  expect(rowsOf(schema, 'ThingTaggedCard', 'SaveThingTaggedCardInput')).toEqual([
    ['kind', 'String!', '–'],
    ['number', 'String!', 'String!'],
  ]);
  expect(inputFields(schema, 'SaveThingTaggedInput')).toEqual({
    card: 'SaveThingTaggedCardInput',
    cash: 'Boolean',
  });
  expect(inputFields(schema, 'SaveThingUntaggedInput')).toEqual({
    dog: 'DogInput',
    cat: 'CatInput',
  });
});

it('37 each row of the table of types with valibot', async () => {
  const schema = await schemaOf(
    v.object({
      id: v.string(),
      text: v.string(),
      number: v.number(),
      integer: v.pipe(v.number(), v.integer()),
      int32: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
      flag: v.boolean(),
      date: v.date(),
      iso: v.pipe(v.string(), v.isoTimestamp()),
      big: v.bigint(),
      names: v.picklist(['a', 'b']),
      cleaned: v.picklist(['in-progress', 'done']),
      one: v.literal('x'),
      part: v.object({ name: v.string() }),
      tagged: v.variant('kind', [
        v.object({ kind: v.literal('card'), number: v.string() }),
        v.object({ kind: v.literal('cash') }),
      ]),
      mixed: v.union([v.string(), v.array(v.string())]),
      nullable: v.nullable(v.string()),
      optional: v.optional(v.string()),
      nullish: v.nullish(v.string()),
      defaulted: v.optional(v.number(), 3),
      record: v.record(v.string(), v.number()),
      unknown: v.unknown(),
      pair: v.tuple([v.string(), v.string()]),
      odd: v.tuple([v.string(), v.number()]),
      'zip-code': v.string(),
    }),
  );
  expect(rowsOf(schema, 'Thing', 'SaveThingInput')).toEqual([
    ['id', 'ID!', 'ID!'],
    ['text', 'String!', 'String!'],
    ['number', 'Float!', 'Float!'],
    ['integer', 'Float!', 'Float!'],
    ['int32', 'Int!', 'Int!'],
    ['flag', 'Boolean!', 'Boolean!'],
    ['date', 'DateTime!', 'DateTime!'],
    ['iso', 'DateTime!', 'DateTime!'],
    ['big', 'BigInt!', 'BigInt!'],
    ['names', 'ThingNames!', 'ThingNames!'],
    ['cleaned', 'ThingCleaned!', 'ThingCleaned!'],
    ['one', 'String!', 'String!'],
    ['part', 'ThingPart!', 'SaveThingPartInput!'],
    ['tagged', 'ThingTagged!', 'SaveThingTaggedInput!'],
    ['mixed', 'JSON!', 'JSON!'],
    ['nullable', 'String', 'String'],
    ['optional', 'String', 'String'],
    ['nullish', 'String', 'String'],
    ['defaulted', 'Float!', 'Float = 3'],
    ['record', 'JSON!', 'JSON!'],
    ['unknown', 'JSON', 'JSON'],
    ['pair', '[String!]!', '[String!]!'],
    ['odd', 'JSON!', 'JSON!'],
    ['zip_code', 'String!', 'String!'],
  ]);
  expect(inputFields(schema, 'SaveThingTaggedInput')).toEqual({
    card: 'SaveThingTaggedCardInput',
    cash: 'Boolean',
  });
});

it('38 each row of the table of types with arktype', async () => {
  const schema = await schemaOf(
    type({
      id: 'string',
      text: 'string',
      number: 'number',
      integer: 'number.integer',
      int32: '0 <= number.integer <= 100',
      flag: 'boolean',
      date: 'Date',
      names: "'a' | 'b'",
      one: "'x'",
      part: { name: 'string' },
      tagged: type({ kind: "'card'", number: 'string' }).or({ kind: "'cash'" }),
      mixed: 'string | string[]',
      nullable: 'string | null',
      'optional?': 'string',
      unknown: 'unknown',
      record: 'Record<string, number>',
      pair: ['string', 'string'],
      odd: ['string', 'number'],
      'zip-code': 'string',
    }),
  );
  expect(
    rowsOf(schema, 'Thing', 'SaveThingInput').toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ).toEqual([
    ['date', 'DateTime!', 'DateTime!'],
    ['flag', 'Boolean!', 'Boolean!'],
    ['id', 'ID!', 'ID!'],
    ['int32', 'Int!', 'Int!'],
    ['integer', 'Float!', 'Float!'],
    ['mixed', 'JSON!', 'JSON!'],
    ['names', 'ThingNames!', 'ThingNames!'],
    ['nullable', 'String', 'String'],
    ['number', 'Float!', 'Float!'],
    ['odd', 'JSON!', 'JSON!'],
    ['one', 'String!', 'String!'],
    ['optional', 'String', 'String'],
    ['pair', '[String!]!', '[String!]!'],
    ['part', 'ThingPart!', 'SaveThingPartInput!'],
    ['record', 'JSON!', 'JSON!'],
    ['tagged', 'ThingTagged!', 'SaveThingTaggedInput!'],
    ['text', 'String!', 'String!'],
    ['unknown', 'JSON', 'JSON'],
    ['zip_code', 'String!', 'String!'],
  ]);
  expect(inputFields(schema, 'SaveThingTaggedInput')).toEqual({
    card: 'SaveThingTaggedCardInput',
    cash: 'Boolean',
  });
});

function inputFields(schema: GraphQLSchema, name: string): Record<string, string> {
  const found = schema.getType(name);
  if (!isInputObjectType(found)) throw new TypeError(`no input ${name}`);
  return Object.fromEntries(
    Object.values(found.getFields()).map((field) => [field.name, String(field.type)]),
  );
}
