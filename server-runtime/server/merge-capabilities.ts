import type { GroupTree } from '../capability/group-tree.ts';
import { type CompiledRegistry, compileRegistry, toRegistry } from '../registry/compile-registry.ts';

interface Owned {
  readonly owner: string;
  readonly capabilities: GroupTree | CompiledRegistry;
}

/**
 * One registry of everybody's capabilities, in the order given.
 *
 * @throws TypeError that names both owners when a key exists twice
 */
export function mergeCapabilities(owned: readonly Owned[]): CompiledRegistry {
  const ownerOf = new Map<string, string>();
  const operations = owned.flatMap(({ owner, capabilities }) =>
    compileRegistry(capabilities).operations.map((operation) => {
      const other = ownerOf.get(operation.key);
      if (other !== undefined)
        throw new TypeError(`Both ${other} and ${owner} declare '${operation.key}'. Rename it in one of them.`);
      ownerOf.set(operation.key, owner);
      return operation;
    }),
  );
  return toRegistry(operations);
}
