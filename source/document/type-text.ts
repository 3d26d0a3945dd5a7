import type { ApiSchema, Branch } from './branch.ts';
import { toRefName } from './read-branches.ts';
import {
  choicesOf,
  isSchemaObject,
  type SchemaJson,
  schemasOf,
  textOf,
  toDeclaredFields,
} from './schema-json.ts';

/** The forms in which a printer of types writes what it finds: for readers, or for a compiler. */
export interface TypeForms {
  readonly reference: (reference: string) => string;
  readonly literal: (value: unknown) => string;
  /** A text, a number, a boolean or null; without a type anything. */
  readonly scalar: (schema: SchemaJson, type?: string) => string;
  readonly list: (item: string) => string;
  /** `rest`: all items behind them. */
  readonly tuple: (
    items: readonly { readonly type: string; readonly isOptional: boolean }[],
    rest?: string,
  ) => string;
  /** `isChoice`: whether it is one of several objects without names. */
  readonly object: (schema: SchemaJson, isChoice: boolean) => string;
  readonly join: (types: readonly string[], sign: '|' | '&') => string;
}

/** A schema as a type, in some forms: {@link readable}, or those of a language. Components stand by their names. */
export function printType(schema: unknown, forms: TypeForms, isChoice = false): string {
  if (!isSchemaObject(schema)) return schema === false ? 'never' : forms.scalar({});
  const { $ref: reference, enum: values } = schema;
  if (schema['nullable'] === true)
    return printUnion([{ ...schema, nullable: false }, { type: 'null' }], forms);
  if (typeof reference === 'string') return forms.reference(reference);
  if ('const' in schema) return forms.literal(schema['const']);
  if (Array.isArray(values)) return forms.join(values.map(forms.literal), '|');
  if (schema['format'] === 'binary') return forms.scalar(schema, 'string');
  const choices = choicesOf(schema);
  return choices.length > 0 ? printChoices(choices, forms) : printTyped(schema, forms, isChoice);
}

function printUnion(parts: readonly unknown[], forms: TypeForms): string {
  return forms.join(
    parts.map((part) => printType(part, forms)),
    '|',
  );
}

function printChoices(choices: readonly SchemaJson[], forms: TypeForms): string {
  const areSeveral = choices.filter((choice) => choice['properties'] !== undefined).length > 1;
  return forms.join(
    choices.map((choice) => printType(choice, forms, areSeveral)),
    '|',
  );
}

/** A schema by what it says of its type, and by its parts where it says nothing. */
function printTyped(schema: SchemaJson, forms: TypeForms, isChoice: boolean): string {
  const { type, properties, not } = schema;
  if (Array.isArray(type))
    return printUnion(
      type.map((each: unknown) => ({ ...schema, type: each })),
      forms,
    );
  const all = type === undefined ? schemasOf(schema['allOf']) : [];
  if (all.length > 0)
    return forms.join(
      all.map((part) => printType(part, forms)),
      '&',
    );
  if (type === 'array') return printList(schema, forms);
  if (type === 'object' || (type === undefined && properties !== undefined))
    return forms.object(schema, isChoice);
  return JSON.stringify(not) === '{}' ? 'never' : forms.scalar(schema, textOf(type));
}

function printList({ items, prefixItems, minItems = 0 }: SchemaJson, forms: TypeForms): string {
  const inside = (part: unknown): string => printType(part, forms);
  if (!Array.isArray(prefixItems)) return forms.list(inside(items));
  const positions = prefixItems.map((item: unknown, index) => ({
    type: inside(item),
    isOptional: index >= Number(minItems),
  }));
  return forms.tuple(positions, items === false ? undefined : inside(items));
}

/**
 * A schema as a type that a reader knows: `string`, `'a' | 'b'`, `User[]`, `record of number`; `object` where it has
 * fields of its own, `{ kind: 'card', number? } | { kind: 'cash' }` where it is one of several.
 */
export function toTypeText({ json }: Pick<ApiSchema, 'json'>): string {
  return printType(json, readable);
}

const readable: TypeForms = {
  reference: (reference) => toRefName(reference) ?? 'object',
  literal: (value) =>
    typeof value === 'string' && !value.includes("'") ? `'${value}'` : JSON.stringify(value),
  scalar: ({ format, 'x-capix-kind': kind }, type = 'any') => {
    if (typeof kind === 'string') return kind;
    if (format === 'binary') return 'file';
    return typeof format === 'string' && type === 'string' ? `string (${format})` : type;
  },
  list: (item) => (/^\w+$/.test(item) ? `${item}[]` : `(${item})[]`),
  tuple: (items, rest = 'any') => {
    const first = items.map(({ type, isOptional }) => `${type}${isOptional ? '?' : ''}`);
    return `[${[...first, ...(rest === 'any' ? [] : [`...${readable.list(rest)}`])].join(', ')}]`;
  },
  object: (schema, isChoice) => {
    const { properties, additionalProperties: others } = schema;
    if (properties === undefined && isSchemaObject(others))
      return `record of ${toTypeText({ json: others })}`;
    const texts = toDeclaredFields(schema).map(({ name, schema: field, isRequired }) => {
      const value =
        isSchemaObject(field) && ('const' in field || 'enum' in field)
          ? `: ${toTypeText({ json: field })}`
          : '';
      return `${name}${isRequired ? '' : '?'}${value}`;
    });
    return isChoice && texts.length > 0 ? `{ ${texts.join(', ')} }` : 'object';
  },
  join: (types, sign) =>
    [...new Set(types)]
      .map((type) => (sign === '&' && type.includes(' | ') ? `(${type})` : type))
      .join(` ${sign} `),
};

/**
 * The names of branches of which one is chosen, no two of them the same: their types, objects of several by their
 * fields (`object with a, b`), and what is still alike by numbers (`string 2`).
 */
export function toVariantTexts(branches: readonly Branch[]): readonly string[] {
  const types = branches.map(({ name, schema }) => name ?? toTypeText(schema));
  const isAlone = (text: string, texts: readonly string[]): boolean =>
    texts.filter((other) => other === text).length === 1;
  const texts = branches.map((branch, at) => {
    const type = types[at] ?? '';
    const names = branch.type === 'object' ? [...branch.fields.keys()] : [];
    return isAlone(type, types) || names.length === 0 ? type : `object with ${names.join(', ')}`;
  });
  return texts.map((text, at) =>
    isAlone(text, texts)
      ? text
      : `${text} ${texts.slice(0, at + 1).filter((other) => other === text).length}`,
  );
}
