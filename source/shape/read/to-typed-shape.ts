import { accepts } from '../accepts.ts';
import { mergeShapes, toUnion } from '../merge-shapes.ts';
import {
  type Bound,
  type ListShape,
  type NumberShape,
  type ObjectShape,
  once,
  type Shape,
  type StringShape,
} from '../shape.ts';
import { isSchemaObject, type SchemaJson, toNumber, toTexts } from './schema-json.ts';

type ReadSchema = (json: unknown) => Shape;

/** Reads `type`, `enum`, `const` and the limits beside them. */
export function toTypedShape(json: SchemaJson, read: ReadSchema): Shape {
  const typed = toShapeOfTypes(json, read);
  const { enum: values } = json;
  const parts = [
    ...(Array.isArray(values) ? [toLiteral(values)] : []),
    ...('const' in json ? [toLiteral([json['const']])] : []),
  ];
  return parts.reduce(mergeShapes, typed);
}

function toLiteral(values: readonly unknown[]): Shape {
  const isSame = (one: unknown, other: unknown): boolean => accepts({ kind: 'literal', values: [one] }, other);
  const different = values.filter((value, index) => !values.slice(0, index).some((before) => isSame(before, value)));
  const literals = different.filter((value) => value !== null);
  return toUnion([
    ...(literals.length === 0 ? [] : [{ kind: 'literal', values: literals } as const]),
    ...(literals.length === different.length ? [] : [{ kind: 'literal', values: [null] } as const]),
  ]);
}

function toShapeOfTypes(json: SchemaJson, read: ReadSchema): Shape {
  const { type, nullable } = json;
  if (type === undefined) return toLooseShape(json, read);
  if (typeof type === 'string' && nullable !== true) return toShapeOfType(json, type, read);
  // OpenAPI 3.0 adds `null` to a type.
  const types: readonly unknown[] = [...(Array.isArray(type) ? type : [type]), ...(nullable === true ? ['null'] : [])];
  // Every integer is a number.
  const different = new Set(types.filter((one) => one !== 'integer' || !types.includes('number')));
  return toUnion([...different].map((one) => toShapeOfType(json, one, read)));
}

/** Limits of one type mean that type, although without its name they say nothing of values of others. */
function toLooseShape(json: SchemaJson, read: ReadSchema): Shape {
  const found = limits.filter(([, ...keywords]) => keywords.some((keyword) => json[keyword] !== undefined));
  const [only, ...others] = found;
  if (only === undefined) return { kind: 'any', type: toTexts(json['x-capix-kind'])[0] };
  if (others.length === 0) return toShapeOfType(json, only[0], read);
  const keywords = Object.entries(json).filter(([keyword]) => found.some((each) => each.includes(keyword)));
  return { kind: 'unclear', base: { kind: 'any' }, keywords: Object.fromEntries(keywords) };
}

const limits: readonly (readonly [type: string, ...keywords: string[]])[] = [
  ['object', 'properties', 'required', 'additionalProperties', 'propertyNames', 'minProperties', 'maxProperties'],
  ['array', 'items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
  ['string', 'minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
  ['number', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
];

function toShapeOfType(json: SchemaJson, type: unknown, read: ReadSchema): Shape {
  switch (type) {
    case 'string':
      return toStringShape(json);
    case 'number':
    case 'integer':
      return toNumberShape(json, type === 'integer');
    case 'array':
      return toListShape(json, read);
    case 'object':
      return toObjectShape(json, read);
    case 'boolean':
      return { kind: 'boolean' };
    case 'null':
      return { kind: 'literal', values: [null] };
    default:
      return { kind: 'unclear', base: { kind: 'any' }, keywords: { type } };
  }
}

function toStringShape(json: SchemaJson): StringShape {
  const kind = json['x-capix-kind'];
  const rules = json['x-capix-file'];
  const { maxSize, accept = [] } = isSchemaObject(rules) ? rules : {};
  const branches = Array.isArray(json['anyOf']) ? json['anyOf'].filter(isSchemaObject) : [];
  const types = [json['contentMediaType'], ...branches.map((branch) => branch['contentMediaType']), accept].flat();
  const mediaTypes = toTexts(types);
  return {
    kind: 'string',
    minLength: toNumber(json['minLength']),
    maxLength: toNumber(json['maxLength']) ?? toNumber(maxSize),
    patterns: toTexts(json['pattern']),
    formats: toTexts(json['format']),
    standsFor: kind === 'date' || kind === 'bigint' ? kind : undefined,
    encoding: toTexts(json['contentEncoding'])[0],
    mediaTypes: mediaTypes.length === 0 ? undefined : mediaTypes,
  };
}

function toNumberShape(json: SchemaJson, isInteger: boolean): NumberShape {
  const multiple = toNumber(json['multipleOf']);
  return {
    kind: 'number',
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

function toListShape(json: SchemaJson, read: ReadSchema): ListShape {
  const { items, prefixItems, additionalItems, minItems, maxItems, uniqueItems } = json;
  // Before draft 2020-12 a tuple was a list of `items`.
  const [first, others] = Array.isArray(items) ? [items, additionalItems] : [prefixItems, items];
  return {
    kind: 'list',
    first: (Array.isArray(first) ? first : []).map((item: unknown) => once(() => read(item))),
    rest: once(() => read(others)),
    minItems: toNumber(minItems),
    maxItems: toNumber(maxItems),
    isUnique: uniqueItems === true,
  };
}

function toObjectShape(json: SchemaJson, read: ReadSchema): ObjectShape {
  const { properties, patternProperties, additionalProperties, propertyNames } = json;
  const names = propertyNames === undefined ? undefined : once(() => read(propertyNames));
  const required = new Set(toTexts(json['required']));
  const isUniform = names !== undefined || isSchemaObject(additionalProperties);
  const isRecord =
    isUniform &&
    properties === undefined &&
    patternProperties === undefined &&
    (required.size === 0 || isEachKey(required, names?.()));
  // Fields whose names match a pattern are none of the others, and of them nothing is said.
  const isSilent = patternProperties !== undefined || (additionalProperties === undefined && !takesAnyFields(json));
  const rest = isSilent && !isRecord ? undefined : once(() => read(additionalProperties));
  const fields = Object.entries(isSchemaObject(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    isRequired: required.delete(name),
    shape: once(() => read(schema)),
  }));
  const unnamed = [...required].map((name) => ({ name, isRequired: true, shape: rest ?? (() => read(true)) }));
  return {
    kind: 'object',
    fields: [...fields, ...unnamed],
    rest,
    names,
    ...(isRecord ? { isRecord } : {}),
    minFields: toNumber(json['minProperties']),
    maxFields: toNumber(json['maxProperties']),
  };
}

/** Whether nothing but `type` is said of an object: it is not one without fields. */
function takesAnyFields(json: SchemaJson): boolean {
  return ['properties', 'required', '$ref', 'allOf', 'anyOf', 'oneOf'].every((keyword) => json[keyword] === undefined);
}

function isEachKey(required: ReadonlySet<string>, keys: Shape | undefined): boolean {
  return (
    keys?.kind === 'literal' &&
    keys.values.length === required.size &&
    keys.values.every((key) => typeof key === 'string' && required.has(key))
  );
}
