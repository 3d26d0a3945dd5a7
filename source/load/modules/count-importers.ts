import type { ModuleGraph } from './module-graph.ts';

/** The number of modules that are among some, by their ids, or lead to them. */
export function countImporters({ modules }: ModuleGraph, ids: readonly string[]): number {
  const importers = new Map<string, string[]>();
  for (const { id, imports } of modules.values()) {
    for (const { target, isOwn } of imports) {
      const known = importers.get(target);
      if (known !== undefined) known.push(id);
      else if (isOwn) importers.set(target, [id]);
    }
  }
  const reached = new Set(ids);
  for (const id of reached) for (const importer of importers.get(id) ?? []) reached.add(importer);
  return reached.size;
}
