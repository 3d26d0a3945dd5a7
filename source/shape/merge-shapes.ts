import { accepts, isSameJson } from './accepts.ts';
import {
  type Bound,
  hasNotes,
  isNothing,
  isNull,
  type LazyShape,
  type ListShape,
  type LiteralShape,
  type NumberShape,
  type ObjectShape,
  once,
  pickNotes,
  type Shape,
  type StringShape,
} from './shape.ts';

/**
 * A shape of what both admit, with the notes of both, the first ones before the others: one shape where there is one,
 * else an intersection. References are not followed, so that they keep their names.
 */
export function mergeShapes(first: Shape, second: Shape): Shape {
  const merged = merge(first, second);
  if (merged.kind === 'intersection' || merged === first || merged === second) return merged;
  const checks = [...(first.checks ?? []), ...(second.checks ?? [])];
  const whole = { ...merged, ...pickNotes(second), ...pickNotes(first) };
  return checks.length === 0 ? whole : { ...whole, checks };
}

function merge(a: Shape, b: Shape): Shape {
  if (a.kind === 'any' || isNothing(b)) return b;
  if (b.kind === 'any' || isNothing(a)) return a;
  if (a.kind === 'unclear') return { ...a, base: mergeShapes(a.base, b) };
  if (b.kind === 'unclear') return { ...b, base: mergeShapes(a, b.base) };
  if (a.kind === 'intersection') return addPart(a.parts, b);
  if (b.kind === 'intersection') return b.parts.reduce(mergeShapes, a);
  if (a.kind === 'reference' && b.kind === 'reference' && a.reference === b.reference) return a;
  if (a.kind === 'reference' || b.kind === 'reference' || (a.kind === 'union' && b.kind === 'union'))
    return { kind: 'intersection', parts: [a, b] };
  if (a.kind === 'union')
    return toUnion(
      a.variants.map((variant) => mergeShapes(variant, b)),
      a.isExclusive,
    );
  if (b.kind === 'union')
    return toUnion(
      b.variants.map((variant) => mergeShapes(a, variant)),
      b.isExclusive,
    );
  if (a.kind === 'literal') return filterValues(a.values, b);
  if (b.kind === 'literal') return filterValues(b.values, a);
  // No value is of two types.
  if (a.kind === 'list' && b.kind === 'list') return mergeLists(a, b);
  if (a.kind === 'object' && b.kind === 'object') return mergeObjects(a, b);
  if (a.kind === 'number' && b.kind === 'number') return mergeNumbers(a, b);
  if (a.kind === 'string' && b.kind === 'string') return mergeStrings(a, b);
  return a.kind === b.kind ? a : nothing;
}

const nothing: Shape = { kind: 'union', variants: [], isExclusive: false };

/** Into the first part that it makes one shape with. */
function addPart(parts: readonly Shape[], shape: Shape): Shape {
  for (const [index, part] of parts.entries()) {
    const merged = mergeShapes(part, shape);
    if (isNothing(merged)) return merged;
    if (merged.kind !== 'intersection') return { kind: 'intersection', parts: parts.with(index, merged) };
  }
  return { kind: 'intersection', parts: [...parts, shape] };
}

function filterValues(values: readonly unknown[], shape: Shape): Shape {
  const fitting = values.filter((value) => accepts(shape, value));
  return fitting.length === 0 ? nothing : { kind: 'literal', values: fitting };
}

function mergeStrings(a: StringShape, b: StringShape): StringShape {
  const mediaTypes = joinLists(a.mediaTypes ?? [], b.mediaTypes ?? []);
  return {
    kind: 'string',
    minLength: toGreatest(a.minLength, b.minLength),
    maxLength: toLeast(a.maxLength, b.maxLength),
    patterns: joinLists(a.patterns, b.patterns),
    formats: joinLists(a.formats, b.formats),
    standsFor: a.standsFor ?? b.standsFor,
    encoding: a.encoding ?? b.encoding,
    mediaTypes: mediaTypes.length === 0 ? undefined : mediaTypes,
  };
}

function mergeNumbers(a: NumberShape, b: NumberShape): NumberShape {
  return {
    kind: 'number',
    isInteger: a.isInteger || b.isInteger,
    min: toTighter(a.min, b.min, (one, other) => one > other),
    max: toTighter(a.max, b.max, (one, other) => one < other),
    multiples: joinLists(a.multiples, b.multiples),
    formats: joinLists(a.formats, b.formats),
  };
}

function toTighter(
  a: Bound | undefined,
  b: Bound | undefined,
  isTighter: (one: number, other: number) => boolean,
): Bound | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.value === b.value) return a.isExclusive ? a : b;
  return isTighter(a.value, b.value) ? a : b;
}

/** Position by position. */
function mergeLists(a: ListShape, b: ListShape): ListShape {
  const itemAt = ({ first, rest }: ListShape, index: number): Shape => (first[index] ?? rest)();
  return {
    kind: 'list',
    first: Array.from({ length: Math.max(a.first.length, b.first.length) }, (_, index) =>
      once(() => mergeShapes(itemAt(a, index), itemAt(b, index))),
    ),
    rest: once(() => mergeShapes(a.rest(), b.rest())),
    minItems: toGreatest(a.minItems, b.minItems),
    maxItems: toLeast(a.maxItems, b.maxItems),
    isUnique: a.isUnique || b.isUnique,
  };
}

/** An object with the fields of both: one that only the other names is one of all others. */
function mergeObjects(a: ObjectShape, b: ObjectShape): ObjectShape {
  const merge = (one: LazyShape | undefined, other: LazyShape | undefined): LazyShape | undefined =>
    one === undefined || other === undefined ? (one ?? other) : once(() => mergeShapes(one(), other()));
  const find = ({ fields, rest }: ObjectShape, wanted: string): LazyShape | undefined =>
    fields.find(({ name }) => name === wanted)?.shape ?? rest;
  const names = [...new Set([...a.fields, ...b.fields].map(({ name }) => name))];
  return {
    kind: 'object',
    fields: names.map((name) => ({
      name,
      isRequired: [...a.fields, ...b.fields].some((field) => field.name === name && field.isRequired),
      shape: merge(find(a, name), find(b, name)) ?? (() => ({ kind: 'any' })),
    })),
    rest: merge(a.rest, b.rest),
    names: merge(a.names, b.names),
    minFields: toGreatest(a.minFields, b.minFields),
    maxFields: toLeast(a.maxFields, b.maxFields),
  };
}

function joinLists<Item>(a: readonly Item[], b: readonly Item[]): readonly Item[] {
  return [...new Set([...a, ...b])];
}

function toGreatest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function toLeast(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

/** Any of several shapes, in as few words as say the same. */
export function toUnion(shapes: readonly Shape[], isExclusive = false): Shape {
  const variants = shapes
    .filter((shape) => !isNothing(shape))
    .flatMap((shape) =>
      shape.kind === 'union' && !shape.isExclusive && !isExclusive && !hasNotes(shape) ? shape.variants : [shape],
    );
  const joined = joinLiterals(variants, isExclusive) ?? variants;
  const [only, ...others] = joined.filter(
    (shape, index) => isExclusive || !isNull(shape) || joined.findIndex(isNull) === index,
  );
  if (only === undefined) return nothing;
  return others.length === 0 ? only : { kind: 'union', variants: [only, ...others], isExclusive };
}

/** Literals alone are one list of them. */
function joinLiterals(variants: readonly Shape[], isExclusive: boolean): readonly Shape[] | undefined {
  const isJoined = (shape: Shape): shape is LiteralShape =>
    shape.kind === 'literal' && !isNull(shape) && !hasNotes(shape);
  const literals = variants.filter(isJoined);
  const others = variants.filter(isNull);
  if (literals.length < 2 || literals.length + others.length < variants.length) return undefined;
  const values = literals.flatMap((shape) => shape.values);
  const different = values.filter((value, index) => values.findIndex((each) => isSameJson(each, value)) === index);
  if (isExclusive && different.length < values.length) return undefined;
  return [{ kind: 'literal', values: different }, ...others];
}
