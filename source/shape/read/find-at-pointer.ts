/** The names on the way of a JSON Pointer, outermost first: `#/paths/~1users/get` leads by `paths`, `/users`, `get`. */
export function parsePointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Finds what a JSON Pointer leads to; undefined where it leads to nothing. */
export function findAtPointer(document: unknown, pointer: string): unknown {
  return parsePointer(pointer).reduce(
    (value: unknown, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<string, unknown>>)[name]
        : undefined,
    document,
  );
}
