import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { uploadedFile } from '../../../server-runtime/index.ts';
import { toFieldValue, toInputPlan } from '../../../server-runtime/input/input-fields.ts';
import { toReferenceNumber } from './reference-input.ts';

type Tree = { readonly value: number; readonly next?: Tree | undefined };
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ value: z.number(), next: tree.optional() }));

function read(schema: z.ZodType | mini.ZodMiniType, ...texts: string[]): unknown {
  return toFieldValue(toInputPlan(z.object({ field: schema as z.ZodType })).inside('field'), texts);
}

describe('numbers', () => {
  it.each([
    ['number', z.number()],
    ['int', z.int()],
    ['optional', z.number().optional()],
    ['default', z.number().default(3)],
    ['prefault', z.number().prefault(3)],
    ['nullable', z.number().nullable()],
    ['nullish', z.number().nullish()],
    ['nonoptional', z.number().optional().nonoptional()],
    ['readonly', z.number().readonly()],
    ['catch', z.number().catch(1)],
    ['brand', z.number().brand('x')],
    ['refined', z.number().refine((value) => value > 1)],
    ['checked', z.number().min(1).max(100).optional()],
    ['transformed', z.number().transform((value) => value * 2)],
    ['piped', z.number().pipe(z.number())],
    ['lazy', z.lazy(() => z.number())],
    ['all of them', z.number().min(1).refine(Boolean).nullable().default(1).optional().readonly()],
    ['coercing', z.coerce.number().default(3)],
    ['union with null', z.union([z.number(), z.null()])],
    ['union of numbers', z.union([z.int(), z.number().min(3), z.undefined()])],
    ['literals', z.literal([42, 43, null])],
    ['zod/mini', mini.optional(mini.number())],
  ])('are read through %s', (_name, schema) => {
    expect(read(schema, '42')).toBe(42);
    expect(read(schema, 'abc')).toBe('abc');
  });

  it.each(['0', '-0', '7.5', '-1', '+1', '1e3', '1E-3', '.5', '5.', '007'])('%j is one', (text) => {
    expect(read(z.number(), text)).toBe(Number(text));
  });

  it.each([
    '',
    ' ',
    ' 1',
    '1 ',
    '0x10',
    '0b1',
    '1_000',
    '1,5',
    'Infinity',
    '-Infinity',
    'NaN',
    '1e999',
    '1n',
    '--1',
    'e5',
    '.',
    '1e',
    '１',
  ])('%j stays text', (text) => {
    expect(read(z.number(), text)).toBe(text);
  });

  it('are what a reader of one character at a time finds', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.double().map(String),
      fc.string({ unit: fc.constantFrom(...'0123456789+-.eE x'.split('')), maxLength: 8 }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(read(z.number(), text)).toEqual(toReferenceNumber(text));
      }),
    );
  });
});

describe('booleans', () => {
  it.each([
    ['boolean', z.boolean()],
    ['default', z.boolean().default(false)],
    ['coercing', z.coerce.boolean()],
    ['union with null', z.boolean().nullable().optional()],
    ['literals', z.literal([true])],
  ])('are the texts true and false, through %s', (_name, schema) => {
    expect([
      read(schema, 'true'),
      read(schema, 'false'),
      read(schema, 'TRUE'),
      read(schema, '1'),
      read(schema, ''),
    ]).toEqual([true, false, 'TRUE', '1', '']);
  });
});

describe('other fields', () => {
  it.each([
    ['string', z.string()],
    ['enum', z.enum(['1', '2'])],
    ['number or string', z.union([z.number(), z.string()])],
    ['any', z.any()],
    ['unknown', z.unknown()],
    ['date', z.coerce.date()],
    ['bigint', z.coerce.bigint()],
    ['stringbool', z.stringbool()],
    ['string that becomes a number', z.string().transform(Number)],
    ['preprocess', z.preprocess(Number, z.number())],
    ['object', z.object({ a: z.number() })],
  ])('stay text: %s', (_name, schema) => {
    expect([read(schema, '123'), read(schema, '01234'), read(schema, 'true')]).toEqual([
      '123',
      '01234',
      'true',
    ]);
  });

  it('take the last of several texts', () => {
    expect([read(z.string(), 'a', 'b'), read(z.number(), '1', '2')]).toEqual(['b', 2]);
  });
});

describe('arrays', () => {
  it.each([
    ['array', z.array(z.number())],
    ['optional', z.array(z.number().nullable()).min(1).optional()],
    ['default', z.array(z.coerce.number()).default([])],
    ['tuple', z.tuple([z.number()], z.number())],
  ])('are coerced by their element: %s', (_name, schema) => {
    expect([read(schema, '1'), read(schema, '1', 'x', '2')]).toEqual([[1], [1, 'x', 2]]);
  });

  it('are bare for one value where the field may be either', () => {
    const schema = z.union([z.string(), z.array(z.string())]);
    expect([read(schema, 'a'), read(schema, 'a', 'b')]).toEqual(['a', ['a', 'b']]);
  });

  it('may contain themselves', () => {
    const nested: z.ZodType = z.lazy(() => z.array(nested));
    expect(read(nested, 'a')).toEqual(['a']);
  });

  it('leave files as they are', () => {
    const file = { buffer: Buffer.alloc(1), mimeType: 'a/b', filename: '', size: 1 };
    const plan = toInputPlan(z.object({ files: z.array(uploadedFile()).optional() }));
    expect(toFieldValue(plan.inside('files'), [file])).toEqual([file]);
  });
});

it.each([
  [
    'through optional and a pipe',
    z
      .object({ n: z.number() })
      .transform((value) => value)
      .optional(),
    true,
  ],
  [
    'from both sides of an intersection',
    z.intersection(z.object({ n: z.number() }), z.object({ b: z.boolean() })),
    true,
  ],
  ['behind lazy', tree, false],
  ['not of a record', z.record(z.string(), z.number()), false],
  ['not without a schema', undefined, false],
])('fields are found %s', (_name, schema, hasN) => {
  expect(toInputPlan(schema).has('n')).toBe(hasN);
});
