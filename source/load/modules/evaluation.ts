import { isBuiltin } from 'node:module';
import type { ModuleGraph, OwnModule } from './module-graph.ts';

/** In which order the modules of a program run. */
export interface Evaluation {
  /** Ids of the project's modules, in the order of their turns; what is only imported when it is asked for comes last. */
  readonly order: readonly string[];
  /** Id of the file that runs first. */
  readonly first: string | undefined;
  /** The modules that stay outside and are imported by statements, each once, in the order of its turn. */
  readonly externals: readonly string[];
  /**
   * Whether the project's files may be made one module behind `externals`: then nobody can tell the difference. Not so where a package has
   * its turn behind a file of the project; where a file has its turn only when it is asked for, or in a circle; where a file waits on its
   * top level, so that others run meanwhile.
   */
  readonly mayBeMerged: boolean;
}

/** `waits`: whether a module has a top-level `await`. */
export function toEvaluation({ entry, modules }: ModuleGraph, waits: (module: OwnModule) => boolean): Evaluation {
  const externals = new Set<string>();
  const begun = new Set<string>();
  const done = new Set<string>();
  let mayBeMerged = true;
  let hasRun = false;
  let first: string | undefined;
  const visit = (module: OwnModule): void => {
    begun.add(module.id);
    for (const { kind, target, isOwn } of module.imports) {
      const own = isOwn ? modules.get(target) : undefined;
      if (own === undefined) {
        // A module that is all of a program lies elsewhere: a path that was not found when it was built would be looked for there.
        if (kind === 'dynamic' && /^\.{1,2}\//.test(target)) mayBeMerged = false;
        if (kind !== 'static' || externals.has(target)) continue;
        externals.add(target);
        if (hasRun && !isQuiet(target)) mayBeMerged = false;
      } else if (kind !== 'static') mayBeMerged = false;
      else if (!begun.has(own.id)) visit(own);
      else if (!done.has(own.id)) mayBeMerged = false;
    }
    done.add(module.id);
    if (module.format === 'cjs' || (module.id !== entry && waits(module))) mayBeMerged = false;
    if (module.format === 'json') return;
    hasRun = true;
    first ??= module.id;
  };
  const begin = modules.get(entry);
  if (begin !== undefined) visit(begin);
  return { order: [...new Set([...done, ...modules.keys()])], first, externals: [...externals], mayBeMerged };
}

/** Modules that do nothing but declare when they are imported, so that nobody can tell when: those of Node, this package, zod. */
function isQuiet(target: string): boolean {
  return isBuiltin(target) || /[\\/](?:node_modules[\\/]zod|server-runtime)[\\/]/.test(target);
}
