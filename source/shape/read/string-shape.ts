import type { Bound, FileShape, NumberShape, StringShape } from '../shape.ts';
import { isSchemaObject, type SchemaJson, toNumber, toTexts } from './schema-json.ts';

/** Of a file: its rules that JSON Schema has no word for, `{"maxSize": 1000, "accept": ["image/png"]}`. */
export const FILE_KEYWORD = 'x-file';

/** Whether a text stands for the bytes of a file. */
export function isFile({ format, pattern }: SchemaJson): boolean {
  return format === 'binary' && pattern === undefined;
}

export function toFileShape({ minLength, maxLength, contentMediaType, anyOf, ...json }: SchemaJson): FileShape {
  const { maxSize, accept = [] } = isSchemaObject(json[FILE_KEYWORD]) ? json[FILE_KEYWORD] : {};
  const branches = Array.isArray(anyOf) ? anyOf.filter(isSchemaObject) : [];
  return {
    kind: 'file',
    minSize: toNumber(minLength),
    maxSize: toNumber(maxLength) ?? toNumber(maxSize),
    mediaTypes: toTexts([contentMediaType, ...branches.map((branch) => branch['contentMediaType']), accept].flat()),
  };
}

export function toStringShape(json: SchemaJson, admitsOthers: boolean): StringShape {
  return {
    kind: 'string',
    admitsOthers,
    minLength: toNumber(json['minLength']),
    maxLength: toNumber(json['maxLength']),
    patterns: toTexts(json['pattern']),
    formats: toTexts(json['format']),
    encoding: toTexts(json['contentEncoding'])[0],
    mediaType: toTexts(json['contentMediaType'])[0],
  };
}

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
