import { resolveShape } from './resolve-shape.ts';
import { isFile, isNothing, type ListShape, type ObjectShape, type Shape, type ShapeField } from './shape.ts';
import { toConstraints } from './to-constraints.ts';

/**
 * A shape as a type that a reader knows: `string`, `integer`, `'a' | 'b'`, `string[]`, `record of number`, `date`,
 * `file`, `string | null`; `object` where it has fields of its own, `{ kind: 'card', number } | { kind: 'cash' }` where
 * it is one of several. A reference is the name of what it refers to; where that has no name, it is `object`.
 */
export function toTypeText(shape: Shape): string {
  switch (shape.kind) {
    case 'any':
      return shape.type ?? 'any';
    case 'boolean':
      return 'boolean';
    case 'object':
      return shape.isRecord ? `record of ${toTypeText(shape.rest?.() ?? { kind: 'any' })}` : 'object';
    case 'string':
      if (isFile(shape) || shape.standsFor !== undefined) return shape.standsFor ?? 'file';
      return shape.formats[0] === undefined ? 'string' : `string (${shape.formats[0]})`;
    case 'number':
      return shape.isInteger ? 'integer' : 'number';
    case 'literal':
      return shape.values.map(toLiteral).join(' | ');
    case 'list':
      return shape.first.length > 0 ? toTupleText(shape) : toListText(toTypeText(shape.rest()));
    case 'union':
      return isNothing(shape) ? 'never' : toUnionText(shape);
    case 'intersection':
      return shape.parts.map(toTypeText).map(wrap).join(' & ');
    case 'reference':
      return toReferenceText(shape.reference);
    case 'unclear':
      return toTypeText(shape.base);
  }
}

/**
 * The names of shapes of which one is chosen, no two of them the same: their types, and for those of equal types what
 * else tells them apart: `object with a, b`, `object with a: string`, `list of object with b`,
 * `string, at most 3 characters`, `string 2`.
 */
export function toVariantTexts(shapes: readonly Shape[]): readonly string[] {
  const readers = [toFieldsText, toTypedFieldsText, toConstrainedText];
  const texts = readers.reduce<readonly string[]>(
    (known, read) => shapes.map((shape, at) => (isRepeated(known, at) ? read(shape, shapes) : (known[at] ?? ''))),
    shapes.map(toTypeText),
  );
  return texts.map((text, at) => {
    const count = texts.slice(0, at + 1).filter((one) => one === text).length;
    return isRepeated(texts, at) ? `${text} ${count}` : text;
  });
}

function isRepeated(texts: readonly string[], at: number): boolean {
  return texts.some((text, index) => index !== at && text === texts[at]);
}

/** The fields that only one of the shapes has come first: the end of a name may be cut. */
function toFieldsText(
  shape: Shape,
  shapes: readonly Shape[],
  toText: (field: ShapeField) => string = ({ name }) => name,
): string {
  const whole = resolveShape(shape);
  if (whole.kind === 'list' && whole.first.length === 0 && hasFields(resolveShape(whole.rest()))) {
    const items = shapes.map(resolveShape).flatMap((one) => (one.kind === 'list' ? [one.rest()] : []));
    return `list of ${toFieldsText(whole.rest(), items, toText)}`;
  }
  if (!hasFields(whole)) return toTypeText(shape);
  if (whole.fields.length === 0) return 'object without fields';
  const objects = shapes.map(resolveShape).filter(hasFields);
  const toOwners = ({ name }: ShapeField): number =>
    objects.filter(({ fields }) => fields.some((field) => field.name === name)).length;
  return `object with ${whole.fields
    .toSorted((a, b) => toOwners(a) - toOwners(b))
    .map(toText)
    .join(', ')}`;
}

function hasFields(shape: Shape): shape is ObjectShape {
  return shape.kind === 'object' && !shape.isRecord;
}

function toTypedFieldsText(shape: Shape, shapes: readonly Shape[]): string {
  return toFieldsText(shape, shapes, (field) => `${field.name}: ${toTypeText(field.shape())}`);
}

function toConstrainedText(shape: Shape, shapes: readonly Shape[]): string {
  return [toFieldsText(shape, shapes), ...toConstraints(shape)].join(', ');
}

/** zod names a schema that contains itself `__schema0` where its author did not. */
function toReferenceText(reference: string): string {
  if (reference === '#') return 'itself';
  const name = reference.split('/').at(-1) ?? reference;
  return /^__schema\d+$/.test(name) ? 'object' : name;
}

/** Positions that need not be there have a question mark. */
function toTupleText({ first, rest, minItems = 0 }: ListShape): string {
  const texts = first.map((item, index) => `${toTypeText(item())}${index < minItems ? '' : '?'}`);
  const others = rest();
  const isOpen = !isNothing(others) && others.kind !== 'any';
  return `[${[...texts, ...(isOpen ? [`...${toListText(toTypeText(others))}`] : [])].join(', ')}]`;
}

/** Objects tell themselves apart by their fields; one beside `null` shows them elsewhere. */
function toUnionText(shape: Shape): string {
  const branches = toBranches(shape);
  const isChoice = branches.filter(hasFields).length > 1;
  const texts = branches.map((branch) => (hasFields(branch) && isChoice ? toObjectText(branch) : toTypeText(branch)));
  return [...new Set(texts)].join(' | ');
}

function toBranches(shape: Shape): readonly Shape[] {
  return shape.kind === 'union' ? shape.variants.flatMap(toBranches) : [shape];
}

function toObjectText({ fields }: ObjectShape): string {
  const texts = fields.map(({ name, isRequired, shape }) => {
    const value = shape();
    return `${name}${isRequired ? '' : '?'}${value.kind === 'literal' ? `: ${toTypeText(value)}` : ''}`;
  });
  return texts.length === 0 ? 'object' : `{ ${texts.join(', ')} }`;
}

function toListText(element: string): string {
  return /^\w+$/.test(element) ? `${element}[]` : `(${element})[]`;
}

function wrap(text: string): string {
  return text.includes(' | ') ? `(${text})` : text;
}

function toLiteral(value: unknown): string {
  return typeof value === 'string' && !value.includes("'") ? `'${value}'` : JSON.stringify(value);
}
