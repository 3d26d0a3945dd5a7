import { resolveShape, withoutNull } from './resolve-shape.ts';
import { toDefaultText } from './schema-fields.ts';
import type { IntersectionShape, Shape, ShapeField, UnionShape } from './shape.ts';
import { toConstraints } from './to-constraints.ts';
import { toTypeText } from './type-text.ts';

/** What a form asks for one value. */
export interface FormField {
  readonly name: string;
  readonly kind: FormKind;
  /** As `toTypeText` gives it. */
  readonly type: string;
  readonly isRequired: boolean;
  /** As JSON. */
  readonly default?: string | undefined;
  /** Constraints and description. */
  readonly note: string;
  /** How a value is written, where that is not plain: `2026-12-31`. */
  readonly placeholder?: string | undefined;
}

export type FormKind =
  /** `mask` gives what is shown in place of a text, as many characters. */
  | { readonly kind: 'text'; readonly mask?: (text: string) => string }
  | { readonly kind: 'number' }
  /** The path of a file; what begins as JSON does is JSON. */
  | { readonly kind: 'file' }
  | { readonly kind: 'toggle' }
  | { readonly kind: 'picker'; readonly values: readonly unknown[] }
  | { readonly kind: 'group'; readonly fields: readonly FormField[] }
  | { readonly kind: 'list'; readonly item: FormField }
  /** Everything else: the value is typed as JSON. */
  | { readonly kind: 'json' };

/** How deep a form goes; what is deeper is typed as JSON, as is what contains itself. */
const MAX_DEPTH = 4;

/** The fields that a form has for an object, none where it takes none; undefined for any other shape. */
export function toFormFields(shape: Shape): readonly FormField[] | undefined {
  const kind = toKind(shape, 0);
  if (kind.kind === 'group') return kind.fields;
  return shape.kind === 'object' && shape.fields.length === 0 && (shape.additional?.().kind ?? 'never') === 'never'
    ? []
    : undefined;
}

const json: FormKind = { kind: 'json' };

function toKind(shape: Shape, depth: number): FormKind {
  if (depth > MAX_DEPTH) return json;
  switch (shape.kind) {
    case 'literal':
      return { kind: 'picker', values: shape.values };
    case 'string':
      return { kind: 'text' };
    case 'foreign':
      return shape.type === 'date' ? { kind: 'text' } : json;
    case 'file':
    case 'number':
      return { kind: shape.kind };
    case 'boolean':
      return { kind: 'toggle' };
    case 'array':
      return { kind: 'list', item: toField({ name: '', isRequired: true, shape: shape.items }, depth + 1) };
    case 'object':
      return toGroup(shape.fields, depth + 1);
    case 'union':
      return toKindOfUnion(shape, depth + 1);
    case 'intersection':
      return toKindOfParts(shape, depth + 1);
    case 'reference':
      return toKind(shape.target(), depth + 1);
    case 'other':
      return toKind(shape.base, depth);
    case 'tagged union':
    case 'tuple':
    case 'record':
    case 'null':
    case 'any':
    case 'never':
      return json;
  }
}

/** Of `string | null` a text, of literals a picker. */
function toKindOfUnion(shape: UnionShape, depth: number): FormKind {
  const literals = shape.variants.map((variant) =>
    variant.kind === 'literal' ? variant.values : variant.kind === 'null' ? [null] : undefined,
  );
  if (literals.every((values) => values !== undefined)) return { kind: 'picker', values: literals.flat() };
  const only = withoutNull(shape);
  return only === shape ? json : toKind(only, depth);
}

/** The fields of all parts, where they are objects. */
function toKindOfParts(shape: IntersectionShape, depth: number): FormKind {
  const whole = resolveShape(shape);
  if (whole !== shape) return toKind(whole, depth);
  return toGroup(
    shape.parts.map(resolveShape).flatMap((part) => (part.kind === 'object' ? part.fields : [])),
    depth,
  );
}

function toGroup(fields: readonly ShapeField[], depth: number): FormKind {
  return fields.length === 0 ? json : { kind: 'group', fields: fields.map((field) => toField(field, depth)) };
}

function toField({ name, isRequired, shape }: ShapeField, depth: number): FormField {
  const value = shape();
  const kind = toKind(value, depth);
  return {
    name,
    kind,
    placeholder: toPlaceholder(kind, value),
    type: toTypeText(value),
    isRequired: isRequired && value.default === undefined,
    default: toDefaultText(value),
    note: [...toConstraints(value), value.description ?? ''].filter(Boolean).join(', '),
  };
}

function toPlaceholder({ kind }: FormKind, shape: Shape): string | undefined {
  if (kind === 'file') return 'path of a file';
  return kind === 'text' ? examples[findFormat(withoutNull(shape)) ?? ''] : undefined;
}

const examples: Readonly<Record<string, string>> = {
  date: '2026-12-31',
  'date-time': '2026-12-31T23:59:00Z',
  time: '23:59:00',
  duration: 'P1DT12H',
};

/** A date that JSON has no word for is written with its time. */
function findFormat(shape: Shape): string | undefined {
  if (shape.kind === 'foreign') return 'date-time';
  return shape.kind === 'string' ? shape.formats[0] : undefined;
}
