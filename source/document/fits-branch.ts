import { isDeepStrictEqual } from 'node:util';
import type { ApiSchema, Branch } from './branch.ts';
import { isSchemaObject } from './schema-json.ts';
import { toSortedText } from './sorted-json.ts';

/**
 * Whether a JSON value fits what a branch says with words of its own: formats, checks and other restrictions let
 * everything pass. `accepts` says the same of a part and its schema.
 */
export function fitsBranch(
  {
    type,
    values,
    counts,
    min,
    max,
    multiples,
    patterns,
    isUnique,
    first,
    rest,
    fields,
    required,
    names,
  }: Branch,
  value: unknown,
  accepts: (schema: ApiSchema, value: unknown) => boolean,
): boolean {
  const isBetween = (count: number, what: 'Length' | 'Items' | 'Properties'): boolean =>
    count >= (counts[`min${what}`] ?? 0) &&
    count <= (counts[`max${what}`] ?? Number.POSITIVE_INFINITY);
  const fitsPart = (schema: ApiSchema | undefined, part: unknown): boolean =>
    schema === undefined || accepts(schema, part);
  if (values !== undefined) return hasValue(values, value);
  if (type === 'any') return true;
  if (type !== toTypeOf(value) && !(type === 'integer' && Number.isInteger(value))) return false;
  if (typeof value === 'string')
    return (
      isBetween([...value].length, 'Length') &&
      patterns.every((pattern) => toRegExp(pattern)?.test(value) ?? true)
    );
  if (typeof value === 'number')
    return (
      (min === undefined || (min.isExclusive ? value > min.value : value >= min.value)) &&
      (max === undefined || (max.isExclusive ? value < max.value : value <= max.value)) &&
      multiples.every((multiple) => Number.isInteger(value / multiple))
    );
  if (Array.isArray(value)) {
    const isRepeated = (item: unknown, at: number): boolean =>
      value.slice(0, at).some((before) => isSameJson(before, item));
    return (
      isBetween(value.length, 'Items') &&
      value.every((item, at) => fitsPart(first[at] ?? rest, item)) &&
      !(isUnique && value.some(isRepeated))
    );
  }
  return (
    !isSchemaObject(value) ||
    (isBetween(Object.keys(value).length, 'Properties') &&
      [...required].every((name) => Object.hasOwn(value, name)) &&
      Object.entries(value).every(
        ([name, part]) => fitsPart(names, name) && fitsPart(fields.get(name) ?? rest, part),
      ))
  );
}

export function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || isDeepStrictEqual(one, other);
}

/** The same text for the same JSON value, whatever the order of its fields. */
export function toValueKey(value: unknown): string {
  return typeof value === 'string' ? `"${value}` : toSortedText(value);
}

/** The keys of lists of values, which may be long: those of fonts have thousands. */
const valueKeys = new WeakMap<readonly unknown[], ReadonlySet<string>>();

/** Whether a list has a value. Each list is read once. */
export function hasValue(values: readonly unknown[], value: unknown): boolean {
  const keys = valueKeys.get(values) ?? new Set(values.map(toValueKey));
  valueKeys.set(values, keys);
  return keys.has(toValueKey(value));
}

/** The values of a list, each once. */
export function toDifferent(values: readonly unknown[]): readonly unknown[] {
  return [...new Map(values.map((value) => [toValueKey(value), value])).values()];
}

/** The name of a value's type in JSON Schema. */
export function toTypeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
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
