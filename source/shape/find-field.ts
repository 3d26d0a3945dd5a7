import { resolveShape } from './resolve-shape.ts';
import type { Shape } from './shape.ts';

/** What an object holds by a name; undefined where it does not name it, or is no object. */
export function findField(shape: Shape, wanted: string): Shape | undefined {
  const whole = resolveShape(shape);
  return whole.kind === 'object' ? whole.fields.find(({ name }) => name === wanted)?.shape() : undefined;
}
