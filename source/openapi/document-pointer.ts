/** The name of a member in a JSON Pointer: `/users` is `~1users`. */
export function toPointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The names on the way of a JSON Pointer, outermost first: `#/paths/~1users/get` leads by `paths`, `/users`, `get`. */
export function readPointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What a JSON Pointer leads to; undefined where it leads to nothing. */
export function findAtPointer(document: unknown, pointer: string): unknown {
  return readPointer(pointer).reduce(
    (value: unknown, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<string, unknown>>)[name]
        : undefined,
    document,
  );
}

/** Where a value that refers to another one leads. */
export function findReference(value: unknown): string | undefined {
  const { $ref } = (typeof value === 'object' && value !== null ? value : {}) as { readonly $ref?: unknown };
  return typeof $ref === 'string' && $ref.startsWith('#/') ? $ref : undefined;
}

/** The operation that a JSON Pointer leads into, by its `operationId`. */
export function findOperationId(document: unknown, pointer: string): string | undefined {
  const [operation] = /^#\/paths\/[^/]+\/[^/]+/.exec(pointer) ?? [];
  const found = operation === undefined ? undefined : findAtPointer(document, operation);
  const { operationId } = (typeof found === 'object' && found !== null ? found : {}) as {
    readonly operationId?: string;
  };
  return operationId;
}
