import { isDeepStrictEqual } from 'node:util';
import { attempt } from '../values/attempt.ts';
import { onceFor } from '../values/once.ts';
import type {
  ApiSchema,
  Bound,
  Branch,
  ListBranch,
  NumberBranch,
  ObjectBranch,
  TextBranch,
} from './branch.ts';
import { isSchemaObject, toSortedText } from './schema-json.ts';

/** Whether a part fits its schema. */
type Accepts = (schema: ApiSchema, value: unknown) => boolean;

/**
 * Whether a JSON value fits a branch, as far as its own properties say. Formats, checks and other restrictions let
 * every value pass.
 */
export function fitsBranch(branch: Branch, value: unknown, accepts: Accepts): boolean {
  if (branch.values !== undefined) return hasValue(branch.values, value);
  switch (branch.type) {
    case 'any':
      return true;
    case 'null':
    case 'boolean':
      return toTypeOf(value) === branch.type;
    case 'string':
      return fitsText(branch, value);
    case 'number':
    case 'integer':
      return fitsNumber(branch, value);
    case 'array':
      return fitsList(branch, value, accepts);
    case 'object':
      return fitsObject(branch, value, accepts);
  }
}

function isWithin(count: number, least = 0, most = Number.POSITIVE_INFINITY): boolean {
  return count >= least && count <= most;
}

function fitsText({ counts, patterns }: TextBranch, value: unknown): boolean {
  return (
    typeof value === 'string' &&
    isWithin([...value].length, counts.minLength, counts.maxLength) &&
    patterns.every((pattern) => toRegExp(pattern)?.test(value) ?? true)
  );
}

function fitsNumber({ type, min, max, multiples }: NumberBranch, value: unknown): boolean {
  return (
    typeof value === 'number' &&
    (type === 'number' || Number.isInteger(value)) &&
    isBeyond(value, min, 1) &&
    isBeyond(value, max, -1) &&
    multiples.every((multiple) => isMultiple(value, multiple))
  );
}

/** `sign`: -1 of an upper bound. */
function isBeyond(value: number, bound: Bound | undefined, sign: 1 | -1): boolean {
  if (bound === undefined) return true;
  const distance = (value - bound.value) * sign;
  return bound.isExclusive ? distance > 0 : distance >= 0;
}

/** 0.3 is a multiple of 0.1, whatever binary fractions make of it. */
export function isMultiple(value: number, of: number): boolean {
  return Math.abs(value / of - Math.round(value / of)) < 1e-9;
}

function fitsList(
  { counts, first, rest, isUnique }: ListBranch,
  value: unknown,
  accepts: Accepts,
): boolean {
  if (!Array.isArray(value)) return false;
  const items: readonly unknown[] = value;
  const fitsItem = (item: unknown, at: number): boolean => {
    const schema = first[at] ?? rest;
    return schema === undefined || accepts(schema, item);
  };
  return (
    isWithin(items.length, counts.minItems, counts.maxItems) &&
    items.every(fitsItem) &&
    !(isUnique && toDifferent(items).length < items.length)
  );
}

function fitsObject(
  { counts, fields, required, rest, names }: ObjectBranch,
  value: unknown,
  accepts: Accepts,
): boolean {
  if (!isSchemaObject(value)) return false;
  const fitsField = ([name, part]: readonly [string, unknown]): boolean => {
    const schema = fields.get(name) ?? rest;
    return (
      (names === undefined || accepts(names, name)) &&
      (schema === undefined || accepts(schema, part))
    );
  };
  return (
    isWithin(Object.keys(value).length, counts.minProperties, counts.maxProperties) &&
    [...required].every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(fitsField)
  );
}

export function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || isDeepStrictEqual(one, other);
}

/** The same text for the same JSON value, whatever the order of its fields. */
function toValueKey(value: unknown): string {
  return typeof value === 'string' ? `"${value}` : toSortedText(value);
}

/** The keys of lists of values, which may be long: those of fonts have thousands. */
const toKeys = onceFor((values: readonly unknown[]) => new Set(values.map(toValueKey)));

/** Whether a list has a value. Each list is read once. */
export function hasValue(values: readonly unknown[], value: unknown): boolean {
  return toKeys(values).has(toValueKey(value));
}

/** The values of a list, each once. */
export function toDifferent(values: readonly unknown[]): readonly unknown[] {
  return [...new Map(values.map((value) => [toValueKey(value), value])).values()];
}

/** The types of values of JSON. */
type ValueType = Exclude<Branch['type'], 'any' | 'integer'>;

/** The name of a value's type in JSON Schema. */
export function toTypeOf(value: unknown): ValueType {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as ValueType);
}

/** A pattern as JSON Schema understands it; undefined where JavaScript does not. */
export function toRegExp(pattern: string): RegExp | undefined {
  // Patterns that people write are often valid only without `u`.
  return attempt(() => new RegExp(pattern, 'u')) ?? attempt(() => new RegExp(pattern));
}
