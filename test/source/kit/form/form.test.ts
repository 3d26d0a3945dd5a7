import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { toTextField } from '../../../../source/kit/field/text-field-state.ts';
import {
  emptyForm,
  findFocused,
  moveFocus,
  movePick,
  resizeList,
  toFilledForm,
  toFormInput,
  toFormRows,
  toRowProblems,
} from '../../../../source/kit/form/form-state.ts';
import { toFormFields } from '../../../../source/shape/form-fields.ts';
import { toShape } from '../../../../source/shape/read/to-shape.ts';

const schema = z.object({
  name: z.string().min(1),
  price: z.number().positive(),
  kind: z.enum(['lamp', 'chair']).default('lamp'),
  isNew: z.boolean().optional(),
  note: z.string().nullable().optional(),
  tags: z.array(z.object({ label: z.string() })).optional(),
  size: z.object({ width: z.number(), unit: z.enum(['cm', 'in']) }).optional(),
  extra: z.record(z.string(), z.number()).optional(),
});
const fields = toFormFields(toShape(z.toJSONSchema(schema, { io: 'input' }))) ?? [];

it('has a field of the right kind for each value', () => {
  expect(fields.map(({ name, kind, isRequired }) => [name, kind.kind, isRequired])).toEqual([
    ['name', 'text', true],
    ['price', 'number', true],
    ['kind', 'picker', false],
    ['isNew', 'toggle', false],
    ['note', 'text', false],
    ['tags', 'list', false],
    ['size', 'group', false],
    ['extra', 'json', false],
  ]);
});

it('tells each problem at the row that it is about, else at the row that it is in, else of the whole', () => {
  const rows = toFormRows(fields, { ...emptyForm, counts: { tags: 1 } });
  const problems = new Map([
    ['tags.0.label', 'required'],
    ['tags.3.label', 'is not there'],
    ['extra.a', 'no number'],
    ['extra', 'no record'],
    ['unknown', 'is no field'],
  ]);
  expect([...toRowProblems(rows, problems)]).toEqual([
    ['tags.0.label', 'required'],
    ['tags', '3.label: is not there'],
    ['extra', 'no record'],
    ['', 'unknown: is no field'],
  ]);
});

it('has no field for an object without any, and asks for JSON where there may be any', () => {
  expect(toFormFields(toShape(z.toJSONSchema(z.object({}), { io: 'input' })))).toEqual([]);
  expect(toFormFields(toShape(z.toJSONSchema(z.looseObject({}), { io: 'input' })))).toBeUndefined();
});

it('asks for dates as text and for files by their path, and says how they are written', () => {
  const json = {
    type: 'object',
    properties: {
      day: { type: 'string', format: 'date' },
      at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
      when: { 'x-kind': 'date' },
      photo: { type: 'string', format: 'binary' },
      photos: { type: 'array', items: { type: 'string', format: 'binary' } },
      name: { type: 'string' },
    },
  };
  const [day, at, when, photo, photos, name] = toFormFields(toShape(json)) ?? [];
  expect([day, at, when, photo, name].map((field) => [field?.kind.kind, field?.placeholder])).toEqual([
    ['text', '2026-12-31'],
    ['text', '2026-12-31T23:59:00Z'],
    ['text', '2026-12-31T23:59:00Z'],
    ['file', 'path of a file'],
    ['text', undefined],
  ]);
  expect(photos?.kind).toMatchObject({ kind: 'list', item: { kind: { kind: 'file' } } });
  expect(photo?.type).toBe('file');
});

it.each([
  ['a text', z.string()],
  ['a list', z.array(z.string())],
  ['a record', z.record(z.string(), z.string())],
  ['a union of objects', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
])('has no fields for %s', (_, other) => {
  expect(toFormFields(toShape(z.toJSONSchema(other)))).toBeUndefined();
});

it('ends where a schema contains itself', () => {
  const node: z.ZodType = z.object({ name: z.string(), child: z.lazy(() => node.optional()) });
  expect(JSON.stringify(toFormFields(toShape(z.toJSONSchema(node)))).length).toBeLessThan(10_000);
});

it('fits together the fields of an intersection', () => {
  const both = z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() }));
  expect(toFormFields(toShape(z.toJSONSchema(both)))?.map(({ name }) => name)).toEqual(['a', 'b']);
});

describe('what is typed', () => {
  const type = (texts: Readonly<Record<string, string>>) =>
    toFormInput(fields, {
      ...emptyForm,
      texts: Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, toTextField(text)])),
    });

  it.each<[string, Readonly<Record<string, string>>, unknown]>([
    ['nothing', {}, {}],
    ['a text', { name: 'Lamp' }, { name: 'Lamp' }],
    ['an empty text, said so', { name: '""' }, { name: '' }],
    ['a number', { price: '1.5' }, { price: 1.5 }],
    ['no number, which the schema refuses', { price: 'abc' }, { price: 'abc' }],
    ['a text of digits', { name: '007' }, { name: '007' }],
    ['JSON', { extra: '{"a":1}' }, { extra: { a: 1 } }],
    ['half of JSON, which the schema refuses', { extra: '{"a"' }, { extra: '{"a"' }],
    ['a field inside', { 'size.width': '3' }, { size: { width: 3 } }],
  ])('%s', (_, texts, input) => expect(type(texts)).toEqual(input));
});

it('picks values round and round, the default by leaving the field out', () => {
  const row = toFormRows(fields, emptyForm).find(({ path }) => path === 'kind');
  if (row === undefined) throw new Error('The form has no field `kind`.');
  let form = emptyForm;
  const seen: unknown[] = [];
  for (let step = 0; step < 3; step++) {
    form = movePick(form, row, 1);
    seen.push(toFormInput(fields, form)['kind']);
  }
  expect(seen).toEqual(['chair', undefined, 'chair']);
});

it('adds items to a list and takes them away', () => {
  const list = toFormRows(fields, emptyForm).find(({ path }) => path === 'tags');
  if (list === undefined) throw new Error('The form has no field `tags`.');
  const two = resizeList(resizeList(emptyForm, list, 1), list, 1);
  expect(toFormRows(fields, two).map(({ path }) => path)).toContain('tags.1.label');
  expect(toFormRows(fields, resizeList(two, list, -1)).map(({ path }) => path)).not.toContain('tags.1.label');
});

it('goes through the fields and around', () => {
  const rows = toFormRows(fields, emptyForm);
  const count = rows.filter(({ isEditable }) => isEditable).length;
  let form = emptyForm;
  for (let step = 0; step < count; step++) form = moveFocus(rows, form, 1);
  expect(findFocused(rows, form)?.path).toBe('name');
  expect(findFocused(rows, moveFocus(rows, form, -1))?.path).toBe('extra');
});

it('gives back every input that it was filled with', () => {
  const text = fc.string({ minLength: 1 }).filter((value) => value !== '""');
  const input = fc.record(
    {
      name: text,
      price: fc.integer(),
      kind: fc.constantFrom('lamp', 'chair'),
      isNew: fc.boolean(),
      tags: fc.array(fc.record({ label: text }), { minLength: 1 }),
      size: fc.record({ width: fc.integer(), unit: fc.constantFrom('cm', 'in') }),
      extra: fc.dictionary(fc.string(), fc.integer()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(input, (value) => {
      expect(toFormInput(fields, toFilledForm(fields, value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
