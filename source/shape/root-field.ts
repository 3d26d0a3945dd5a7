import { looksSecret } from '../../server-runtime/schema/looks-secret.ts';
import { accepts } from './accepts.ts';
import type { FormField, FormGroup, FormKind, FormVariant } from './form-field.ts';
import { once } from './once.ts';
import { resolveShape, withoutNull } from './resolve-shape.ts';
import { toDefaultText } from './schema-fields.ts';
import type { ArrayShape, ObjectShape, RecordShape, Shape, ShapeField, TupleShape } from './shape.ts';
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
      return { kind: 'list', item: toItem(shape, within) };
    case 'tuple':
      return toTuple(shape, within);
    case 'object':
    case 'record':
      return toGroup(shape, above);
    case 'union':
      return toKindOfUnion(shape.variants, within);
    case 'tagged union':
      return {
        kind: 'union',
        variants: shape.variants.map((variant) => ({
          ...toVariant(variant.shape, variant.values.map(String).join(' | '), within),
          tag: variant.values.length === 1 ? shape.tag : undefined,
        })),
      };
    case 'intersection':
    case 'reference': {
      const whole = resolveShape(shape);
      if (above.length > MAX_REFERENCES) return json;
      return whole === shape ? toKindOfParts(whole, within) : toKind(whole, within);
    }
    case 'other':
      return toKind(shape.base, above);
    case 'null':
    case 'any':
    case 'never':
      return json;
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

function toItem({ items }: Pick<ArrayShape, 'items'>, above: readonly Shape[]): () => FormField {
  return once(() => ({ ...toField({ name: '', isRequired: true, shape: items }, above), isItem: true }));
}

function toTuple({ items, rest, minItems = 0 }: TupleShape, above: readonly Shape[]): FormKind {
  return {
    kind: 'tuple',
    items: once(() =>
      items.map((shape, index) => toField({ name: `${index + 1}`, isRequired: index < minItems, shape }, above)),
    ),
    rest: rest().kind === 'never' ? undefined : toItem({ items: rest }, above),
  };
}

function toGroup(shape: ObjectShape | RecordShape, above: readonly Shape[]): FormGroup {
  const fields = shape.kind === 'object' ? shape.fields : toKeptFields(shape);
  const extra = shape.kind === 'object' ? shape.additional : shape.keys().kind === 'literal' ? undefined : shape.values;
  const within = [...above, shape];
  return {
    kind: 'group',
    fields: once(() => fields.map((field) => toField(field, within))),
    extra: extra === undefined || extra().kind === 'never' ? undefined : toItem({ items: extra }, within),
    isFolded: above.includes(shape) || above.filter(({ kind }) => kind === 'object').length > MAX_DEPTH,
  };
}

/** The fields of a record whose keys are known. */
function toKeptFields({ keys, values, isExhaustive }: RecordShape): readonly ShapeField[] {
  const key = keys();
  if (key.kind !== 'literal') return [];
  return key.values.map((name) => ({ name: String(name), isRequired: isExhaustive, shape: values }));
}

/** A union is a text for `string | null`, a picker for literals, and otherwise a choice of variants. */
function toKindOfUnion(variants: readonly Shape[], above: readonly Shape[]): FormKind {
  const values = variants.filter(({ kind }) => kind !== 'null');
  const [first] = values;
  if (first === undefined) return json;
  if (values.length === 1) return toKind(first, above);
  const literals = values.map((variant) => (variant.kind === 'literal' ? variant.values : undefined));
  if (literals.every((each) => each !== undefined)) return { kind: 'picker', values: literals.flat() };
  const labels = toVariantTexts(values);
  return { kind: 'union', variants: values.map((variant, at) => toVariant(variant, labels[at] ?? '', above)) };
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
  switch (shape.kind) {
    case 'null':
      return true;
    case 'literal':
      return shape.values.includes(null);
    case 'union':
      return shape.variants.some((variant) => admitsNull(variant, [...above, shape]));
    case 'reference':
      return admitsNull(shape.target(), [...above, shape]);
    case 'other':
      return admitsNull(shape.base, [...above, shape]);
    case 'any':
    case 'never':
    case 'boolean':
    case 'string':
    case 'number':
    case 'file':
    case 'array':
    case 'tuple':
    case 'object':
    case 'record':
    case 'tagged union':
    case 'intersection':
    case 'foreign':
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
  if (shape.kind === 'foreign') return 'date-time';
  return shape.kind === 'string' ? shape.formats[0] : undefined;
}
