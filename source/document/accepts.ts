import { isDeepStrictEqual } from 'node:util';
import type { ApiSchema } from './branch.ts';
import { findTarget, isSchemaObject, listOf, recordOf, type SchemaJson, toNumber, toTexts } from './schema-json.ts';

/**
 * Whether a JSON value fits a schema. Formats and media types are not checked, as JSON Schema has it, and neither are
 * conditions (`if`, `contains`, `dependentRequired`): they let everything pass.
 */
export function accepts({ json, root }: ApiSchema, value: unknown, steps = 0): boolean {
  // A schema that only refers to itself refuses nothing.
  if (!isSchemaObject(json) || steps > MAX_STEPS) return json !== false;
  const { $ref: reference, allOf, anyOf, oneOf, not, nullable, enum: values } = json;
  if (value === null && nullable === true && json['type'] === undefined) return true;
  const fits = (part: unknown): boolean => accepts({ json: part, root }, value, steps + 1);
  return (
    (typeof reference !== 'string' || fits(findTarget(reference, root) ?? {})) &&
    fitsType(json, value) &&
    (!('const' in json) || isSameJson(json['const'], value)) &&
    (!Array.isArray(values) || values.some((each) => isSameJson(each, value))) &&
    listOf(allOf).every(fits) &&
    (!Array.isArray(anyOf) || anyOf.some(fits)) &&
    (!Array.isArray(oneOf) || oneOf.filter(fits).length === 1) &&
    (not === undefined || !fits(not)) &&
    fitsLimits({ json, root }, value)
  );
}

const MAX_STEPS = 100;

export function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || isDeepStrictEqual(one, other);
}

function fitsType(json: SchemaJson, value: unknown): boolean {
  const types = toTypes(json);
  return types === undefined || types.some((type) => type === toTypeOf(value) || isWhole(type, value));
}

function isWhole(type: unknown, value: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : !['string', 'number', ...others].includes(String(type));
}

const others = ['null', 'boolean', 'array', 'object'];

/** The name of a value's type in JSON Schema. */
export function toTypeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function fitsLimits({ json, root }: { readonly json: SchemaJson; readonly root: unknown }, value: unknown): boolean {
  const inside = (part: unknown, inner: unknown): boolean => accepts({ json: part ?? true, root }, inner);
  if (typeof value === 'string') return fitsText(json, value);
  if (typeof value === 'number') return fitsNumber(json, value);
  if (Array.isArray(value)) return fitsItems(json, value, inside);
  return !isSchemaObject(value) || fitsFields(json, value, inside);
}

function isBetween(count: number, least: unknown, most: unknown): boolean {
  return count >= (toNumber(least) ?? 0) && count <= (toNumber(most) ?? Number.POSITIVE_INFINITY);
}

function fitsText({ minLength, maxLength, pattern }: SchemaJson, text: string): boolean {
  return (
    isBetween([...text].length, minLength, maxLength) &&
    toTexts(pattern).every((each) => toRegExp(each)?.test(text) ?? true)
  );
}

/** In OpenAPI 3.0 an exclusive bound is `true`, and says of which kind the other one is. */
function fitsNumber(json: SchemaJson, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = json;
  const [least, most] = [toNumber(minimum), toNumber(maximum)];
  const [above, below] = [toNumber(exclusiveMinimum), toNumber(exclusiveMaximum)];
  const multiple = toNumber(multipleOf);
  return (
    (least === undefined || (exclusiveMinimum === true ? value > least : value >= least)) &&
    (most === undefined || (exclusiveMaximum === true ? value < most : value <= most)) &&
    (above === undefined || value > above) &&
    (below === undefined || value < below) &&
    (multiple === undefined || Number.isInteger(value / multiple))
  );
}

type Inside = (part: unknown, value: unknown) => boolean;

function fitsItems(json: SchemaJson, values: readonly unknown[], inside: Inside): boolean {
  const { first, rest } = toItems(json);
  const isRepeated = (value: unknown, at: number): boolean =>
    values.slice(0, at).some((before) => isSameJson(before, value));
  return (
    isBetween(values.length, json['minItems'], json['maxItems']) &&
    values.every((value, index) => inside(index < first.length ? first[index] : rest, value)) &&
    !(json['uniqueItems'] === true && values.some(isRepeated))
  );
}

/** The schemas of the first items, and of all others. Before draft 2020-12 a tuple was a list of `items`. */
export function toItems({ items, prefixItems, additionalItems }: SchemaJson): {
  readonly first: readonly unknown[];
  readonly rest: unknown;
} {
  return Array.isArray(items) ? { first: items, rest: additionalItems } : { first: listOf(prefixItems), rest: items };
}

function fitsFields(json: SchemaJson, value: SchemaJson, inside: Inside): boolean {
  const { properties, patternProperties, additionalProperties, propertyNames, required } = json;
  const own = recordOf(properties);
  const patterns = Object.entries(recordOf(patternProperties));
  return (
    isBetween(Object.keys(value).length, json['minProperties'], json['maxProperties']) &&
    toTexts(required).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, field]) => {
      const matching = patterns.filter(([pattern]) => toRegExp(pattern)?.test(name));
      const said = [...(Object.hasOwn(own, name) ? [own[name]] : []), ...matching.map(([, part]) => part)];
      return (
        inside(propertyNames, name) &&
        (said.length === 0 ? [additionalProperties] : said).every((part) => inside(part, field))
      );
    })
  );
}
/** A pattern as JSON Schema understands it; undefined where JavaScript does not. */
export function toRegExp(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Patterns that people write are often valid only without `u`.
    }
  }
  return undefined;
}

/** The types that a schema names; limits of one type mean that type. Undefined for any. */
export function toTypes(json: SchemaJson): readonly unknown[] | undefined {
  const { type, nullable } = json;
  const found = type === undefined ? findLimits(json).map(([name]) => name) : [];
  if (type === undefined) return found.length === 1 ? found : undefined;
  // OpenAPI 3.0 adds `null` to a type.
  const types: readonly unknown[] = [...(Array.isArray(type) ? type : [type]), ...(nullable === true ? ['null'] : [])];
  // Every integer is a number.
  return [...new Set(types.filter((one) => one !== 'integer' || !types.includes('number')))];
}

export function findLimits(json: SchemaJson): readonly (readonly string[])[] {
  return limits.filter(([, ...keywords]) => keywords.some((keyword) => json[keyword] !== undefined));
}

const limits: readonly (readonly [type: string, ...keywords: string[]])[] = [
  ['object', 'properties', 'required', 'additionalProperties', 'propertyNames', 'minProperties', 'maxProperties'],
  ['array', 'items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
  ['string', 'minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
  ['number', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
];
