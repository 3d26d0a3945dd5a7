import { resolveShape } from './resolve-shape.ts';
import type { Shape, ShapeField } from './shape.ts';

/** The shape of a field of an object; undefined where it has no such field, or the shape is no object. */
export function findField(shape: Shape, wanted: string): Shape | undefined {
  return findWhere(shape, ({ name }) => name === wanted);
}

/** As `findField`, of a field that is always there. */
export function findRequiredField(shape: Shape, wanted: string): Shape | undefined {
  return findWhere(shape, ({ name, isRequired }) => isRequired && name === wanted);
}

function findWhere(shape: Shape, isWanted: (field: ShapeField) => boolean): Shape | undefined {
  const whole = resolveShape(shape);
  return whole.kind === 'object' && !whole.isRecord ? whole.fields.find(isWanted)?.shape() : undefined;
}
