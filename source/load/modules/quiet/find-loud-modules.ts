import { toComponents } from '../components.ts';
import type { ModuleGraph, OwnModule } from '../module-graph.ts';
import { isKnownPackage } from './is-known-package.ts';

/**
 * Ids of the modules that Node reads before the first one runs, and that are not quiet. Those that import packages by statement are left out, as are those that
 * import such: a package that is edited is to be read anew.
 */
export function findLoudModules({ entry, modules }: ModuleGraph, quiet: readonly string[]): readonly string[] {
  const next = (id: string): readonly string[] => toStatements(modules.get(id), true);
  const known = new Set<string>();
  const loud: string[] = [];
  const isQuiet = new Set(quiet);
  for (const component of toComponents([entry], next)) {
    const inside = new Set(component);
    const mayBeRead = component.every((id) => {
      const module = modules.get(id);
      const isOfPackages = !toStatements(module, false).every(isKnownPackage);
      const leadsToOthers = !next(id).every((target) => inside.has(target) || known.has(target));
      return module !== undefined && module.format !== 'cjs' && !isOfPackages && !leadsToOthers;
    });
    if (!mayBeRead) continue;
    for (const id of component) known.add(id);
    loud.push(...component.filter((id) => !isQuiet.has(id)));
  }
  return loud;
}

function toStatements(module: OwnModule | undefined, isOwn: boolean): readonly string[] {
  const imports = module?.imports ?? [];
  return imports.flatMap((each) => (each.kind === 'static' && each.isOwn === isOwn ? each.target : []));
}
