import { type ApiSchema, type Branch, isFile } from '../document/branch.ts';
import { findNote, isNothing, toBranches, toFieldEntries } from '../document/read-branches.ts';
import { listOf, recordOf } from '../document/schema-json.ts';

/** Names of the TypeScript types of components, by their reference. */
export type TypeNames = ReadonlyMap<string, string>;

/** The TypeScript type of what a schema admits: `{ readonly id: string }`. Files are `Blob`. */
export function toTypeScript(schema: ApiSchema, names: TypeNames): string {
  const branches = toBranches(schema);
  const { allOf, ...own } = recordOf(schema.json);
  const isOfNamedParts = branches.some(({ name }) => name?.includes(' & ') === true);
  if (isOfNamedParts && Array.isArray(allOf)) {
    const parts = ['type', '$ref', 'anyOf', 'oneOf'].some((keyword) => keyword in own)
      ? [own, ...listOf(allOf)]
      : allOf;
    const types = parts.map((json) => toTypeScript({ ...schema, json }, names));
    return [...new Set(types)].map(wrap).join(' & ');
  }
  // Beside a plain text nobody can tell a date from one, so that both are texts.
  const hasText = branches.some(isPlainText);
  return toUnion(branches.map((branch) => (hasText && isText(branch) ? 'string' : toBranchType(branch, names))));
}

function toBranchType(branch: Branch, names: TypeNames): string {
  const { type, name, values, kind, first, rest } = branch;
  if (name !== undefined && !name.includes(' & ')) return names.get(toComponentReference(name)) ?? 'unknown';
  if (values !== undefined) return toUnion(values.map(toLiteral));
  switch (type) {
    case 'string':
      if (isFile(branch)) return 'Blob';
      return kind === undefined ? 'string' : kind === 'date' ? 'Date' : 'bigint';
    case 'integer':
      return 'number';
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      if (first.length > 0) return toTuple(branch, names);
      return `readonly ${wrap(rest === undefined ? 'unknown' : toTypeScript(rest, names))}[]`;
    case 'object':
      return toObject(branch, names);
    default:
      return 'unknown';
  }
}

export function toComponentReference(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Whether it is sent as a text that is not the bytes of a file. */
export function isText(branch: Branch): boolean {
  return branch.type === 'string' && !isFile(branch) && branch.values === undefined;
}

/** Whether texts of this branch are texts in the program too. */
export function isPlainText(branch: Branch): boolean {
  return branch.type === 'any' || (isText(branch) && branch.kind === undefined);
}

/** Positions that need not be there have a question mark. */
function toTuple({ first, rest, counts: { minItems = 0 } }: Branch, names: TypeNames): string {
  const items = first.map((item, index) => {
    const type = toTypeScript(item, names);
    return index < minItems ? type : `${wrap(type)}?`;
  });
  const others = rest === undefined ? 'unknown' : toTypeScript(rest, names);
  return `readonly [${[...items, ...(others === 'never' ? [] : [`...${wrap(others)}[]`])].join(', ')}]`;
}

/** Each known key of a record is a field. */
function toObject(branch: Branch, names: TypeNames): string {
  const { rest, isRecord, required } = branch;
  const fields = toFieldEntries(branch);
  const isOpen = rest !== undefined && !isNothing(rest);
  if (fields.length === 0) return toIndex(isOpen ? toTypeScript(rest, names) : 'unknown');
  const object = toFieldTypes(
    fields.map(([name, schema]) => ({ name, isRequired: required.has(name), schema, notes: readNotes(schema) })),
    names,
  );
  return isOpen && !isRecord ? `${object} & ${toIndex('unknown')}` : object;
}

/** Not a `Record`, whose values cannot be of the type that it is itself. */
function toIndex(type: string): string {
  return `{ readonly [key: string]: ${type} }`;
}

export interface TypedField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: ApiSchema;
  readonly notes: Notes;
}

/** `readonly page?: number;` below what the schema says of it. What may be left out may be undefined, too. */
export function toFieldTypes(fields: readonly TypedField[], names: TypeNames): string {
  const lines = fields.map(({ name, isRequired, schema, notes }) => {
    const type = toTypeScript(schema, names);
    const member = `${toPropertyName(name)}${isRequired ? '' : '?'}: ${isRequired ? type : `${type} | undefined`};`;
    return indent(`${toDocblock(notes)}readonly ${member}`);
  });
  return `{\n${lines.join('\n')}\n}`;
}

/** The part that is said of a value, and restricts nothing. */
export interface Notes {
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly isDeprecated?: boolean | undefined;
}

export function readNotes(schema: ApiSchema): Notes {
  const [description, fallback] = [findNote(schema, 'description'), findNote(schema, 'default')];
  return {
    description: typeof description === 'string' ? description : undefined,
    default: fallback,
    isDeprecated: findNote(schema, 'deprecated') === true,
  };
}

/** `getUser`, or in quotes where it is not an identifier. */
export function toPropertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** A comment with the notes on a value, or nothing. */
export function toDocblock({ description, default: fallback, isDeprecated }: Notes): string {
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
