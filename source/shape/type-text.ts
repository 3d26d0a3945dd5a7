import type { ObjectShape, Shape, TupleShape } from './shape.ts';

/**
 * A shape as a type that a reader knows: `string`, `integer`, `'a' | 'b'`, `string[]`, `record of number`, `date`, `file`, `string | null`;
 * `object` where it has fields of its own, `{ kind: 'card', number } | { kind: 'cash' }` where it is one of several. A reference is the
 * name of what it refers to; where that has no name, it is `object`.
 */
export function toTypeText(shape: Shape): string {
  switch (shape.kind) {
    case 'any':
    case 'never':
    case 'null':
    case 'boolean':
    case 'file':
    case 'object':
      return shape.kind;
    case 'string':
      return shape.formats[0] === undefined ? 'string' : `string (${shape.formats[0]})`;
    case 'number':
      return shape.isInteger ? 'integer' : 'number';
    case 'foreign':
      return shape.type;
    case 'literal':
      return shape.values.map(toLiteral).join(' | ');
    case 'array':
      return toListText(toTypeText(shape.items()));
    case 'tuple':
      return toTupleText(shape);
    case 'record':
      return `record of ${toTypeText(shape.values())}`;
    case 'union':
    case 'tagged union':
      return toUnionText(shape);
    case 'intersection':
      return shape.parts.map(toTypeText).map(wrap).join(' & ');
    case 'reference':
      return toReferenceText(shape.reference);
    case 'other':
      return toTypeText(shape.base);
  }
}

/** zod names a schema that contains itself `__schema0` where its author did not. */
function toReferenceText(reference: string): string {
  if (reference === '#') return 'itself';
  const name = reference.split('/').at(-1) ?? reference;
  return /^__schema\d+$/.test(name) ? 'object' : name;
}

/** Positions that need not be there have a question mark. */
function toTupleText({ items, rest, minItems = 0 }: TupleShape): string {
  const texts = items.map((item, index) => `${toTypeText(item())}${index < minItems ? '' : '?'}`);
  const others = rest();
  const isOpen = others.kind !== 'never' && others.kind !== 'any';
  return `[${[...texts, ...(isOpen ? [`...${toListText(toTypeText(others))}`] : [])].join(', ')}]`;
}

/** Objects tell themselves apart by their fields; one beside `null` shows them elsewhere. */
function toUnionText(shape: Shape): string {
  const branches = toBranches(shape);
  const isChoice = branches.filter(({ kind }) => kind === 'object').length > 1;
  const texts = branches.map((branch) =>
    branch.kind === 'object' && isChoice ? toObjectText(branch) : toTypeText(branch),
  );
  return [...new Set(texts)].join(' | ');
}

function toBranches(shape: Shape): readonly Shape[] {
  if (shape.kind === 'union') return shape.variants.flatMap(toBranches);
  return shape.kind === 'tagged union' ? shape.variants.flatMap((variant) => toBranches(variant.shape)) : [shape];
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
