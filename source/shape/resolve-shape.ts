import { mergeShapes } from './merge-shapes.ts';
import { isNull, type ReferenceShape, type Shape, type ShapeField } from './shape.ts';

/**
 * A shape behind its name: what a reference refers to, and the parts of an intersection as one, where they come to one.
 * What stands beside the reference (a description, a default) stays there. The same object for the same shape.
 */
export function resolveShape(shape: Shape): Exclude<Shape, ReferenceShape> {
  return resolve(shape, []);
}

function resolve(shape: Shape, above: readonly Shape[]): Exclude<Shape, ReferenceShape> {
  // It refers to itself alone, and says nothing.
  if (above.includes(shape)) return { kind: 'any' };
  if (shape.kind === 'reference') return resolve(shape.target(), [...above, shape]);
  if (shape.kind !== 'intersection') return shape;
  const known = intersections.get(shape);
  if (known !== undefined) return known;
  const merged = shape.parts
    .map((part) => resolve(part, [...above, shape]))
    .reduce<Shape>(mergeShapes, { kind: 'any' });
  const resolved = merged.kind === 'reference' ? shape : merged;
  intersections.set(shape, resolved);
  return resolved;
}

const intersections = new WeakMap<Shape, Exclude<Shape, ReferenceShape>>();

/** Gives the string of `string | null`, with its own notes; any other shape is itself. */
export function withoutNull(shape: Shape): Shape {
  if (shape.kind !== 'union') return shape;
  const values = shape.variants.filter((variant) => !isNull(variant));
  return values.length === 1 && values[0] !== undefined ? values[0] : shape;
}

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
