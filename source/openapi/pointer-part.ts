import { findAtPointer } from '../document/schema-json.ts';

/** The name of a member in a JSON Pointer: `/users` is `~1users`. */
export function toPointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The pointer of a value that refers to another one. */
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
