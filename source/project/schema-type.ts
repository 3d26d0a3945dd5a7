import type { JsonSchema } from '../../server-runtime/schema/to-json-schema.ts';
import { KIND_KEYWORD } from './schema-view.ts';

/**
 * A schema as a type that a reader knows: `string`, `integer`, `'a' | 'b'`, `string[]`, `record of number`, `date`, `string | null`;
 * `object` where it has fields of its own. A reference is the name of what it refers to.
 */
export function toTypeText(json: unknown): string {
  if (!isSchemaObject(json)) return json === false ? 'never' : 'any';
  const { $ref, type, enum: values, anyOf, oneOf, allOf, not } = json;
  if (typeof $ref === 'string') return $ref === '#' ? 'itself' : ($ref.split('/').at(-1) ?? $ref);
  if (Array.isArray(values)) return values.map(toLiteral).join(' | ');
  if ('const' in json) return toLiteral(json['const']);
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return [...new Set(branches.map(toTypeText))].join(' | ');
  if (Array.isArray(allOf)) return allOf.map(toTypeText).join(' & ');
  if (Array.isArray(type)) return type.map((one) => toTypeText({ ...json, type: one as unknown })).join(' | ');
  if (not !== undefined && isEmpty(not)) return 'never';
  return toPlainType(json);
}

function toPlainType(json: JsonSchema): string {
  const { type, format, items, prefixItems, additionalProperties, properties } = json;
  switch (type) {
    case 'array':
      if (Array.isArray(prefixItems)) return `[${prefixItems.map(toTypeText).join(', ')}]`;
      return toArrayType(toTypeText(items));
    case 'object':
      if (properties === undefined && isSchemaObject(additionalProperties))
        return `record of ${toTypeText(additionalProperties)}`;
      return 'object';
    case 'string':
      return typeof format === 'string' ? `string (${format})` : 'string';
    case undefined:
      return typeof json[KIND_KEYWORD] === 'string' ? json[KIND_KEYWORD] : 'any';
    default:
      return String(type);
  }
}

function toArrayType(element: string): string {
  return /^[\w]+$/.test(element) ? `${element}[]` : `(${element})[]`;
}

function toLiteral(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

function isEmpty(json: unknown): boolean {
  return isSchemaObject(json) && Object.keys(json).length === 0;
}

export function isSchemaObject(json: unknown): json is JsonSchema {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
