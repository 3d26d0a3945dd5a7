import type { GroupTree } from '../capability/group-tree.ts';

/**
 * Whether a value may hold capabilities: plain objects and module namespaces; anything with a class is somebody's data.
 * A prototype without a prototype of its own is that of a plain object, of whatever realm, or that of a namespace, as
 * Bun makes it.
 */
export function isGroup(value: unknown): value is GroupTree {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
