import type { JsonSchema } from './to-json-schema.ts';

/** Gives what replaces a schema inside another. `step` is the field's name, `[]` for the items of an array, else undefined. */
export type MapSubschema = (schema: JsonSchema, step: string | undefined) => JsonSchema;

/** A copy of a JSON Schema with the schemas directly inside it replaced. Data such as defaults and examples stays as it is. */
export function mapSubschemas(schema: JsonSchema, map: MapSubschema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, mapKeyword(keyword, value, map)]),
  );
}

const fieldMaps: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);
const schemaLists: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const itemSchemas: ReadonlySet<string> = new Set(['items', 'contains', 'unevaluatedItems']);
const schemas: ReadonlySet<string> = new Set([
  'additionalProperties',
  'propertyNames',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
]);

function mapKeyword(keyword: string, value: unknown, map: MapSubschema): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (fieldMaps.has(keyword)) {
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, map(field as JsonSchema, name)]));
  }
  if (schemaLists.has(keyword)) {
    const step = keyword === 'prefixItems' ? '[]' : undefined;
    return (value as readonly JsonSchema[]).map((item) => map(item, step));
  }
  if (itemSchemas.has(keyword)) return map(value as JsonSchema, '[]');
  return schemas.has(keyword) ? map(value as JsonSchema, undefined) : value;
}
