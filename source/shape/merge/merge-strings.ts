import { once } from '../once.ts';
import type { ArrayShape, Bound, FileShape, NumberShape, Shape, StringShape, TupleShape } from '../shape.ts';

export function mergeStrings(a: StringShape, b: StringShape): StringShape {
  return {
    kind: 'string',
    admitsOthers: a.admitsOthers && b.admitsOthers,
    minLength: toGreatest(a.minLength, b.minLength),
    maxLength: toLeast(a.maxLength, b.maxLength),
    patterns: joinLists(a.patterns, b.patterns),
    formats: joinLists(a.formats, b.formats),
    encoding: a.encoding ?? b.encoding,
    mediaType: a.mediaType ?? b.mediaType,
  };
}

/** A file, and a text that is its bytes; undefined where what is said of both cannot be said of one file. */
export function mergeFiles(a: FileShape | StringShape, b: FileShape | StringShape): FileShape | undefined {
  const [one, other] = [toFile(a), toFile(b)];
  if (one === undefined || other === undefined) return undefined;
  if (one.mediaTypes.length > 0 && other.mediaTypes.length > 0) return undefined;
  return {
    kind: 'file',
    minSize: toGreatest(one.minSize, other.minSize),
    maxSize: toLeast(one.maxSize, other.maxSize),
    mediaTypes: [...one.mediaTypes, ...other.mediaTypes],
  };
}

function toFile(shape: FileShape | StringShape): FileShape | undefined {
  if (shape.kind === 'file') return shape;
  if (shape.patterns.length > 0) return undefined;
  return { kind: 'file', minSize: shape.minLength, maxSize: shape.maxLength, mediaTypes: [] };
}

export function mergeNumbers(a: NumberShape, b: NumberShape): NumberShape {
  return {
    kind: 'number',
    admitsOthers: a.admitsOthers && b.admitsOthers,
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

/** Position by position: an array is a tuple without positions of its own. */
export function mergeArrays(
  a: ArrayShape | TupleShape,
  b: ArrayShape | TupleShape,
  mergeShapes: (a: Shape, b: Shape) => Shape,
): ArrayShape | TupleShape {
  const limits = {
    admitsOthers: a.admitsOthers && b.admitsOthers,
    minItems: toGreatest(a.minItems, b.minItems),
    maxItems: toLeast(a.maxItems, b.maxItems),
    isUnique: a.isUnique || b.isUnique,
  };
  const rest = once(() => mergeShapes(toRest(a)(), toRest(b)()));
  const length = Math.max(toItems(a).length, toItems(b).length);
  if (length === 0) return { kind: 'array', ...limits, items: rest };
  const itemAt = (shape: ArrayShape | TupleShape, index: number): Shape => (toItems(shape)[index] ?? toRest(shape))();
  const items = Array.from({ length }, (_, index) => once(() => mergeShapes(itemAt(a, index), itemAt(b, index))));
  return { kind: 'tuple', ...limits, items, rest };
}

function toItems(shape: ArrayShape | TupleShape): TupleShape['items'] {
  return shape.kind === 'tuple' ? shape.items : [];
}

function toRest(shape: ArrayShape | TupleShape): TupleShape['rest'] {
  return shape.kind === 'tuple' ? shape.rest : shape.items;
}

export function toGreatest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

export function toLeast(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function joinLists<Item>(a: readonly Item[], b: readonly Item[]): readonly Item[] {
  return [...new Set([...a, ...b])];
}
