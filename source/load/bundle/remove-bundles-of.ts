import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findModulesFolder } from './find-modules-folder.ts';

/**
 * Removes the bundles of a project that a killed process has left in `node_modules/.capix`: the next load would, but none may follow. At once, since whoever
 * kills it may be about to end. `processId`: undefined where it never ran.
 */
export function removeBundlesOf(processId: number | undefined, root: string): void {
  const modules = findModulesFolder(root);
  if (processId === undefined || modules === undefined) return;
  const folder = join(modules, '.capix');
  try {
    for (const name of readdirSync(folder))
      if (name.startsWith(`${processId}-`)) rmSync(join(folder, name), { recursive: true, force: true });
  } catch {
    // There is no such folder, or it is another user's.
  }
}
