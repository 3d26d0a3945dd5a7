import type { JsonSchema } from '../../schema/to-json-schema.ts';
import type { Definitions } from './schema-converter.ts';

/** Whether values of a schema have parts with names of their own in a query, `filter[state]` and `lines[0][sku]`: objects, and lists of objects or lists. */
export function takesParts(json: JsonSchema, definitions: Definitions): boolean {
  return hasParts(json, { definitions, isItem: false, above: [] });
}

interface Place {
  readonly definitions: Definitions;
  readonly isItem: boolean;
  /** The schemas that this one is inside of: one that contains itself ends there. */
  readonly above: readonly JsonSchema[];
}

function hasParts(json: JsonSchema, place: Place): boolean {
  if (place.above.includes(json)) return false;
  const inside = (part: unknown, isItem: boolean): boolean =>
    typeof part === 'object' &&
    part !== null &&
    hasParts(part as JsonSchema, { ...place, isItem, above: [...place.above, json] });
  const target = typeof json['$ref'] === 'string' ? place.definitions.get(json['$ref'])?.json : undefined;
  if (target !== undefined && inside(target, place.isItem)) return true;
  if (json['type'] === 'object' || json['properties'] !== undefined) return true;
  if (json['type'] === 'array' && place.isItem) return true;
  const items = [json['items'], ...((json['prefixItems'] ?? []) as readonly unknown[])];
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => (json[keyword] ?? []) as readonly unknown[]);
  return items.some((item) => inside(item, true)) || branches.some((branch) => inside(branch, place.isItem));
}
