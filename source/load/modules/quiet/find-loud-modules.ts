import { toComponents } from '../components.ts';
import type { ModuleGraph, OwnModule } from '../module-graph.ts';
import { isKnownPackage } from './is-known-package.ts';

/**
 * Ids of the modules that Node reads before the first one runs, and that are not quiet. Those that import packages by statement are left out, as are those that
 * import such: a package that is edited is to be read anew.
 */
export function findLoudModules({ entry, modules }: ModuleGraph, quiet: readonly string[]): readonly string[] {
  const next = (id: string): readonly string[] => toStatements(modules.get(id)).own;
  const known = new Set<string>();
  const loud: string[] = [];
  const isQuiet = new Set(quiet);
  for (const component of toComponents([entry], next)) {
    const inside = new Set(component);
    const mayBeRead = component.every((id) => {
      const { own, importsPackages } = toStatements(modules.get(id));
      return !importsPackages && own.every((target) => inside.has(target) || known.has(target));
    });
    if (!mayBeRead) continue;
    for (const id of component) known.add(id);
    loud.push(...component.filter((id) => !isQuiet.has(id)));
  }
  return loud;
}

/** The imports of a module by statements. */
interface Statements {
  /** Ids of modules of the project. */
  readonly own: readonly string[];
  /** Whether it imports packages that may change, or is CommonJS, which does so when it runs. */
  readonly importsPackages: boolean;
}

const unknown: Statements = { own: [], importsPackages: true };
const statements = new WeakMap<OwnModule, Statements>();

function toStatements(module: OwnModule | undefined): Statements {
  if (module === undefined) return unknown;
  const known = statements.get(module) ?? readStatements(module);
  statements.set(module, known);
  return known;
}

function readStatements({ imports, format }: OwnModule): Statements {
  const written = imports.filter(({ kind }) => kind === 'static');
  const packages = written.filter(({ isOwn, target }) => !isOwn && !isKnownPackage(target));
  return {
    own: written.flatMap(({ isOwn, target }) => (isOwn ? target : [])),
    importsPackages: format === 'cjs' || packages.length > 0,
  };
}
