import type { JsonSchema } from '../../schema/to-json-schema.ts';

/** `type: ['string', 'null']` in place of a choice of the two, which is how others write it and generators read it best. */
export function toShortNullable(json: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = json;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return json;
  const branches = anyOf as readonly JsonSchema[];
  const other = branches.find(({ type }) => type !== 'null');
  if (other === undefined || !branches.some((branch) => JSON.stringify(branch) === '{"type":"null"}')) return json;
  const isPlain = typeof other['type'] === 'string' && !['enum', 'const', 'allOf'].some((keyword) => keyword in other);
  // What the choice says of itself counts before what its branch does.
  return isPlain ? { ...other, type: [other['type'], 'null'], ...rest } : json;
}
