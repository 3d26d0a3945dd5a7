import type { JsonSchema } from './to-json-schema.ts';

/** The kind of value that a JSON Schema asks for, in a few words: `string`, `"a" or "b"`, `list of integer`. */
export function toSchemaWords(schema: JsonSchema): string {
  const { type, format, $ref, items, anyOf, oneOf, enum: values } = schema;
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(values)) return toOr(values.map((each) => JSON.stringify(each)));
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return toOr(branches.map((branch: JsonSchema) => toSchemaWords(branch)));
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? 'value';
  if (Array.isArray(type)) return toOr(type as readonly string[]);
  if (type === 'array') return typeof items === 'object' ? `list of ${toSchemaWords(items as JsonSchema)}` : 'list';
  if (typeof format === 'string') return format;
  return typeof type === 'string' ? type : 'any value';
}

/** Enough of them to see what may be sent. */
const MAX_CHOICES = 8;

function toOr(words: readonly string[]): string {
  return [...new Set(words)].slice(0, MAX_CHOICES).join(' or ');
}
