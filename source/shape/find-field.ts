import { resolveShape } from './resolve-shape.ts';
import type { Shape } from './shape.ts';

/** The shape of the field that an object has under a name; undefined where it has no such field, or where the shape is not an object. */
export function findField(shape: Shape, wanted: string): Shape | undefined {
  const whole = resolveShape(shape);
  return whole.kind === 'object' ? whole.fields.find(({ name }) => name === wanted)?.shape() : undefined;
}
