/**
 * Makes a frozen object of a type with a mark. Such a type has fields that hold a type for the compiler and never a
 * value, so that no literal is of it. The compiler checks the parts that are there.
 */
export function brand<Branded extends object>(parts: Partial<Branded>): Branded {
  return Object.freeze(parts) as Branded;
}
