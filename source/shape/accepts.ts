import { isDeepStrictEqual } from 'node:util';
import type { Bound, ListShape, NumberShape, ObjectShape, Shape, StringShape } from './shape.ts';

/**
 * Whether a JSON value fits a shape. Formats and media types are not checked, as JSON Schema has it; of restrictions
 * that the model cannot say (`unclear`) nothing is known, so they let everything pass.
 */
export function accepts(shape: Shape, value: unknown, steps = 0): boolean {
  // A schema that only refers to itself refuses nothing.
  if (steps > MAX_STEPS) return true;
  const also = (part: Shape): boolean => accepts(part, value, steps + 1);
  switch (shape.kind) {
    case 'any':
      return true;
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string' && fitsString(shape, value);
    case 'number':
      return typeof value === 'number' && fitsNumber(shape, value);
    case 'literal':
      return shape.values.some((literal) => isSameJson(literal, value));
    case 'list':
      return Array.isArray(value) && fitsItems(shape, value);
    case 'object':
      return isObject(value) && fitsObject(shape, value);
    case 'union':
      return shape.isExclusive ? shape.variants.filter(also).length === 1 : shape.variants.some(also);
    case 'intersection':
      return shape.parts.every(also);
    case 'reference':
      return also(shape.target());
    case 'unclear':
      return also(shape.base);
  }
}

const MAX_STEPS = 100;

export function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || isDeepStrictEqual(one, other);
}

function isBetween(count: number, min = 0, max = Number.POSITIVE_INFINITY): boolean {
  return count >= min && count <= max;
}

function fitsString({ minLength, maxLength, patterns }: StringShape, text: string): boolean {
  return (
    isBetween([...text].length, minLength, maxLength) &&
    patterns.every((pattern) => toRegExp(pattern)?.test(text) ?? true)
  );
}

function fitsNumber({ isInteger, min, max, multiples }: NumberShape, value: number): boolean {
  const isAbove = ({ value: bound, isExclusive }: Bound): boolean => value > bound || (!isExclusive && value === bound);
  const isBelow = ({ value: bound, isExclusive }: Bound): boolean => value < bound || (!isExclusive && value === bound);
  return (
    (!isInteger || Number.isInteger(value)) &&
    (min === undefined || isAbove(min)) &&
    (max === undefined || isBelow(max)) &&
    multiples.every((multiple) => Number.isInteger(value / multiple))
  );
}

function fitsItems({ first, rest, minItems, maxItems, isUnique }: ListShape, values: readonly unknown[]): boolean {
  const isRepeated = (value: unknown, at: number): boolean =>
    values.slice(0, at).some((before) => isSameJson(before, value));
  return (
    isBetween(values.length, minItems, maxItems) &&
    values.every((value, index) => accepts((first[index] ?? rest)(), value)) &&
    !(isUnique && values.some(isRepeated))
  );
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fitsObject({ fields, rest, names, minFields, maxFields }: ObjectShape, value: JsonObject): boolean {
  const find = (wanted: string) => fields.find(({ name }) => name === wanted)?.shape ?? rest;
  return (
    isBetween(Object.keys(value).length, minFields, maxFields) &&
    fields.every(({ name, isRequired }) => !isRequired || Object.hasOwn(value, name)) &&
    Object.entries(value).every(
      ([name, field]) =>
        (names === undefined || accepts(names(), name)) && accepts(find(name)?.() ?? { kind: 'any' }, field),
    )
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
