import { type ApiSchema, isFile, type NamedSchema } from '../../document/branch.ts';
import { findNote, toFieldEntries } from '../../document/read-branches.ts';
import { textOf } from '../../document/schema-json.ts';
import { printType, type ScalarBranch, type TypeForms } from '../../document/type-text.ts';

/** Names of the TypeScript types of components, by their reference. */
export type TypeNames = ReadonlyMap<string, string>;

/** The TypeScript type of what a schema admits: `{ readonly id: string }`. Files are `Blob`. */
export function toTypeScript(schema: ApiSchema, names: TypeNames): string {
  const forms: TypeForms = {
    reference: (reference) => names.get(reference) ?? 'unknown',
    literal: (value) =>
      typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value),
    scalar: toScalar,
    list: (item) => `readonly ${wrap(item)}[]`,
    tuple: (items, rest) => {
      const first = items.map(({ type, isOptional }) => (isOptional ? `${wrap(type)}?` : type));
      return `readonly [${[...first, ...(rest === undefined ? [] : [`...${wrap(rest)}[]`])].join(', ')}]`;
    },
    object: (branch) => {
      const { required, rest = schema, isRecord, isOpen } = branch;
      // Each known key of a record is a field.
      const fields = toFieldEntries(branch);
      if (fields.length === 0) return toIndex(isOpen ? printType(rest, forms) : 'unknown');
      const object = toFieldTypes(
        fields.map(
          ([name, field]): TypedField => ({
            name,
            isRequired: required.has(name),
            schema: field,
            notes: readNotes(field),
          }),
        ),
        names,
      );
      return isOpen && !isRecord ? `${object} & ${toIndex('unknown')}` : object;
    },
    join: (types, sign) => {
      const different = new Set(
        types.flatMap((type) => (/^\w+( \| \w+)+$/.test(type) ? type.split(' | ') : [type])),
      );
      if (sign === '&')
        return different.size === 1 ? (types[0] ?? '') : [...different].map(wrap).join(' & ');
      if (different.has('unknown')) return 'unknown';
      // Beside a text nobody can tell a date from one, so that both are texts.
      const shown = [...different].filter(
        (type) => !different.has('string') || (type !== 'Date' && type !== 'bigint'),
      );
      const isMany = shown.length > 1;
      return (
        shown
          .map((type) => (isMany && type.startsWith('readonly ') ? `(${type})` : type))
          .join(' | ') || 'never'
      );
    },
  };
  return printType(schema, forms);
}

function toScalar(branch: ScalarBranch): string {
  switch (branch.type) {
    case 'string':
      if (isFile(branch)) return 'Blob';
      if (branch.kind === 'date') return 'Date';
      return branch.kind === 'bigint' ? 'bigint' : 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'any':
      return 'unknown';
    case 'boolean':
    case 'null':
      return branch.type;
  }
}

/** Not a `Record`, whose values cannot be of the type that it is itself. */
export function toIndex(type: string): string {
  return `{ readonly [key: string]: ${type} }`;
}

export interface TypedField extends NamedSchema {
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

/** The part that describes a value, and restricts nothing. */
export interface Notes {
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly isDeprecated?: boolean | undefined;
}

export function readNotes(schema: ApiSchema): Notes {
  return {
    description: textOf(findNote(schema, 'description')),
    default: findNote(schema, 'default'),
    isDeprecated: findNote(schema, 'deprecated') === true,
  };
}

/** `getUser`, or in quotes where it is not an identifier. */
export function toPropertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** A comment with the notes on a value, which they cannot end, or nothing. */
export function toDocblock({ description = '', default: fallback, isDeprecated }: Notes): string {
  const text = [
    description,
    fallback === undefined ? '' : `@default ${JSON.stringify(fallback)}`,
    isDeprecated === true ? '@deprecated' : '',
  ]
    .filter((part) => part !== '')
    .join('\n')
    .replaceAll('*/', '*\\/')
    .trim();
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  if (lines.length === 1) return text === '' ? '' : `/** ${text} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

export function indent(text: string, by = '  '): string {
  return text.replace(/^(?=.)/gm, by);
}

/** Puts a type into parentheses where an operator around it would take only a part of it. */
export function wrap(type: string): string {
  return /^[\w.]+$/.test(type) ||
    (type.startsWith('{') && type.endsWith('}') && !type.includes('} '))
    ? type
    : `(${type})`;
}
