import type { JsonSchema } from './to-json-schema.ts';

/** Gives what replaces a schema in another. `step` is the field's name, `[]` for items, else undefined. */
export type MapSubschema = (schema: JsonSchema, step: string | undefined) => JsonSchema;

/** A copy of a JSON Schema with the schemas directly inside replaced. Data such as defaults stays. */
export function mapSubschemas(schema: JsonSchema, map: MapSubschema): JsonSchema {
  const copy = { ...schema };
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    // Only keywords that hold schemas are set again: a name such as `__proto__` is not one of them.
    if (typeof value === 'object' && value !== null && holders.has(keyword))
      copy[keyword] = mapKeyword(keyword, value, map);
  }
  return copy;
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

const holders: ReadonlySet<string> = new Set([...fieldMaps, ...schemaLists, ...itemSchemas, ...schemas]);

function mapKeyword(keyword: string, value: object, map: MapSubschema): unknown {
  if (fieldMaps.has(keyword)) {
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, map(field as JsonSchema, name)]));
  }
  if (schemaLists.has(keyword)) {
    const step = keyword === 'prefixItems' ? '[]' : undefined;
    return (value as readonly JsonSchema[]).map((item) => map(item, step));
  }
  return map(value as JsonSchema, itemSchemas.has(keyword) ? '[]' : undefined);
}
