import { withoutNull } from '../shape/resolve-shape.ts';
import type { ObjectShape, Shape, ShapeField } from '../shape/shape.ts';
import { toConstraints } from '../shape/to-constraints.ts';
import { toTypeText } from '../shape/type-text.ts';
import { toCode, toTableCell } from './markdown.ts';

/** A field of an object, or of an object in it that has no name of its own: `home.street`, `lines[].sku`. */
export interface FieldRow {
  /** The name as code, with the way to it. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** The description, limits, default and an example. */
  readonly remarks: string;
}

/** The rows of a field: its own, and those of the fields inside it. */
export function toFieldRows({ name, isRequired, shape }: ShapeField): readonly FieldRow[] {
  const value = shape();
  const { step, fields } = findInside(value);
  return [
    { name: toCode(name, { isCell: true }), type: toTypeCell(value), isRequired, remarks: toRemarks(value) },
    ...fields.flatMap((field) => toFieldRows({ ...field, name: `${name}${step}.${field.name}` })),
  ];
}

/** Whether a shape is an object with named fields. */
export function hasFields(shape: Shape): shape is Extract<Shape, ObjectShape> {
  return shape.kind === 'object' && shape.fields.length > 0;
}

/** A type in a cell of a table. */
export function toTypeCell(shape: Shape): string {
  return toCode(toTypeText(shape), { isCell: true });
}

/** The fields inside a value; those of a type with a name are told under that name. */
function findInside(shape: Shape): { readonly step: string; readonly fields: readonly ShapeField[] } {
  const value = withoutNull(shape);
  if (value.kind === 'array') {
    const { step, fields } = findInside(value.items());
    return { step: `[]${step}`, fields };
  }
  return { step: '', fields: hasFields(value) ? value.fields : [] };
}

function toRemarks(shape: Shape): string {
  const { description, examples: [example] = [] } = shape;
  const limits = toConstraints(shape).map(toLimit).join(', ');
  const toJson = (value: unknown): string => toCode(JSON.stringify(value), { isCell: true });
  const others = [
    limits === '' ? '' : `${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`,
    shape.default === undefined ? '' : `Default ${toJson(shape.default)}.`,
    example === undefined ? '' : `Example ${toJson(example)}.`,
  ]
    .filter((remark) => remark !== '')
    .join(' ');
  const told = description === undefined ? '' : toTableCell(description);
  if (told === '' || others === '') return `${told}${others}`;
  return `${told}${/[.!?:;]$/.test(told) ? '' : '.'} ${others}`;
}

/** Expressions and media types have signs that Markdown would take for its own. */
function toLimit(limit: string): string {
  if (/^[\w\s.-]+$/.test(limit)) return limit;
  const pattern = limit.replace(/^matches /, '');
  return `${pattern === limit ? '' : 'matches '}${toCode(pattern, { isCell: true })}`;
}
