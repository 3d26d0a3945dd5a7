import { once } from '../once.ts';
import type { ArrayShape, Shape, TupleShape } from '../shape.ts';
import { type SchemaJson, toNumber } from './schema-json.ts';

/** Reads the keywords for arrays. */
export function toArrayShape(
  json: SchemaJson,
  { read, admitsOthers }: { readonly read: (json: unknown) => Shape; readonly admitsOthers: boolean },
): ArrayShape | TupleShape {
  const { items, prefixItems, additionalItems, minItems, maxItems, uniqueItems } = json;
  const limits = {
    admitsOthers,
    minItems: toNumber(minItems),
    maxItems: toNumber(maxItems),
    isUnique: uniqueItems === true,
  };
  // Before draft 2020-12 a tuple was a list of `items`.
  const [first, others] = Array.isArray(items) ? [items, additionalItems] : [prefixItems, items];
  const rest = once(() => read(others));
  return Array.isArray(first) && first.length > 0
    ? { kind: 'tuple', ...limits, items: first.map((item: unknown) => once(() => read(item))), rest }
    : { kind: 'array', ...limits, items: rest };
}
