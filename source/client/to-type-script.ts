import { resolveShape } from '../shape/resolve-shape.ts';
import {
  findFields,
  isFile,
  isNothing,
  type ListShape,
  type ObjectShape,
  type Shape,
  type ShapeField,
  type ShapeNotes,
  type UnionShape,
} from '../shape/shape.ts';

/** Names of the TypeScript types of components, by their reference. */
export type TypeNames = ReadonlyMap<string, string>;

/** The TypeScript type of what a shape admits: `{ readonly id: string }`. Files are `Blob`. */
export function toTypeScript(shape: Shape, names: TypeNames): string {
  const toType = (part: Shape): string => toTypeScript(part, names);
  switch (shape.kind) {
    case 'any':
      return 'unknown';
    case 'boolean':
    case 'number':
      return shape.kind;
    case 'string':
      if (isFile(shape)) return 'Blob';
      return shape.standsFor === undefined ? 'string' : shape.standsFor === 'date' ? 'Date' : 'bigint';
    case 'literal':
      return toUnion(shape.values.map(toLiteral));
    case 'list':
      return shape.first.length > 0 ? toTuple(shape, toType) : `readonly ${wrap(toType(shape.rest()))}[]`;
    case 'object':
      return toObject(shape, names);
    case 'union':
      return toUnion(toVariants(shape).map(toType));
    case 'intersection':
      return [...new Set(shape.parts.map(toType))].map(wrap).join(' & ');
    case 'reference':
      return names.get(shape.reference) ?? 'unknown';
    case 'unclear':
      return toType(shape.base);
  }
}

/** Beside a plain text nobody can tell a date from one, so that both are texts. */
function toVariants({ variants }: UnionShape): readonly Shape[] {
  if (!variants.some((variant) => isPlainText(variant))) return variants;
  return variants.map((variant) => (isText(variant) ? plainText : variant));
}

const plainText: Shape = { kind: 'string', patterns: [], formats: [] };

/** Whether it is sent as a text that is not the bytes of a file. */
export function isText(shape: Shape): boolean {
  const whole = resolveShape(shape);
  return whole.kind === 'string' && !isFile(whole);
}

/** Whether texts of this shape are texts in the program too. */
export function isPlainText(shape: Shape): boolean {
  const whole = resolveShape(shape);
  return whole.kind === 'any' || (whole.kind === 'string' && !isFile(whole) && whole.standsFor === undefined);
}

/** Positions that need not be there have a question mark. */
function toTuple({ first, rest, minItems = 0 }: ListShape, toType: (shape: Shape) => string): string {
  const items = first.map((item, index) => (index < minItems ? toType(item()) : `${wrap(toType(item()))}?`));
  const others = rest();
  return `readonly [${[...items, ...(isNothing(others) ? [] : [`...${wrap(toType(others))}[]`])].join(', ')}]`;
}

/** Each known key of a record is a field. */
function toObject(shape: ObjectShape, names: TypeNames): string {
  const { rest, isRecord } = shape;
  const fields = findFields(shape);
  const others = rest?.();
  const isOpen = others !== undefined && !isNothing(others);
  if (fields.length === 0) return toIndex(isOpen ? toTypeScript(others, names) : 'unknown');
  const object = `{\n${fields.map((field) => indent(toField(field, names))).join('\n')}\n}`;
  return isOpen && !isRecord ? `${object} & ${toIndex('unknown')}` : object;
}

/** Not a `Record`, whose values cannot be of the type that it is itself. */
function toIndex(type: string): string {
  return `{ readonly [key: string]: ${type} }`;
}

/** `readonly page?: number;` below what the schema says of it. What may be left out may be undefined, too. */
export function toField({ name, isRequired, shape }: ShapeField, names: TypeNames): string {
  const value = shape();
  const type = toTypeScript(value, names);
  const property = `${toDocblock(value)}readonly ${toPropertyName(name)}`;
  return isRequired ? `${property}: ${type};` : `${property}?: ${type} | undefined;`;
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
