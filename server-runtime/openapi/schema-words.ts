import type { JsonSchema } from '../schema/json-schema.ts';

/** The forms in which a printer of types writes what it finds: for readers, or for a compiler. */
export interface TypeForms {
  readonly reference: (reference: string) => string;
  readonly literal: (value: unknown) => string;
  /** A text, a number, a boolean or null; without a type anything. */
  readonly scalar: (schema: JsonSchema, type?: string) => string;
  readonly list: (item: string) => string;
  /** `rest`: all items behind them. */
  readonly tuple: (items: readonly { readonly type: string; readonly isOptional: boolean }[], rest?: string) => string;
  /** `isChoice`: whether it is one of several objects without names. */
  readonly object: (schema: JsonSchema, isChoice: boolean) => string;
  readonly join: (types: readonly string[], sign: '|' | '&') => string;
}

/** A schema as a type, in some forms: {@link readable}, or those of a language. */
export function printType(schema: unknown, forms: TypeForms, isChoice = false): string {
  if (!isSchema(schema)) return schema === false ? 'never' : forms.scalar({});
  const inside = (part: unknown): string => printType(part, forms);
  const toUnion = (parts: readonly unknown[]): string => forms.join(parts.map(inside), '|');
  const { $ref: reference, enum: values, type, items, prefixItems, not } = schema;
  if (schema['nullable'] === true) return toUnion([{ ...schema, nullable: false }, { type: 'null' }]);
  if (typeof reference === 'string') return forms.reference(reference);
  if ('const' in schema) return forms.literal(schema['const']);
  if (Array.isArray(values)) return forms.join(values.map(forms.literal), '|');
  if (schema['format'] === 'binary') return forms.scalar(schema, 'string');
  const choices = toChoices(schema);
  const areSeveral = choices.filter((choice) => choice['properties'] !== undefined).length > 1;
  const toChoice = (choice: JsonSchema): string => printType(choice, forms, areSeveral);
  if (choices.length > 0) return forms.join(choices.map(toChoice), '|');
  if (Array.isArray(type)) return toUnion(type.map((each: unknown) => ({ ...schema, type: each })));
  const all = toSchemas(schema['allOf']);
  if (all.length > 0 && type === undefined) return forms.join(all.map(inside), '&');
  if (type === 'array' && Array.isArray(prefixItems)) {
    const least = Number(schema['minItems'] ?? 0);
    const first = prefixItems.map((item: unknown, index) => ({ type: inside(item), isOptional: index >= least }));
    return forms.tuple(first, items === false ? undefined : inside(items));
  }
  if (type === 'array') return forms.list(inside(items));
  if (type === 'object' || (type === undefined && schema['properties'] !== undefined))
    return forms.object(schema, isChoice);
  if (JSON.stringify(not) === '{}') return 'never';
  return forms.scalar(schema, typeof type === 'string' ? type : undefined);
}

/**
 * A schema as a type that a reader knows: `string`, `'a' | 'b'`, `User[]`, `record of number`; `object` where it has
 * fields of its own, `{ kind: 'card', number? } | { kind: 'cash' }` where it is one of several.
 */
export function toTypeWords(schema: unknown): string {
  return printType(schema, readable);
}

const readable: TypeForms = {
  reference: (reference) => {
    const name = toLastStep(reference);
    return name === '#' ? 'itself' : /^__schema\d+$/.test(name) ? 'object' : name;
  },
  literal: (value) => (typeof value === 'string' && !value.includes("'") ? `'${value}'` : JSON.stringify(value)),
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
    if (properties === undefined && isSchema(others)) return `record of ${toTypeWords(others)}`;
    const texts = toOwnFields(schema).map(({ name, schema: field, isRequired }) => {
      const value = isSchema(field) && ('const' in field || 'enum' in field) ? `: ${toTypeWords(field)}` : '';
      return `${name}${isRequired ? '' : '?'}${value}`;
    });
    return isChoice && texts.length > 0 ? `{ ${texts.join(', ')} }` : 'object';
  },
  join: (types, sign) =>
    [...new Set(types)].map((type) => (sign === '&' && type.includes(' | ') ? `(${type})` : type)).join(` ${sign} `),
};

/** The limits of a value beside its type: `1 to 20 characters`, `at least 0`, `matches /^a/`, `unique`. */
export function toLimitWords(schema: JsonSchema): readonly string[] {
  const { pattern, format, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf: step } = schema;
  const isSaid = format !== undefined || schema['x-capix-kind'] !== undefined;
  const { maxSize, accept = [] } = Object(schema['x-capix-file']) as { readonly maxSize?: number; accept?: string[] };
  const words = [
    toRange(schema['minLength'], schema['maxLength'] ?? maxSize, format === 'binary' ? 'bytes' : 'characters'),
    typeof pattern === 'string' && !isSaid ? `matches /${pattern}/` : '',
    accept.join(' or '),
    toRange(schema['minimum'], schema['maximum'], ''),
    isTelling(above) ? `more than ${above}` : '',
    isTelling(below) ? `less than ${below}` : '',
    isTelling(step) ? `a multiple of ${step}` : '',
    schema['prefixItems'] === undefined ? toRange(schema['minItems'], schema['maxItems'], 'items') : '',
    schema['uniqueItems'] === true ? 'unique' : '',
    toRange(schema['minProperties'], schema['maxProperties'], 'fields'),
  ];
  const inner = withoutNull(schema);
  const inside = inner === schema ? toSchemas(schema['allOf']) : [...toSchemas(schema['allOf']), inner];
  return [...words.filter((word) => word !== ''), ...inside.flatMap(toLimitWords)];
}

/** zod writes the bounds of safe integers, which say nothing of a field. */
function isTelling(bound: unknown): bound is number {
  return typeof bound === 'number' && Math.abs(bound) !== Number.MAX_SAFE_INTEGER;
}

function toRange(least: unknown, most: unknown, unit: string): string {
  const withUnit = (bound: number): string => `${bound} ${bound === 1 ? unit.replace(/s$/, '') : unit}`.trimEnd();
  if (isTelling(least) && isTelling(most))
    return least === most ? `exactly ${withUnit(least)}` : `${least} to ${withUnit(most)}`;
  return isTelling(least) ? `at least ${withUnit(least)}` : isTelling(most) ? `at most ${withUnit(most)}` : '';
}

type Components = Readonly<Record<string, JsonSchema>>;

/** The part of a document that a reference leads to, or the part itself. */
export function followReference<Part extends object>(part: Part, components: Readonly<Record<string, Part>>): Part {
  if (!('$ref' in part)) return part;
  return components[toLastStep(String(part.$ref))] ?? ({} as Part);
}

/** `User` of `#/components/schemas/User`. */
export function toLastStep(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** A field of an object, or of an object in it that has no name of its own: `home.street`, `lines[].sku`. */
export interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** The fields of an object, each followed by those inside it; those of a component stand under its name. */
export function toFields(schema: JsonSchema, way = ''): readonly Field[] {
  return toOwnFields(schema).flatMap((field) => {
    const name = way + field.name;
    let [step, inner] = ['', withoutNull(field.schema)];
    for (; inner['type'] === 'array'; step += '[]') inner = withoutNull(Object(inner['items']) as JsonSchema);
    return [{ ...field, name }, ...toFields(inner, `${name}${step}.`)];
  });
}

function toOwnFields({ properties, required = [] }: JsonSchema): readonly Field[] {
  const fields = Object.entries(Object(properties) as Readonly<Record<string, JsonSchema>>);
  return fields.map(([name, schema]) => ({ name, schema, isRequired: [required].flat().includes(name) }));
}

/** The schema without the choice of null; itself where there is none, or more than one other. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const [only, ...others] = toSchemas(schema['anyOf']).filter(({ type }) => type !== 'null');
  return only === undefined || others.length > 0 ? schema : only;
}

/** A sample goes this deep into objects, lists and references. */
const MAX_DEPTH = 6;

/** A value that looks like what a schema asks for: required fields, defaults, examples. Not every limit is kept. */
export function toSample(schema: JsonSchema, components: Components, depth = 0): unknown {
  if (depth > MAX_DEPTH) return undefined;
  const inside = (part: unknown): unknown => toSample(Object(part) as JsonSchema, components, depth + 1);
  const { type, format, pattern, minimum, exclusiveMinimum: above, prefixItems, items } = schema;
  if (typeof schema['$ref'] === 'string') return inside(followReference(schema, components));
  const listed = [schema['examples'], schema['enum']].flatMap((each) => (Array.isArray(each) ? each : []));
  const given: unknown = [schema['default'], schema['const'], ...listed].find((value) => value !== undefined);
  if (given !== undefined) return given;
  const choice = toChoices(schema).find((each) => each['type'] !== 'null');
  if (choice !== undefined) return inside(choice);
  const all = toSchemas(schema['allOf']).map(inside);
  if (all.length > 0) return all.every((part) => Object(part) === part) ? Object.assign({}, ...all) : all[0];
  const kind: unknown = Array.isArray(type) ? type[0] : type;
  if (kind === 'object') {
    const needed = toOwnFields(schema).filter(({ isRequired }) => isRequired);
    return Object.fromEntries(needed.map(({ name, schema: field }) => [name, inside(field)]));
  }
  if (kind === 'array')
    return (Array.isArray(prefixItems) ? prefixItems : [items]).map(inside).filter((item) => item !== undefined);
  if (kind === 'string') return samples[String(format)] ?? (pattern === '^-?\\d+$' ? '1' : 'text');
  if (kind === 'integer' || kind === 'number') return isTelling(minimum) ? minimum : isTelling(above) ? above + 1 : 1;
  return kind === 'boolean' ? true : kind === 'null' ? null : undefined;
}

const samples: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com',
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
};

function toChoices({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] {
  return [anyOf, oneOf].flatMap(toSchemas);
}

function toSchemas(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
