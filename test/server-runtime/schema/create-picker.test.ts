import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Schema } from '../../../server-runtime/schema/schema.ts';
import { createPicker } from '../../../server-runtime/schema/sent/create-picker.ts';

const User = z.object({ id: z.string(), name: z.string().optional() });
const row = { id: '1', passwordHash: 'x' };
interface Tree {
  readonly name: string;
  readonly children: readonly Tree[];
}
const Tree: z.ZodType<Tree> = z.object({ name: z.string(), children: z.array(z.lazy(() => Tree)) });

const dropped: readonly (readonly [what: string, schema: Schema, value: unknown, sent: unknown])[] = [
  ['an object', User, row, { id: '1' }],
  ['a strict object', z.strictObject({ id: z.string() }), row, { id: '1' }],
  ['a list', z.array(User), [{ id: '0' }, row], [{ id: '0' }, { id: '1' }]],
  ['a record', z.record(z.string(), User), { a: row }, { a: { id: '1' } }],
  ['a tuple', z.tuple([z.string(), User], User), ['x', row, row], ['x', { id: '1' }, { id: '1' }]],
  ['an optional field', z.object({ user: User.nullable().optional() }), { user: row }, { user: { id: '1' } }],
  ['a field with a default', z.object({ user: User.default({ id: '0' }) }), { user: row }, { user: { id: '1' } }],
  ['either of null and an object', z.union([User, z.null()]), row, { id: '1' }],
  [
    'a discriminated union',
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), a: z.number() }),
      z.object({ kind: z.literal('b'), b: z.number() }),
    ]),
    { kind: 'b', b: 1, a: 2 },
    { kind: 'b', b: 1 },
  ],
  ['a union', z.union([z.object({ a: z.number() }), z.object({ b: z.string() })]), { b: 'x', c: 1 }, { b: 'x' }],
  [
    'an intersection',
    z.intersection(User, z.object({ role: z.string() })),
    { ...row, role: 'r' },
    { id: '1', role: 'r' },
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
  ['a pipe', User.transform((user) => user.id), row, { id: '1' }],
  [
    'a tree',
    Tree,
    { name: 'a', children: [{ name: 'b', children: [], x: 1 }] },
    { name: 'a', children: [{ name: 'b', children: [] }] },
  ],
  ['a row that says how it is written', User, { toJSON: () => row }, { id: '1' }],
  ['a catchall', z.object({ id: z.string() }).catchall(User), { id: '1', other: row }, { id: '1', other: { id: '1' } }],
];

describe('a picker', () => {
  it.each(dropped)('drops what is not declared of %s', (_what, schema, value, sent) => {
    const before = structuredClone(typeof (value as { toJSON?: unknown }).toJSON === 'function' ? null : value);
    expect(createPicker(schema)?.(value)).toEqual(sent);
    if (before !== null) expect(value).toEqual(before);
  });

  it('gives back what has nothing to drop', () => {
    const value = { id: '1', name: 'Ada' };
    expect(createPicker(User)?.(value)).toBe(value);
    const list = [value];
    expect(createPicker(z.array(User))?.(list)).toBe(list);
  });

  it.each([
    ['a text', z.string()],
    ['a loose object', z.looseObject({ id: z.string() })],
    ['a list of anything', z.array(z.unknown())],
    ['a record of texts', z.record(z.string(), z.string())],
  ])('is not there for %s', (_what, schema) => {
    expect(createPicker(schema)).toBeUndefined();
  });

  it('is made of schemas that all refer to each other as quickly as of others', () => {
    const nodes: z.ZodType[] = Array.from({ length: 40 }, (_, index) =>
      z.lazy(() =>
        z.object({ kind: z.literal(`k${index}`), next: z.union(nodes as [z.ZodType, z.ZodType]).optional() }),
      ),
    );
    const [first = z.never()] = nodes;
    const value = { kind: 'k0', secret: 1, next: { kind: 'k7', secret: 1, next: { kind: 'k39' } } };
    expect(createPicker(first)?.(value)).toEqual({ kind: 'k0', next: { kind: 'k7', next: { kind: 'k39' } } });
  });

  it('leaves what does not fit as it is', () => {
    expect(createPicker(User)?.('x')).toBe('x');
    expect(createPicker(User)?.([row])).toEqual([row]);
    expect(createPicker(z.array(User))?.(row)).toBe(row);
    expect(createPicker(User)?.(null)).toBeNull();
    const date = new Date(0);
    expect(createPicker(User)?.(date)).toBe(date);
  });
});
