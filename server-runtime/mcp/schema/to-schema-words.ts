import type { JsonSchema } from '../../schema/to-json-schema.ts';

/** The kind of value that a JSON Schema asks for, in a few words: `string`, `"a" or "b"`, `list of integer`. */
export function toSchemaWords(schema: JsonSchema): string {
  const { type, format, $ref, items, const: value, enum: values, anyOf, oneOf } = schema;
  if ('const' in schema) return JSON.stringify(value);
  if (Array.isArray(values)) return values.map((each) => JSON.stringify(each)).join(' or ');
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return branches.map((branch: JsonSchema) => toSchemaWords(branch)).join(' or ');
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? 'value';
  if (Array.isArray(type)) return type.join(' or ');
  if (type === 'array') return isSchema(items) ? `list of ${toSchemaWords(items)}` : 'list';
  return typeof format === 'string' ? format : typeof type === 'string' ? type : 'any value';
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}
