import { recordOf, type SchemaJson } from './schema-json.ts';

/** Finds what a reference (`#/$defs/a%20b`) points to in its document; undefined for nothing, or elsewhere. */
export function findTarget(reference: string, root: unknown): unknown {
  return reference === '#' || reference.startsWith('#/') ? findAtPointer(root, decode(reference)) : undefined;
}

/** A `%` that stands for itself stays. */
function decode(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

/** The target of a reference, or the object itself. */
export function follow(value: unknown, document: SchemaJson): SchemaJson {
  const reference = recordOf(value)['$ref'];
  return recordOf(typeof reference === 'string' ? findTarget(reference, document) : value);
}

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
