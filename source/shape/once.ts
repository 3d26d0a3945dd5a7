import type { LazyShape, Shape } from './shape.ts';

/** Makes a shape when it is first asked for, and gives the same one from then on. */
export function once(make: LazyShape): LazyShape {
  let made: Shape | undefined;
  return () => (made ??= make());
}
