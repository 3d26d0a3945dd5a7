import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toInputFields, toInputPlan } from '../../../server-runtime/input/input-fields.ts';

function read(schema: z.ZodType, query: string): unknown {
  const sent: Record<string, string[]> = {};
  for (const [name, text] of new URLSearchParams(query)) (sent[name] ??= []).push(text);
  return toInputFields(sent, toInputPlan(schema));
}

type Tree = { readonly value: number; readonly next?: Tree | undefined };
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ value: z.number(), next: tree.optional() }));
const near = z.object({ by: z.literal('near'), km: z.number(), at: z.number() });
const byName = z.object({ by: z.literal('name'), at: z.string(), exact: z.boolean() });

it('names keep the order in which they were sent', () => {
  expect(Object.keys(read(z.object({}), 'a[]=1&c=2&a=3') as object)).toEqual(['a', 'c']);
});

describe('objects and lists of them in a query', () => {
  it.each<[string, z.ZodType, string, unknown]>([
    ['an object', z.object({ a: z.number(), b: z.string() }), 'f[a]=1&f[b]=1', { a: 1, b: '1' }],
    [
      'an object in an object',
      z.object({ a: z.object({ b: z.boolean() }) }),
      'f[a][b]=true',
      { a: { b: true } },
    ],
    [
      'a list in an object',
      z.object({ ids: z.array(z.number()) }),
      'f[ids]=1&f[ids]=2',
      { ids: [1, 2] },
    ],
    [
      'a list in an object, with brackets',
      z.object({ ids: z.array(z.number()) }),
      'f[ids][]=1',
      { ids: [1] },
    ],
    [
      'a list of objects',
      z.array(z.object({ n: z.number() })),
      'f[1][n]=2&f[0][n]=1',
      [{ n: 1 }, { n: 2 }],
    ],
    ['a list of lists', z.array(z.array(z.number())), 'f[0]=1&f[0]=2&f[1]=3', [[1, 2], [3]]],
    ['a list by its positions', z.array(z.number()), 'f[2]=3&f[0]=1', [1, 3]],
    ['a list in three ways', z.array(z.number()), 'f=1&f[]=2&f[0]=3', [1, 2, 3]],
    ['a tuple', z.tuple([z.string(), z.number()]), 'f=1&f=2', ['1', 2]],
    ['a record', z.record(z.string(), z.number()), 'f[a]=1&f[2]=2', { a: 1, 2: 2 }],
    [
      'more than was named',
      z.object({ a: z.number() }).catchall(z.boolean()),
      'f[a]=1&f[b]=true',
      { a: 1, b: true },
    ],
    ['a nullable object', z.object({ a: z.number() }).nullish(), 'f[a]=1', { a: 1 }],
    ['what contains itself', tree, 'f[value]=1&f[next][value]=2', { value: 1, next: { value: 2 } }],
    ['any JSON', z.json(), 'f[a][0]=1', { a: ['1'] }],
    ['a text or an object', z.union([z.string(), z.object({ a: z.number() })]), 'f=x', 'x'],
    [
      'one of two objects, of which one field has two types',
      z.discriminatedUnion('by', [near, byName]),
      'f[by]=near&f[at]=1&f[km]=2',
      { by: 'near', at: '1', km: 2 },
    ],
    [
      'what a function makes of it, untouched',
      z.preprocess((value) => value, z.object({ a: z.number() })),
      'f[a]=1',
      { a: '1' },
    ],
    ['names that hold one bracket', z.record(z.string(), z.string()), 'f[a]b]=1', { 'a]b': '1' }],
  ])('%s', (_name, schema, query, value) => {
    expect(read(z.object({ f: schema }), query)).toEqual({ f: value });
  });

  it('leave a name as it is where the field has no parts', () => {
    expect(
      read(z.object({ q: z.string(), 'x[y]': z.number() }), 'q[a]=1&x[y]=2&z[a]=3&z[]=4'),
    ).toEqual({
      'q[a]': '1',
      'x[y]': 2,
      'z[a]': '3',
      z: '4',
    });
  });

  it('lose unsafe names at every depth', () => {
    const schema = z.object({ f: z.record(z.string(), z.record(z.string(), z.string())) });
    const input = read(schema, 'f[__proto__][x]=1&f[a][constructor]=1&f[a][b]=1');
    expect(input).toEqual({ f: { a: { b: '1' } } });
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('end where JSON would be nested too deep, and take no memory for positions that were left out', () => {
    const input = read(z.object({ f: z.json() }), `f${'[a]'.repeat(1000)}=1`);
    expect(JSON.stringify(input).split('"a"')).toHaveLength(65);
    expect(read(z.object({ f: z.array(z.string()) }), 'f[999999999]=a')).toEqual({ f: ['a'] });
  });

  it('come back as they were sent, whatever the schema', () => {
    const scalar = fc.oneof(
      fc.string().map((value) => ({ schema: z.string() as z.ZodType, value: value as unknown })),
      fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map((value) => ({ schema: z.number(), value: value === 0 ? 0 : value })),
      fc.boolean().map((value) => ({ schema: z.boolean(), value })),
      fc
        .constantFrom('auto', 5)
        .map((value) => ({ schema: z.union([z.number(), z.literal('auto')]), value })),
    );
    const name = fc
      .string({ unit: fc.constantFrom(...'ab[]0.=&%é'.split('')), minLength: 1, maxLength: 4 })
      .filter((text) => !text.includes('][') && text !== ']' && !text.endsWith('['));
    const { field } = fc.letrec<{ field: { schema: z.ZodType; value: unknown } }>((tie) => ({
      field: fc.oneof(
        { maxDepth: 4 },
        scalar,
        fc.array(tie('field'), { minLength: 1, maxLength: 3 }).map((all) => ({
          schema: z.tuple(all.map(({ schema }) => schema) as [z.ZodType]),
          value: all.map(({ value }) => value),
        })),
        fc.dictionary(name, tie('field'), { minKeys: 1, maxKeys: 3 }).map((all) => ({
          schema: z.object(
            Object.fromEntries(Object.entries(all).map(([key, { schema }]) => [key, schema])),
          ),
          value: Object.fromEntries(Object.entries(all).map(([key, { value }]) => [key, value])),
        })),
      ),
    }));
    fc.assert(
      fc.property(field, ({ schema, value }) => {
        const query = new URLSearchParams();
        addToQuery(query, 'f', value);
        expect(read(z.object({ f: schema }), query.toString())).toEqual({ f: value });
      }),
    );
  });
});

/** As the document says it: lists of texts repeated, parts in brackets. */
function addToQuery(query: URLSearchParams, name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return query.append(name, String(value));
  const isRepeated = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  for (const [key, part] of Object.entries(value))
    addToQuery(query, isRepeated ? name : `${name}[${key}]`, part);
}

describe('an input that is one of several objects', () => {
  const schema = z.discriminatedUnion('by', [near, byName]);

  it.each([
    ['by=near&km=2', { by: 'near', km: 2 }],
    ['by=near&at=1', { by: 'near', at: '1' }],
  ])('%s has the numbers of those of its fields that have one type', (query, input) => {
    expect(read(schema, query)).toEqual(input);
  });

  it('has the numbers of all where none is named', () => {
    const one = z.union([
      z.object({ id: z.number() }),
      z.object({ id: z.int(), more: z.boolean() }),
    ]);
    expect(read(one, 'id=1&more=true')).toEqual({ id: 1, more: true });
  });
});

it.each<[z.ZodType, readonly [string, unknown][]]>([
  [
    z.union([z.number(), z.boolean()]),
    [
      ['1', 1],
      ['true', true],
      ['x', 'x'],
    ],
  ],
  [
    z.union([z.number(), z.literal('auto')]),
    [
      ['1', 1],
      ['auto', 'auto'],
    ],
  ],
  [
    z.union([z.number(), z.enum(['1', 'a'])]),
    [
      ['1', '1'],
      ['2', 2],
    ],
  ],
  [
    z.literal(['a', 1, true]),
    [
      ['a', 'a'],
      ['1', 1],
      ['true', true],
    ],
  ],
  [z.number().and(z.number().min(3)), [['5', 5]]],
  [z.union([z.number(), z.array(z.string())]), [['5', 5]]],
  [z.union([z.number(), z.string()]), [['5', '5']]],
])('a text has the one reading that a union leaves it: %#', (schema, expected) => {
  expect(
    expected.map(([text]) => [
      text,
      (read(z.object({ f: schema }), `f=${text}`) as { f: unknown }).f,
    ]),
  ).toEqual(expected);
});
