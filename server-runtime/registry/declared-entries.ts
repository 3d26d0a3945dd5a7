import { definitionOfCapability, isCapability } from '../capability/capability.ts';
import type { GroupTree } from '../capability/group-tree.ts';

/** The members of a group in the order of declaration; those of a module namespace come in that of the alphabet. */
export function declaredEntries(group: object): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(group);
  if (!isNamespace(group)) return entries;
  return entries
    .map((entry) => ({ entry, order: firstDeclaration(entry[1], new Set()) }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ entry }) => entry);
}

/** A namespace of the runtime's, or one made by a bundler, whose members are all getters. */
function isNamespace(group: object): boolean {
  if (Object.prototype.toString.call(group) === '[object Module]') return true;
  const names = Object.getOwnPropertyNames(group);
  return names.length > 0 && names.every((name) => Object.getOwnPropertyDescriptor(group, name)?.get !== undefined);
}

function firstDeclaration(value: unknown, above: ReadonlySet<unknown>): number {
  if (isCapability(value)) return definitionOfCapability(value).order;
  if (!isGroup(value) || above.has(value)) return Number.MAX_SAFE_INTEGER;
  const within = new Set([...above, value]);
  return Math.min(Number.MAX_SAFE_INTEGER, ...Object.values(value).map((member) => firstDeclaration(member, within)));
}

/** Whether a value may hold capabilities: plain objects, of whatever realm, and module namespaces, also of Bun. */
export function isGroup(value: unknown): value is GroupTree {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
