import { looksSecret } from '../../server-runtime/schema/looks-secret.ts';
import { accepts } from './accepts.ts';
import { findTag, type Tag } from './find-tag.ts';
import type { FormField, FormGroup, FormKind, FormVariant } from './form-field.ts';
import { resolveShape, withoutNull } from './resolve-shape.ts';
import { toDefaultText } from './schema-fields.ts';
import {
  findFields,
  isFile,
  isNothing,
  isNull,
  type LazyShape,
  type ListShape,
  type ObjectShape,
  once,
  type Shape,
  type ShapeField,
} from './shape.ts';
import { toConstraints } from './to-constraints.ts';
import { toTypeText, toVariantTexts } from './type-text.ts';

/** The depth to which the fields of a form are shown before there is something in them. */
const MAX_DEPTH = 4;

const json: FormKind = { kind: 'json' };

/** The field of a whole input. */
export function toRootField(shape: Shape): FormField {
  return toField({ name: '', isRequired: true, shape: () => shape }, []);
}

/** The field of an input that is an object with these fields. */
export function toGroupField(fields: readonly FormField[]): FormField {
  return { name: '', kind: { kind: 'group', fields: () => fields }, type: 'object', isRequired: true, note: '' };
}

/** `above`: the shapes that it is inside of. */
function toKind(shape: Shape, above: readonly Shape[]): FormKind {
  const within = [...above, shape];
  switch (shape.kind) {
    case 'literal':
      return isNull(shape) ? json : { kind: 'picker', values: shape.values };
    case 'string':
      return { kind: isFile(shape) ? 'file' : 'text' };
    case 'any':
      return shape.type === 'date' ? { kind: 'text' } : json;
    case 'number':
      return { kind: 'number' };
    case 'boolean':
      return { kind: 'toggle' };
    case 'list':
      return shape.first.length > 0 ? toTuple(shape, within) : { kind: 'list', item: toItem(shape.rest, within) };
    case 'object':
      return toGroup(shape, above);
    case 'union':
      return toKindOfUnion(shape.variants, within);
    case 'intersection':
    case 'reference': {
      const whole = resolveShape(shape);
      if (above.length > MAX_REFERENCES) return json;
      return whole === shape ? toKindOfParts(whole, within) : toKind(whole, within);
    }
    case 'unclear':
      return toKind(shape.base, above);
  }
}

/** An intersection with itself makes new shapes for ever. */
const MAX_REFERENCES = 40;

/** The fields of all parts that do not come to one object, where they are objects. */
function toKindOfParts(shape: Shape, above: readonly Shape[]): FormKind {
  const parts = shape.kind === 'intersection' ? shape.parts.map(resolveShape) : [];
  if (parts.length === 0 || parts.some(({ kind }) => kind !== 'object')) return json;
  const fields = parts.flatMap((part) => (part.kind === 'object' ? part.fields : []));
  return { kind: 'group', fields: once(() => fields.map((field) => toField(field, above))), isFolded: true };
}

function toItem(shape: LazyShape, above: readonly Shape[]): () => FormField {
  return once(() => ({ ...toField({ name: '', isRequired: true, shape }, above), isItem: true }));
}

function toTuple({ first, rest, minItems = 0 }: ListShape, above: readonly Shape[]): FormKind {
  return {
    kind: 'tuple',
    items: once(() =>
      first.map((shape, index) => toField({ name: `${index + 1}`, isRequired: index < minItems, shape }, above)),
    ),
    rest: isNothing(rest()) ? undefined : toItem(rest, above),
  };
}

function toGroup(shape: ObjectShape, above: readonly Shape[]): FormGroup {
  const { rest, names, isRecord } = shape;
  const isOpen = rest !== undefined && !isNothing(rest()) && !(isRecord && names?.().kind === 'literal');
  const within = [...above, shape];
  return {
    kind: 'group',
    fields: once(() => findFields(shape).map((field) => toField(field, within))),
    extra: isOpen ? toItem(rest, within) : undefined,
    isFolded: above.includes(shape) || above.filter(({ kind }) => kind === 'object').length > MAX_DEPTH,
  };
}

/** A union is a text for `string | null`, a picker for literals, else a choice of variants, by their tag. */
function toKindOfUnion(variants: readonly Shape[], above: readonly Shape[]): FormKind {
  const values = variants.filter((variant) => !isNull(variant));
  const [first] = values;
  if (first === undefined) return json;
  if (values.length === 1) return toKind(first, above);
  const literals = values.map((variant) => (variant.kind === 'literal' ? variant.values : undefined));
  if (literals.every((each) => each !== undefined)) return { kind: 'picker', values: literals.flat() };
  const tag = findTag(values);
  if (tag !== undefined) return { kind: 'union', variants: toTaggedVariants(tag, above) };
  const labels = toVariantTexts(values);
  return { kind: 'union', variants: values.map((variant, at) => toVariant(variant, labels[at] ?? '', above)) };
}

function toTaggedVariants({ name, variants }: Tag, above: readonly Shape[]): readonly FormVariant[] {
  return variants.map(({ values, shape }) => ({
    ...toVariant(shape, values.map(String).join(' | '), above),
    tag: values.length === 1 ? name : undefined,
  }));
}

function toVariant(shape: Shape, label: string, above: readonly Shape[]): FormVariant {
  return {
    label,
    field: once(() => toField({ name: '', isRequired: true, shape: () => shape }, above)),
    admits: (value) => accepts(shape, value),
  };
}

function toField({ name, isRequired, shape }: ShapeField, above: readonly Shape[]): FormField {
  const value = shape();
  const kind = withMask(toKind(value, above), name);
  return {
    name,
    kind,
    placeholder: toPlaceholder(kind, value),
    type: toTypeText(value),
    isRequired: isRequired && value.default === undefined,
    isNullable: admitsNull(value, []),
    default: toDefaultText(value),
    note: [...toConstraints(value), value.description ?? ''].filter(Boolean).join(', '),
  };
}

/** A value whose name says that it is a secret is not shown. */
function withMask(kind: FormKind, name: string): FormKind {
  if ((kind.kind !== 'text' && kind.kind !== 'number') || !looksSecret(name)) return kind;
  return { ...kind, mask: (text) => '*'.repeat([...text].length) };
}

function admitsNull(shape: Shape, above: readonly Shape[]): boolean {
  if (above.includes(shape)) return false;
  const inside = (part: Shape): boolean => admitsNull(part, [...above, shape]);
  switch (shape.kind) {
    case 'union':
      return shape.variants.some(inside);
    case 'reference':
      return inside(shape.target());
    case 'unclear':
      return inside(shape.base);
    case 'literal':
      return isNull(shape);
    case 'any':
    case 'boolean':
    case 'string':
    case 'number':
    case 'list':
    case 'object':
    case 'intersection':
      return false;
  }
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
  if (shape.kind === 'any') return 'date-time';
  return shape.kind === 'string' ? shape.formats[0] : undefined;
}
