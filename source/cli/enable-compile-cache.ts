import module from 'node:module';
import { basename, dirname, join } from 'node:path';
import { packageRoot } from '../package-root.ts';

/**
 * Has Node keep what it compiles of the tool, beside the tool itself: what is kept there is run, so it must be nobody's who could not change
 * the tool too. Node's own place is one for all users, in the system's temporary folder. Does nothing before Node 22.1, and where the folder
 * cannot be written.
 */
export function enableCompileCache(): void {
  const { enableCompileCache: enable } = module as { enableCompileCache?: (folder: string) => unknown };
  enable?.(toCompileCacheFolder(packageRoot()));
}

/** `'/app/node_modules/capix'` gives `'/app/node_modules/.cache/capix/compiled'`; a checkout has it in its own `node_modules`. */
export function toCompileCacheFolder(root: string): string {
  const above = dirname(root);
  const modules = basename(above) === 'node_modules' ? above : join(root, 'node_modules');
  return join(modules, '.cache', 'capix', 'compiled');
}
