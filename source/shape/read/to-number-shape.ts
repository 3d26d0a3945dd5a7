import type { Bound, NumberShape } from '../shape.ts';
import { type SchemaJson, toNumber, toTexts } from './schema-json.ts';

export function toNumberShape(
  json: SchemaJson,
  { isInteger, admitsOthers }: Pick<NumberShape, 'isInteger' | 'admitsOthers'>,
): NumberShape {
  const multiple = toNumber(json['multipleOf']);
  return {
    kind: 'number',
    admitsOthers,
    isInteger,
    min: toBound(json['minimum'], json['exclusiveMinimum'], Math.max),
    max: toBound(json['maximum'], json['exclusiveMaximum'], Math.min),
    multiples: multiple === undefined ? [] : [multiple],
    formats: toTexts(json['format']),
  };
}

/** The tighter of two; in OpenAPI 3.0 the exclusive one is `true`, and says of which kind the other one is. */
function toBound(
  inclusive: unknown,
  exclusive: unknown,
  toTighter: (...values: number[]) => number,
): Bound | undefined {
  const value = toNumber(inclusive);
  const limit = toNumber(exclusive);
  if (limit === undefined) return value === undefined ? undefined : { value, isExclusive: exclusive === true };
  const tighter = toTighter(limit, value ?? limit);
  return { value: tighter, isExclusive: tighter === limit };
}
