import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability, type GroupTree } from '../../../server-runtime/index.ts';
import { toToolSchema } from '../../../server-runtime/mcp/to-tool-schema.ts';
import { connectToTools, connectToUrl, serveTools } from '../../helpers/connect-to-tools.ts';

const card = z.object({ kind: z.literal('card'), number: z.string(), cvc: z.string().optional() });
const bank = z.object({ kind: z.literal('bank'), iban: z.string() });

interface Category {
  readonly name: string;
  readonly children: readonly Category[];
}
const Category: z.ZodType<Category> = z
  .lazy(() => z.object({ name: z.string(), children: z.array(Category) }))
  .meta({ id: 'TreeOfCategories' });

/** Schemas that some hosts refuse, an input that fits each, and what is told in place of them. */
const schemas: readonly (readonly [string, z.ZodType, unknown, object])[] = [
  [
    'a union at the root',
    z.discriminatedUnion('kind', [card, bank]),
    { kind: 'bank', iban: 'CH1' },
    {
      schema: {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: ['card', 'bank'] },
          number: { type: 'string' },
          cvc: { type: 'string' },
          iban: { type: 'string' },
        },
        required: ['kind'],
      },
      words:
        'Send one of these sets of fields: kind "card" with number, optionally cvc; kind "bank" with iban.',
    },
  ],
  [
    'a union at the root whose branches have one field in two types',
    z.union([z.object({ at: z.int() }), z.object({ at: z.string() }), z.strictObject({})]),
    { at: 'now' },
    {
      schema: {
        type: 'object',
        properties: { at: { anyOf: [{ type: 'integer' }, { type: 'string' }] } },
      },
      words: 'Send one of these sets of fields: at; no field.',
    },
  ],
  [
    'an intersection with a union',
    z.intersection(z.object({ id: z.string() }), z.discriminatedUnion('kind', [card, bank])),
    { id: '1', kind: 'card', number: '2' },
    {
      schema: {
        required: ['id', 'kind'],
        properties: { id: { type: 'string' }, iban: { type: 'string' } },
      },
      words:
        'Send one of these sets of fields: kind "card" with id, number, optionally cvc; kind "bank" with id, iban.',
    },
  ],
  [
    'a reference at the root, to a schema that contains itself',
    Category,
    { name: 'a', children: [{ name: 'b', children: [] }] },
    {
      schema: {
        type: 'object',
        required: ['name', 'children'],
        properties: { name: { type: 'string' } },
      },
      words: '',
    },
  ],
  [
    'a tuple',
    z.object({ at: z.tuple([z.string(), z.int()]).describe('Where.') }),
    { at: ['x', 1] },
    {
      schema: {
        properties: {
          at: {
            type: 'array',
            items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
            minItems: 2,
            maxItems: 2,
            description: 'Where. In this order: string, integer.',
          },
        },
      },
    },
  ],
  [
    'a tuple with a rest',
    z.object({ at: z.tuple([z.string()], z.number()) }),
    { at: ['x', 1, 2] },
    {
      schema: {
        properties: { at: { description: 'In this order: string, then any number of number.' } },
      },
    },
  ],
  [
    'a list of types',
    z.object({ name: z.string().max(9).nullable().describe('Who.') }),
    { name: null },
    {
      schema: {
        properties: {
          name: {
            anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }],
            description: 'Who.',
          },
        },
      },
    },
  ],
  [
    'a union of single values',
    z.object({ stars: z.union([z.literal(1), z.literal(2)]) }),
    { stars: 2 },
    { schema: { properties: { stars: { type: 'number', enum: [1, 2] } } } },
  ],
  [
    'formats of which zod writes the pattern',
    z.object({ at: z.iso.datetime(), day: z.iso.date(), mail: z.email(), id: z.uuid() }),
    {
      at: '2026-01-31T10:00:00Z',
      day: '2026-01-31',
      mail: 'a@b.ch',
      id: '7d9d3a3e-9d3c-4c34-9d3b-5c7f0a5ad6d6',
    },
    {
      schema: {
        type: 'object',
        properties: {
          at: { type: 'string', format: 'date-time' },
          day: { type: 'string', format: 'date' },
          mail: { type: 'string', format: 'email' },
          id: { type: 'string', format: 'uuid' },
        },
        required: ['at', 'day', 'mail', 'id'],
      },
    },
  ],
  [
    'a record of texts',
    z.object({ of: z.record(z.string(), z.number()) }),
    { of: { a: 1 } },
    {
      schema: { properties: { of: { type: 'object', additionalProperties: { type: 'number' } } } },
    },
  ],
];

describe('toToolSchema', () => {
  it.each(schemas)('tells %s so that hosts take it', (_name, schema, valid, told) => {
    const found = toToolSchema(schema);
    expect(found).toMatchObject(told);
    expect(Object.keys(found.schema)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/anyOf|oneOf|allOf|\$ref/)]),
    );
    expect(JSON.stringify(found.schema)).not.toMatch(
      /prefixItems|"items":false|oneOf|propertyNames|"type":\[/,
    );
    // Whatever the schema takes, the host takes too.
    expect(schema.safeParse(valid).success).toBe(true);
    expect(
      new Ajv2020({ strict: true, allowUnionTypes: false, validateFormats: false }).validate(
        found.schema,
        valid,
      ),
    ).toBe(true);
  });

  it('keeps a pattern of the application', () => {
    const { schema } = toToolSchema(
      z.object({ mail: z.email({ pattern: /@corp\.ch$/ }), code: z.string().regex(/^\d+$/) }),
    );
    expect(schema).toMatchObject({
      properties: { mail: { pattern: '@corp\\.ch$' }, code: { pattern: '^\\d+$' } },
    });
  });
});

describe('the list of tools', () => {
  const Input = z.object({
    id: z.string(),
    at: z.iso.datetime(),
    day: z.iso.date(),
    mail: z.email(),
  });

  it('takes less than 15,000 tokens for 200 tools, of four characters each', async () => {
    const group = (at: number) =>
      Object.fromEntries(
        Array.from({ length: 20 }, (_, each) => [
          `getThing${at * 20 + each}`,
          capability(Input, () => 1),
        ]),
      );
    const capabilities: GroupTree = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`group${at}`, group(at)]),
    );
    const { tools } = await (await connectToUrl(await serveTools({ capabilities }))).listTools();
    expect(tools).toHaveLength(200);
    expect(JSON.stringify(tools).length / 4).toBeLessThan(15_000);
  });

  it('offers a name of more than 60 characters, or with others than letters, digits, _ and -, as one that clients take', async () => {
    const long = 'findCustomersWhoHaveNotPaidTheirInvoicesWithinTheLastThirtyDays';
    const client = await connectToTools({
      capabilities: {
        a: {
          [`${long}A`]: capability(() => 'A'),
          [`${long}B`]: capability(() => 'B'),
          dotted: capability(() => 'dotted').tool({ name: 'a.dotted-Name' }),
        },
      },
    });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^[\w-]{1,60}$/);
    const answers = await Promise.all(
      names.map((name) => client.callTool({ name, arguments: {} })),
    );
    expect(answers.map(({ structuredContent }) => structuredContent)).toEqual([
      { data: 'A' },
      { data: 'B' },
      { data: 'dotted' },
    ]);
  });

  it('validates a merged union by the real schema', async () => {
    const pay = capability(z.discriminatedUnion('kind', [card, bank]), ({ kind }) => kind).describe(
      'Pays.',
    );
    const client = await connectToTools({ capabilities: { a: { pay } } });
    const [tool] = (await client.listTools()).tools;
    expect(tool?.description).toMatch(/^Pays\.\nSend one of these sets of fields: kind "card"/);
    const wrong = await client.callTool({
      name: 'a_pay',
      arguments: { kind: 'bank', number: '1' },
    });
    expect(wrong).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('- iban: ') }],
    });
  });
});
