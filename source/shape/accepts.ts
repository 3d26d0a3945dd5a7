import { isDeepStrictEqual } from 'node:util';
import type {
  ArrayShape,
  Bound,
  NumberShape,
  ObjectShape,
  RecordShape,
  Shape,
  StringShape,
  TupleShape,
} from './shape.ts';
import { toRegExp } from './to-reg-exp.ts';

/**
 * Whether a JSON value fits a shape. Formats and media types are not checked, as JSON Schema has it; of restrictions that the model cannot say
 * (`other`) nothing is known, so they let everything pass.
 */
export function accepts(shape: Shape, value: unknown, steps = 0): boolean {
  // A schema that only refers to itself refuses nothing.
  if (steps > MAX_STEPS) return true;
  const also = (part: Shape): boolean => accepts(part, value, steps + 1);
  switch (shape.kind) {
    case 'any':
    case 'foreign':
      return true;
    case 'never':
      return false;
    case 'null':
      return value === null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string' ? fitsString(shape, value) : shape.admitsOthers;
    case 'number':
      return typeof value === 'number' ? fitsNumber(shape, value) : shape.admitsOthers;
    case 'file':
      return typeof value === 'string' && isBetween([...value].length, shape.minSize, shape.maxSize);
    case 'literal':
      return shape.values.some((literal) => isSameJson(literal, value));
    case 'array':
    case 'tuple':
      return Array.isArray(value) ? fitsItems(shape, value) : shape.admitsOthers;
    case 'object':
      return isObject(value) ? fitsObject(shape, value) : shape.admitsOthers;
    case 'record':
      return isObject(value) ? fitsRecord(shape, value) : shape.admitsOthers;
    case 'union':
      return shape.isExclusive ? shape.variants.filter(also).length === 1 : shape.variants.some(also);
    case 'tagged union':
      return shape.variants.some((variant) => also(variant.shape));
    case 'intersection':
      return shape.parts.every(also);
    case 'reference':
      return also(shape.target());
    case 'other':
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

function fitsItems(shape: ArrayShape | TupleShape, values: readonly unknown[]): boolean {
  const [first, rest] = shape.kind === 'tuple' ? [shape.items, shape.rest] : [[], shape.items];
  return (
    isBetween(values.length, shape.minItems, shape.maxItems) &&
    values.every((value, index) => accepts((first[index] ?? rest)(), value)) &&
    !(
      shape.isUnique &&
      values.some((value, index) => values.slice(0, index).some((before) => isSameJson(before, value)))
    )
  );
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fitsObject(shape: ObjectShape, value: JsonObject): boolean {
  const { fields, minFields, maxFields, names } = shape;
  return (
    isBetween(Object.keys(value).length, minFields, maxFields) &&
    fields.every(({ name, isRequired }) => !isRequired || Object.hasOwn(value, name)) &&
    Object.entries(value).every(
      ([name, field]) =>
        (names === undefined || accepts(names(), name)) &&
        findFieldShapes(shape, name).every((each) => accepts(each(), field)),
    )
  );
}

/** The shapes that a field of this name must fit: its own, those of names like it, else that of all others. */
export function findFieldShapes({ fields, patterns, additional }: ObjectShape, name: string) {
  const said = [
    ...fields.filter((field) => field.name === name),
    ...patterns.filter(({ pattern }) => toRegExp(pattern)?.test(name)),
  ].map(({ shape }) => shape);
  return said.length > 0 || additional === undefined ? said : [additional];
}

function fitsRecord({ keys, values, isExhaustive, minFields, maxFields }: RecordShape, value: JsonObject): boolean {
  const key = keys();
  return (
    isBetween(Object.keys(value).length, minFields, maxFields) &&
    (!isExhaustive || key.kind !== 'literal' || key.values.every((name) => Object.hasOwn(value, String(name)))) &&
    Object.entries(value).every(([name, field]) => accepts(key, name) && accepts(values(), field))
  );
}
