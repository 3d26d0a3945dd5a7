import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as zod42 from 'zod-4.2';
import {
  capability,
  createServer,
  generateOpenAPI,
  type Schema,
  silentLogger,
  toFetchHandler,
} from '../../../server-runtime/index.ts';

type Json = Readonly<Record<string, unknown>>;

/** The document of one operation that takes these fields. */
function documentOf(input: Schema): {
  readonly body: Json;
  readonly schemas: Json;
  readonly isRequired: boolean;
} {
  const { paths, components } = generateOpenAPI({
    saveThing: capability(input as Schema<object>, () => 1),
  });
  const { requestBody } = paths['/save-thing']?.['post'] ?? {};
  const body = requestBody?.content['application/json']?.schema ?? {};
  return { body, schemas: components.schemas, isRequired: requestBody?.required ?? false };
}

function fieldsOf(input: Schema): Json {
  return documentOf(input).body['properties'] as Json;
}

describe('texts in the document', () => {
  const formats = {
    uuid: z.uuid(),
    guid: z.guid(),
    email: z.email(),
    dateTime: z.iso.datetime({ offset: true }),
    date: z.iso.date(),
    ipv4: z.ipv4(),
    ipv6: z.ipv6(),
    older: z.string().email(),
  };

  it.each(Object.entries(formats))(
    'have no regular expression of zod beside the format of %s',
    (_name, schema) => {
      const { field } = fieldsOf(z.object({ field: schema })) as { readonly field: Json };
      expect(field['format']).toBeTypeOf('string');
      expect(field).not.toHaveProperty('pattern');
      expect(field).not.toHaveProperty('allOf');
    },
  );

  it.each(
    Object.entries({
      uuidv7: z.uuidv7(),
      cidr: z.cidrv4(),
      ulid: z.ulid(),
      base64: z.base64(),
      hash: z.hash('md5'),
    }),
  )('have the one of %s, which no format says', (_name, schema) => {
    const { field } = fieldsOf(z.object({ field: schema })) as { readonly field: Json };
    expect(field).toMatchObject({ type: 'string', pattern: expect.any(String) });
  });

  it.each([
    [z.iso.datetime(), { format: 'date-time', pattern: 'Z$' }],
    [z.iso.datetime({ precision: 3 }), { format: 'date-time', pattern: String.raw`\.\d{3}Z$` }],
    [
      z.iso.datetime({ precision: 0, offset: true }),
      { format: 'date-time', pattern: String.raw`:\d\d(Z|[+-]\d\d:\d\d)$` },
    ],
  ])('say the zone and the fractions of a second that are taken', (schema, said) => {
    expect(fieldsOf(z.object({ at: schema }))).toEqual({ at: { type: 'string', ...said } });
  });

  it.each([/^a-z$/i, /^a.b$/s, new RegExp(String.raw`^[\p{L}--[a-z]]+$`, 'v')])(
    'say an expression with flags in words: %s',
    (expression) => {
      expect(fieldsOf(z.object({ a: z.string().min(2).regex(expression) }))).toEqual({
        a: { type: 'string', minLength: 2, description: `Matches ${String(expression)}.` },
      });
    },
  );

  it('say the words of stringbool', () => {
    const said = 'Really? One of ja for true, nein for false.';
    const schema = z.stringbool({ truthy: ['ja'], falsy: ['nein'] }).describe('Really?');
    expect(fieldsOf(z.object({ a: schema }))).toEqual({ a: { type: 'string', description: said } });
  });

  it('keep the expressions of their author', () => {
    expect(
      fieldsOf(
        z.object({
          card: z.stringFormat('card', /^\d+$/),
          mail: z.email({ pattern: /@corp$/ }),
          both: z.string().regex(/^a/).email(),
          password: z.string().min(8).regex(/[A-Z]/).regex(/[0-9]/),
          local: z.iso.datetime({ local: true }),
        }),
      ),
    ).toEqual({
      card: { type: 'string', pattern: '^\\d+$' },
      mail: { type: 'string', pattern: '@corp$' },
      both: { type: 'string', format: 'email', pattern: '^a' },
      password: {
        type: 'string',
        minLength: 8,
        allOf: [{ pattern: '[A-Z]' }, { pattern: '[0-9]' }],
      },
      local: { type: 'string', pattern: expect.stringContaining('T') },
    });
  });

  it('name no format that none is', () => {
    expect(
      fieldsOf(
        z.object({
          part: z.string().includes('x'),
          start: z.string().startsWith('a'),
          low: z.string().lowercase(),
        }),
      ),
    ).toEqual({
      part: { type: 'string', pattern: 'x' },
      start: { type: 'string', pattern: '^a.*' },
      low: { type: 'string', pattern: '^[^A-Z]*$' },
    });
  });
});

describe('fields in the document', () => {
  it('are to be sent where their values are not to be changed', () => {
    const fields = { tags: z.array(z.string()).readonly(), note: z.string().readonly().optional() };
    expect(JSON.stringify(documentOf(z.object(fields)))).not.toContain('readOnly');
    expect(
      JSON.stringify(documentOf(z.object({ id: z.string().meta({ readOnly: true }) }))),
    ).toContain('readOnly');
  });

  it('are left out where nothing can be sent in them', () => {
    expect(
      documentOf(z.object({ a: z.string(), nothing: z.undefined(), none: z.void() })).body,
    ).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
    });
  });

  it('may be null by one type', () => {
    expect(
      fieldsOf(
        z.object({
          a: z.string().max(3).nullable().describe('A'),
          b: z.enum(['x', 'y']).nullable(),
          c: z.union([z.null(), z.string().max(3)]),
        }),
      ),
    ).toEqual({
      a: { type: ['string', 'null'], maxLength: 3, description: 'A' },
      c: { type: ['string', 'null'], maxLength: 3 },
      b: { anyOf: [{ type: 'string', enum: ['x', 'y'] }, { type: 'null' }] },
    });
  });
});

describe('a choice in the document', () => {
  it.each([
    ['zod', z],
    ['zod 4.2', zod42 as unknown as typeof z],
  ])('of %s has a discriminator where each branch has a name', (_name, zod) => {
    const Cat = zod.object({ kind: zod.literal('cat'), lives: zod.number() }).meta({ id: 'Cat' });
    const Dog = zod
      .object({ kind: zod.enum(['dog', 'wolf']), bark: zod.string() })
      .meta({ id: 'Dog' });
    const { body, schemas } = documentOf(
      zod.object({ pet: zod.discriminatedUnion('kind', [Cat, Dog]) }),
    );
    const pet = (body['properties'] as { readonly pet: Json }).pet;
    const [cat, dog] = ['#/components/schemas/Cat', '#/components/schemas/Dog'];
    expect(pet['oneOf'] ?? pet['anyOf']).toEqual([{ $ref: cat }, { $ref: dog }]);
    expect(pet['discriminator']).toEqual({
      propertyName: 'kind',
      mapping: { cat, dog, wolf: dog },
    });
    expect(Object.keys(schemas)).toEqual(['Cat', 'Dog', 'Error']);
  });

  it.each([
    ['zod', z.object({ kind: z.literal('cat'), size: z.literal(2) })],
    ['valibot', v.object({ kind: v.literal('cat'), size: v.literal(2) })],
    ['arktype', type({ kind: "'cat'", size: '2' })],
  ])('of one text or number is an enum of %s, because readers pass over const', (_name, schema) => {
    const { kind, size } = fieldsOf(schema) as Readonly<Record<string, Json>>;
    expect([kind?.['enum'], size?.['enum']]).toEqual([['cat'], [2]]);
    expect(JSON.stringify([kind, size])).not.toContain('const');
  });

  it('has none where a branch is told by something else than a text', () => {
    const one = z.object({ kind: z.literal(1) });
    const two = z.object({ kind: z.literal('two') });
    expect(
      JSON.stringify(documentOf(z.object({ it: z.discriminatedUnion('kind', [one, two]) }))),
    ).not.toMatch(/discriminator|x-capix/);
  });

  it('of bodies is required, unless a branch takes nothing', () => {
    const [a, b] = [z.object({ a: z.string() }), z.object({ b: z.string() })];
    expect(documentOf(z.union([a, b])).isRequired).toBe(true);
    expect(documentOf(z.union([a, b.partial()])).isRequired).toBe(false);
    expect(documentOf(z.intersection(a.partial(), b)).isRequired).toBe(true);
  });
});

describe('a schema that is taken in one form and given in another', () => {
  const Line = z.object({ count: z.int32().default(1) }).meta({ id: 'Line' });
  const Order = z.object({ id: z.string(), lines: z.array(Line) }).meta({ id: 'Order' });
  const Plain = z.object({ id: z.string(), note: z.string().optional() }).meta({ id: 'Plain' });
  const capabilities = {
    createOrder: capability(Order, (order) => order).output(Order),
    listOrders: capability(() => [], 'query').output(z.array(Order)),
    sendLine: capability(Line, (line) => line).output(Line),
    replacePlain: capability(Plain, (plain) => plain).output(Plain),
  };
  const order = (lines: string): object => ({
    type: 'object',
    properties: {
      id: { type: 'string' },
      lines: { type: 'array', items: { $ref: `#/components/schemas/${lines}` } },
    },
    required: ['id', 'lines'],
  });

  it('is two components, and any other is one', () => {
    const { components, paths } = generateOpenAPI(capabilities);
    const { Line: line, LineOutput, Order: taken, OrderOutput, ...others } = components.schemas;
    const properties = {
      count: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1, default: 1 },
    };
    expect(line).toEqual({ type: 'object', properties });
    expect(LineOutput).toEqual({ type: 'object', properties, required: ['count'] });
    expect([taken, OrderOutput]).toEqual([order('Line'), order('LineOutput')]);
    expect(Object.keys(others)).toEqual(['Plain', 'Error']);
    const text = JSON.stringify(Object.values(paths).map(({ get }) => get));
    expect(text).toContain('#/components/schemas/OrderOutput');
  });

  it('has the name of its form in answers wherever else it is', () => {
    const { components } = generateOpenAPI({ listOrders: capabilities.listOrders });
    expect(Object.keys(components.schemas)).toEqual(['OrderOutput', 'LineOutput', 'Error']);
  });
});

describe('two names', () => {
  const User = z.object({ id: z.string() }).meta({ id: 'User' });

  it('of one schema are two components', () => {
    const { schemas } = documentOf(z.object({ user: User, other: User.meta({ id: 'NewUser' }) }));
    expect(schemas['NewUser']).toEqual({ $ref: '#/components/schemas/User' });
    expect(schemas['User']).toEqual({
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
    });
  });

  it('of two schemas in one input that are the same become two', () => {
    const { body, schemas } = documentOf(
      z.object({ a: User, b: z.object({ n: z.number() }).meta({ id: 'User' }) }),
    );
    expect(body['properties']).toEqual({
      a: { $ref: '#/components/schemas/User' },
      b: { $ref: '#/components/schemas/User2' },
    });
    expect(schemas['User2']).toMatchObject({ properties: { n: { type: 'number' } } });
  });

  it('may be that of any JSON', () => {
    const { schemas } = documentOf(z.object({ any: z.json().meta({ id: 'Json' }) }));
    expect(JSON.stringify(schemas)).not.toMatch(/capix|__schema/);
    expect(schemas).toHaveProperty('Json');
  });
});

describe('a response that may be undefined', () => {
  const answerOf = (output: Schema): unknown => {
    const { paths } = generateOpenAPI({
      findIt: capability(() => undefined as never).output(output),
    });
    return Object.values(paths)[0]?.['get']?.responses['200'];
  };
  const dataOf = (data: Json): object => ({
    content: {
      'application/json': { schema: { type: 'object', properties: { data }, required: ['data'] } },
    },
  });
  const text = { type: ['string', 'null'] };

  it.each<[string, Schema, Json]>([
    ['a value', z.string().optional(), text],
    ['a value of valibot', v.optional(v.string()), text],
    ['a value of arktype', type('string | undefined'), text],
    ['the items of a list', z.array(z.string().optional()), { type: 'array', items: text }],
    [
      'the items of a list of valibot',
      v.array(v.optional(v.string())),
      { type: 'array', items: text },
    ],
    [
      'the items of a list of arktype',
      type('(string | undefined)[]'),
      { type: 'array', items: text },
    ],
    [
      'the items of a tuple',
      z.tuple([z.string().optional()]),
      { type: 'array', prefixItems: [text] },
    ],
    [
      'a field',
      z.object({ a: z.string().optional() }),
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
    [
      'the values of a record',
      z.record(z.string(), z.string().optional()),
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
    [
      'a field of arktype',
      type({ a: 'string | undefined' }),
      { properties: { a: { type: 'string' } }, required: [] },
    ],
  ])('is null in JSON, or left out: %s', (_name, schema, data) => {
    expect(answerOf(schema)).toMatchObject(dataOf(data));
  });
});

describe('what a coercing schema takes', () => {
  it('is said of JSON, and its text of a query', () => {
    const input = z.object({
      at: z.coerce.date(),
      n: z.coerce.number().default(7),
      any: z.coerce.string(),
    });
    expect(fieldsOf(input)).toEqual({
      at: { type: ['string', 'number', 'boolean', 'null'], format: 'date-time' },
      n: { type: ['number', 'string', 'boolean', 'null'], default: 7 },
      any: {},
    });
    const { paths } = generateOpenAPI({ list: capability(input, () => 1, 'query') });
    expect(Object.values(paths)[0]?.['get']?.parameters?.map(({ schema }) => schema)).toEqual([
      { type: 'string', format: 'date-time' },
      { type: 'number', default: 7 },
      { type: 'string' },
    ]);
  });
});

describe('the document says what the server takes', () => {
  const members = ['toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', 'toLocaleString'];
  const cases: readonly (readonly [
    string,
    z.ZodType,
    Json,
    readonly unknown[],
    readonly unknown[],
  ])[] = [
    [
      'of integers, up to the largest safe one',
      z.object({ n: z.int() }),
      {
        properties: { n: { type: 'integer', minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 } },
        required: ['n'],
      },
      [{ n: 2 ** 53 - 1 }],
      [{ n: 2 ** 53 }, { n: 1.5 }],
    ],
    [
      'of fields named like members of every object',
      z.object(Object.fromEntries(members.map((name) => [name, z.string().optional()]))),
      { properties: Object.fromEntries(members.map((name) => [name, { type: 'string' }])) },
      [{}, { valueOf: 'x' }],
      [{ toString: 1 }],
    ],
    [
      'of the date that `check` advises, which are date-time texts and nothing else',
      z.object({
        at: z.codec(z.iso.datetime(), z.date(), {
          decode: (text) => new Date(text),
          encode: (date) => date.toISOString(),
        }),
      }),
      {
        properties: { at: { type: 'string', format: 'date-time', pattern: 'Z$' } },
        required: ['at'],
      },
      [{ at: '2026-01-31T10:00:00Z' }],
      [null, 0, true, '', 'x', '2026-01-31', '2026-02-30T10:00:00Z', {}].map((at) => ({ at })),
    ],
    [
      'of a tuple of which nothing must be there',
      z.object({ it: z.tuple([z.string().optional(), z.preprocess((sent) => sent, z.any())]) }),
      { required: ['it'] },
      [{ it: [] }, { it: ['x'] }, { it: ['x', 1] }],
      [{ it: [1] }, { it: 'x' }],
    ],
    [
      'of a preprocess under nullable and readonly',
      z.object({
        a: z.preprocess((sent) => sent, z.string().min(2)).nullable(),
        b: z.preprocess(Number, z.number()).readonly(),
      }),
      { required: ['a', 'b'] },
      [{ a: 'xx', b: 1 }],
      [{ a: 'xx' }, { b: 1 }],
    ],
  ];

  it.each(cases)('%s', async (_name, schema, said, good, bad) => {
    const api = { saveThing: capability(schema as z.ZodType<object>, () => 1) };
    expect(documentOf(schema as Schema).body).toMatchObject(said);
    const ask = toFetchHandler(createServer({ capabilities: api, logger: silentLogger }));
    const statusOf = async (body: unknown): Promise<number> => {
      const headers = { 'content-type': 'application/json' };
      return (
        await ask(
          new Request('http://x/save-thing', {
            method: 'POST',
            headers,
            body: JSON.stringify(body),
          }),
        )
      ).status;
    };
    expect(await Promise.all([...good, ...bad].map(statusOf))).toEqual([
      ...good.map(() => 200),
      ...bad.map(() => 400),
    ]);
  });
});
