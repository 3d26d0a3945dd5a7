import { once } from '../once.ts';
import type { ArrayShape, Shape, TupleShape } from '../shape.ts';
import { toGreatest, toLeast } from './to-greatest.ts';

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
