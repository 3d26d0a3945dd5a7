import { accepts } from '../accepts.ts';
import { pickNotes, type Shape, type TaggedUnionShape, type UnionShape } from '../shape.ts';
import { mergeArrays } from './merge-arrays.ts';
import { mergeFiles } from './merge-files.ts';
import { mergeNumbers } from './merge-numbers.ts';
import { mergeObjects } from './merge-objects.ts';
import { mergeStrings } from './merge-strings.ts';
import { toPlainUnion } from './to-plain-union.ts';

/**
 * A shape of what both admit, with the notes of both, the first ones before the others: one shape where there is one, else an intersection.
 * References are not followed, so that they keep their names.
 */
export function mergeShapes(first: Shape, second: Shape): Shape {
  const merged = merge(first, second);
  if (merged.kind === 'intersection' || merged === first || merged === second) return merged;
  const checks = [...(first.checks ?? []), ...(second.checks ?? [])];
  const whole = { ...merged, ...pickNotes(second), ...pickNotes(first) };
  return checks.length === 0 ? whole : { ...whole, checks };
}

function merge(a: Shape, b: Shape): Shape {
  if (a.kind === 'any' || b.kind === 'never') return b;
  if (b.kind === 'any' || a.kind === 'never') return a;
  if (a.kind === 'other') return { ...a, base: mergeShapes(a.base, b) };
  if (b.kind === 'other') return { ...b, base: mergeShapes(a, b.base) };
  if (a.kind === 'intersection') return addPart(a.parts, b);
  if (b.kind === 'intersection') return b.parts.reduce(mergeShapes, a);
  if (a.kind === 'reference' && b.kind === 'reference' && a.reference === b.reference) return a;
  if (isUnion(a) && isUnion(b)) return keepApart(a, b);
  if (isNamed(a) || isNamed(b)) return keepApart(a, b);
  if (isUnion(a)) return mapVariants(a, (variant) => mergeShapes(variant, b));
  if (isUnion(b)) return mapVariants(b, (variant) => mergeShapes(a, variant));
  if (a.kind === 'literal') return filterValues(a.values, b);
  if (b.kind === 'literal') return filterValues(b.values, a);
  return mergeTyped(a, b);
}

/** One of which nothing is known without following it. */
function isNamed(shape: Shape): boolean {
  return shape.kind === 'reference' || shape.kind === 'foreign';
}

function isUnion(shape: Shape): shape is UnionShape | TaggedUnionShape {
  return shape.kind === 'union' || shape.kind === 'tagged union';
}

function keepApart(...parts: readonly Shape[]): Shape {
  return { kind: 'intersection', parts };
}

/** Into the first part that it makes one shape with. */
function addPart(parts: readonly Shape[], shape: Shape): Shape {
  for (const [index, part] of parts.entries()) {
    const merged = mergeShapes(part, shape);
    if (merged.kind === 'never') return merged;
    if (merged.kind !== 'intersection') return keepApart(...parts.with(index, merged));
  }
  return keepApart(...parts, shape);
}

function mapVariants(union: UnionShape | TaggedUnionShape, map: (variant: Shape) => Shape): Shape {
  if (union.kind === 'union') return toPlainUnion(union.variants.map(map), union.isExclusive);
  const variants = union.variants
    .map((variant) => ({ ...variant, shape: map(variant.shape) }))
    .filter(({ shape }) => shape.kind !== 'never');
  return variants.length > 1
    ? { kind: 'tagged union', tag: union.tag, variants }
    : toPlainUnion(variants.map(({ shape }) => shape));
}

function filterValues(values: readonly unknown[], shape: Shape): Shape {
  const fitting = values.filter((value) => accepts(shape, value));
  return fitting.length === 0 ? { kind: 'never' } : { kind: 'literal', values: fitting };
}

/** No value is of two types. Limits without a type say nothing of values of other types. */
function mergeTyped(a: Shape, b: Shape): Shape {
  if (isList(a) && isList(b)) return mergeArrays(a, b, mergeShapes);
  if (isFields(a) && isFields(b)) return mergeObjects(a, b, mergeShapes) ?? keepApart(a, b);
  if (a.kind === 'number' && b.kind === 'number') return mergeNumbers(a, b);
  if (a.kind === 'string' && b.kind === 'string') return mergeStrings(a, b);
  if (isText(a) && isText(b)) return mergeFiles(a, b) ?? keepApart(a, b);
  if (a.kind === b.kind) return a;
  if (admitsOthers(a)) return admitsOthers(b) ? keepApart(a, b) : b;
  return admitsOthers(b) ? a : { kind: 'never' };
}

type ShapeOf<Kind extends Shape['kind']> = Extract<Shape, { readonly kind: Kind }>;

function isList(shape: Shape): shape is ShapeOf<'array' | 'tuple'> {
  return shape.kind === 'array' || shape.kind === 'tuple';
}

function isFields(shape: Shape): shape is ShapeOf<'object' | 'record'> {
  return shape.kind === 'object' || shape.kind === 'record';
}

function isText(shape: Shape): shape is ShapeOf<'string' | 'file'> {
  return shape.kind === 'string' || shape.kind === 'file';
}

function admitsOthers(shape: Shape): boolean {
  return 'admitsOthers' in shape && shape.admitsOthers;
}
