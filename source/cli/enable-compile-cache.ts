import module from 'node:module';
import { basename, dirname, join } from 'node:path';
import { packageRoot } from '../package-root.ts';

/**
 * Has Node store what it compiles of the tool beside the tool. Node runs what is stored, so nobody else may write it.
 * Node's own place is one for all users. Does nothing before Node 22.1.
 */
export function enableCompileCache(): void {
  const { enableCompileCache: enable } = module as {
    enableCompileCache?: (folder: string) => unknown;
  };
  enable?.(toCompileCacheFolder(packageRoot()));
}

const VARIABLE = 'NODE_COMPILE_CACHE';

/**
 * The environment of a process of the tool that keeps it, too, and calls `keepCompiled` before it runs code of the
 * project.
 */
export function withCompileCache<Environment extends object>(
  environment: Environment,
): Environment {
  return { [VARIABLE]: toCompileCacheFolder(packageRoot()), ...environment };
}

/** Writes what was compiled so far, and takes the variable of `withCompileCache` out of the environment. */
export function keepCompiled(environment: NodeJS.ProcessEnv): void {
  if (environment[VARIABLE] === toCompileCacheFolder(packageRoot())) delete environment[VARIABLE];
  const { flushCompileCache: flush } = module as { flushCompileCache?: () => void };
  flush?.();
}

/** `'/app/node_modules/capix'` gives `'/app/node_modules/.cache/capix/compiled'`; a checkout its own. */
export function toCompileCacheFolder(root: string): string {
  const above = dirname(root);
  const modules = basename(above) === 'node_modules' ? above : join(root, 'node_modules');
  return join(modules, '.cache', 'capix', 'compiled');
}
