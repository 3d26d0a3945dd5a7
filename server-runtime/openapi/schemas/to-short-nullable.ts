import type { JsonSchema } from '../../schema/to-json-schema.ts';

/** `type: ['string', 'null']` in place of a choice of the two, which is how others write it and generators read it best. */
export function toShortNullable(json: JsonSchema): JsonSchema {
  if (!Array.isArray(json['anyOf']) || json['anyOf'].length !== 2) return json;
  const { anyOf, ...rest } = json;
  const branches = anyOf as readonly JsonSchema[];
  const other = branches.find(({ type }) => type !== 'null');
  if (other === undefined || !branches.some((branch) => isNull(branch))) return json;
  const { type } = other;
  const isPlain = typeof type === 'string' && !('enum' in other) && !('const' in other) && !('allOf' in other);
  // What the choice says of itself counts before what its branch does.
  return isPlain ? { ...other, type: [type, 'null'], ...rest } : json;
}

function isNull(json: JsonSchema): boolean {
  return json['type'] === 'null' && Object.keys(json).length === 1;
}
