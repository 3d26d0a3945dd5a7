import { resolveShape } from '../shape/resolve-shape.ts';
import type {
  ObjectShape,
  RecordShape,
  Shape,
  ShapeField,
  ShapeNotes,
  TupleShape,
  UnionShape,
} from '../shape/shape.ts';

/** Names of the TypeScript types of components, by their reference. */
export type TypeNames = ReadonlyMap<string, string>;

/** The TypeScript type of what a shape admits: `{ readonly id: string; readonly tags?: readonly string[] }`. Files are `Blob`. */
export function toTypeScript(shape: Shape, names: TypeNames): string {
  const toType = (part: Shape): string => toTypeScript(part, names);
  switch (shape.kind) {
    case 'any':
    case 'foreign':
      return 'unknown';
    case 'never':
    case 'null':
    case 'boolean':
    case 'number':
      return shape.kind;
    case 'string':
      return shape.standsFor === undefined ? 'string' : shape.standsFor === 'date' ? 'Date' : 'bigint';
    case 'file':
      return 'Blob';
    case 'literal':
      return toUnion(shape.values.map(toLiteral));
    case 'array':
      return `readonly ${wrap(toType(shape.items()))}[]`;
    case 'tuple':
      return toTuple(shape, toType);
    case 'object':
      return toObject(shape, names);
    case 'record':
      return toRecord(shape, names);
    case 'union':
      return toUnion(toVariants(shape).map(toType));
    case 'tagged union':
      return toUnion(shape.variants.map((variant) => toType(variant.shape)));
    case 'intersection':
      return [...new Set(shape.parts.map(toType))].map(wrap).join(' & ');
    case 'reference':
      return names.get(shape.reference) ?? 'unknown';
    case 'other':
      return toType(shape.base);
  }
}

/** Beside a plain text nobody can tell a date from one, so that both are texts. */
function toVariants({ variants }: UnionShape): readonly Shape[] {
  if (!variants.some((variant) => isPlainText(variant))) return variants;
  return variants.map((variant) => (resolveShape(variant).kind === 'string' ? plainText : variant));
}

const plainText: Shape = { kind: 'string', admitsOthers: false, patterns: [], formats: [] };

/** Whether texts of this shape are texts in the program too. */
export function isPlainText(shape: Shape): boolean {
  const whole = resolveShape(shape);
  return whole.kind === 'any' || (whole.kind === 'string' && whole.standsFor === undefined);
}

/** Positions that need not be there have a question mark. */
function toTuple({ items, rest, minItems = 0 }: TupleShape, toType: (shape: Shape) => string): string {
  const first = items.map((item, index) => (index < minItems ? toType(item()) : `${wrap(toType(item()))}?`));
  const others = rest();
  return `readonly [${[...first, ...(others.kind === 'never' ? [] : [`...${wrap(toType(others))}[]`])].join(', ')}]`;
}

function toObject({ fields, additional }: ObjectShape, names: TypeNames): string {
  const others = additional?.();
  const isOpen = others !== undefined && others.kind !== 'never';
  if (fields.length === 0) return toIndex(isOpen ? toTypeScript(others, names) : 'unknown');
  const object = `{\n${fields.map((field) => indent(toField(field, names))).join('\n')}\n}`;
  return isOpen ? `${object} & ${toIndex('unknown')}` : object;
}

/** Each known key is a field. */
function toRecord({ keys, values, isExhaustive }: RecordShape, names: TypeNames): string {
  const key = keys();
  if (key.kind !== 'literal') return toIndex(toTypeScript(values(), names));
  const fields = key.values.map((name) => ({ name: String(name), isRequired: isExhaustive, shape: values }));
  return `{\n${fields.map((field) => indent(toField(field, names))).join('\n')}\n}`;
}

/** Not a `Record`, whose values cannot be of the type that it is itself. */
function toIndex(type: string): string {
  return `{ readonly [key: string]: ${type} }`;
}

/** `readonly page?: number;` with what the schema says of it above. A field that may be left out may be undefined too. */
export function toField({ name, isRequired, shape }: ShapeField, names: TypeNames): string {
  const value = shape();
  const type = toTypeScript(value, names);
  return `${toDocblock(value)}readonly ${toPropertyName(name)}${isRequired ? '' : '?'}: ${isRequired ? type : `${type} | undefined`};`;
}

/** `getUser`, or in quotes where it is not an identifier. */
export function toPropertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** A comment with what is said of a shape, or nothing. */
export function toDocblock({ description, default: fallback, isDeprecated }: ShapeNotes): string {
  const text = [
    description,
    fallback === undefined ? undefined : `@default ${JSON.stringify(fallback)}`,
    isDeprecated ? '@deprecated' : undefined,
  ].filter((line) => line !== undefined);
  return toComment(text.join('\n'));
}

/** A block comment that its text cannot end. */
export function toComment(text: string): string {
  const lines = text
    .replaceAll('*/', '*\\/')
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/);
  if (lines.join('') === '') return '';
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

export function indent(text: string, by = '  '): string {
  return text.replace(/^(?=.)/gm, by);
}

function toLiteral(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value);
}

function toUnion(types: readonly string[]): string {
  const different = [...new Set(types)];
  return different.includes('unknown')
    ? 'unknown'
    : different
        .map((type) => (type.startsWith('readonly ') && different.length > 1 ? `(${type})` : type))
        .join(' | ') || 'never';
}

/** Puts a type into parentheses where an operator around it would take only a part of it. */
export function wrap(type: string): string {
  return /^[\w.]+$/.test(type) || (type.startsWith('{') && type.endsWith('}') && !type.includes('} '))
    ? type
    : `(${type})`;
}
