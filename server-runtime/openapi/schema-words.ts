import type { OpenApiDocument } from '../http/openapi-document.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

/** A field of an object, or of an object in it that has no name of its own: `home.street`, `lines[].sku`. */
export interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

type Components = OpenApiDocument['components']['schemas'];

/** The schema that a reference leads to, or the schema itself. */
export function followSchema(schema: JsonSchema, components: Components): JsonSchema {
  const { $ref: reference } = schema;
  if (typeof reference !== 'string') return schema;
  return components[reference.slice(reference.lastIndexOf('/') + 1)] ?? {};
}

/** A schema as a type that a reader knows: `string`, `'a' | 'b'`, `User[]`, `record of number`. */
export function toTypeWords(schema: JsonSchema): string {
  const { $ref: reference, enum: values, format, items, prefixItems, additionalProperties, properties } = schema;
  if (typeof reference === 'string') return reference.slice(reference.lastIndexOf('/') + 1);
  if ('const' in schema) return toLiteral(schema['const']);
  if (Array.isArray(values)) return values.map(toLiteral).join(' | ');
  const choices = [schema['anyOf'], schema['oneOf']].flatMap(toSchemas);
  if (choices.length > 0) return [...new Set(choices.map(toTypeWords))].join(' | ');
  const all = toSchemas(schema['allOf']);
  if (all.length > 0) return all.map((part) => wrap(toTypeWords(part))).join(' & ');
  const { type } = schema;
  if (Array.isArray(type)) return type.map((each) => toTypeWords({ ...schema, type: each as string })).join(' | ');
  if (type === 'array' && prefixItems !== undefined) return `[${toSchemas(prefixItems).map(toTypeWords).join(', ')}]`;
  if (type === 'array') return toListWords(toTypeWords(toSchema(items)));
  if (type === 'object' && properties === undefined && isSchema(additionalProperties))
    return `record of ${toTypeWords(additionalProperties)}`;
  if (format === 'binary') return 'file';
  if (typeof type !== 'string') return 'any';
  return typeof format === 'string' && type === 'string' ? `string (${format})` : type;
}

export function toListWords(element: string): string {
  return /^\w+$/.test(element) ? `${element}[]` : `(${element})[]`;
}

function wrap(text: string): string {
  return text.includes(' | ') ? `(${text})` : text;
}

export function toLiteral(value: unknown): string {
  return typeof value === 'string' && !value.includes("'") ? `'${value}'` : JSON.stringify(value);
}

/** The limits of a value beside its type: `1 to 20 characters`, `at least 0`, `matches /^a/`. */
export function toLimitWords(schema: JsonSchema): readonly string[] {
  const { pattern, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const parts = toSchemas(schema['allOf']).concat(withoutNull(schema) === schema ? [] : withoutNull(schema));
  return [
    ...toRange(schema['minLength'], schema['maxLength'], format === 'binary' ? 'bytes' : 'characters'),
    ...toRange(schema['minItems'], schema['maxItems'], 'items'),
    ...toRange(toTelling(minimum), toTelling(maximum), ''),
    ...(typeof toTelling(exclusiveMinimum) === 'number' ? [`more than ${String(exclusiveMinimum)}`] : []),
    ...(typeof toTelling(exclusiveMaximum) === 'number' ? [`less than ${String(exclusiveMaximum)}`] : []),
    ...(typeof multipleOf === 'number' ? [`a multiple of ${multipleOf}`] : []),
    ...(typeof pattern === 'string' && format === undefined ? [`matches /${pattern}/`] : []),
    ...(schema['uniqueItems'] === true ? ['unique'] : []),
    ...parts.flatMap(toLimitWords),
  ];
}

/** zod writes the bounds of safe integers, which say nothing of a field. */
function toTelling(bound: unknown): unknown {
  return typeof bound === 'number' && Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound;
}

export function toRange(least: unknown, most: unknown, unit: string): readonly string[] {
  const withUnit = (bound: number): string => `${bound} ${bound === 1 ? unit.replace(/s$/, '') : unit}`.trimEnd();
  if (typeof least === 'number' && typeof most === 'number')
    return [least === most ? `exactly ${withUnit(least)}` : `${least} to ${withUnit(most)}`];
  if (typeof least === 'number') return [`at least ${withUnit(least)}`];
  return typeof most === 'number' ? [`at most ${withUnit(most)}`] : [];
}

/** The fields of an object, each followed by those inside it; those of a component stand under its name. */
export function toFields(schema: JsonSchema, way = ''): readonly Field[] {
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly unknown[]) : [];
  return Object.entries(Object(schema['properties']) as Readonly<Record<string, JsonSchema>>).flatMap(
    ([name, field]) => {
      const { step, inner } = toInside(field);
      return [
        { name: `${way}${name}`, schema: field, isRequired: required.includes(name) },
        ...toFields(inner, `${way}${name}${step}.`),
      ];
    },
  );
}

function toInside(schema: JsonSchema): { readonly step: string; readonly inner: JsonSchema } {
  const whole = withoutNull(schema);
  if (whole['type'] !== 'array') return { step: '', inner: whole };
  const { step, inner } = toInside(toSchema(whole['items']));
  return { step: `[]${step}`, inner };
}

/** The schema without the choice of null; itself where there is none, or more than one other. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const others = toSchemas(schema['anyOf']).filter(({ type }) => type !== 'null');
  return others.length === 1 ? (others[0] ?? schema) : schema;
}

/** A value that looks like what a schema asks for: required fields, defaults, examples. Not every limit is kept. */
export function toSample(schema: JsonSchema, components: Components, depth = 0): unknown {
  if (depth > MAX_DEPTH) return undefined;
  const inside = (part: unknown): unknown => toSample(toSchema(part), components, depth + 1);
  const { default: fallback, examples, enum: values, type, format, minimum, required } = schema;
  if (typeof schema['$ref'] === 'string') return inside(followSchema(schema, components));
  const given = [fallback, schema['const'], ...[examples, values].flatMap((each) => (Array.isArray(each) ? each : []))];
  const first = given.find((value) => value !== undefined);
  if (first !== undefined) return first;
  const choices = [schema['anyOf'], schema['oneOf']].flatMap(toSchemas);
  if (choices.length > 0) return inside(choices.find((choice) => choice['type'] !== 'null'));
  const all = toSchemas(schema['allOf']).map(inside);
  if (all.length > 0) return all.every((part) => Object(part) === part) ? Object.assign({}, ...all) : all[0];
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object': {
      const fields = Object.entries(Object(schema['properties']) as object);
      const needed = fields.filter(([name]) => Array.isArray(required) && required.includes(name));
      return Object.fromEntries(needed.map(([name, field]) => [name, inside(field)]));
    }
    case 'array':
      return Array.isArray(schema['prefixItems'])
        ? schema['prefixItems'].map(inside)
        : [inside(schema['items'])].filter((item) => item !== undefined);
    case 'string':
      return samples[String(format)] ?? (schema['pattern'] === '^-?\\d+$' ? '1' : 'text');
    case 'integer':
    case 'number':
      return typeof toTelling(minimum) === 'number' ? minimum : toMore(schema['exclusiveMinimum']);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return undefined;
  }
}

function toMore(bound: unknown): number {
  return typeof bound === 'number' ? bound + 1 : 1;
}

/** A sample goes this deep into objects, lists and references. */
const MAX_DEPTH = 6;

const samples: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com',
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
};

function toSchemas(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function toSchema(value: unknown): JsonSchema {
  return isSchema(value) ? value : {};
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
