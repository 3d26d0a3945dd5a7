import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Absolute path of a file of our package, wherever the code that asks was bundled to: `toPackagePath('templates', 'project')`,
 * `toPackagePath('dist', 'source', 'dev', 'server-child.js')`.
 */
export function toPackagePath(...segments: readonly string[]): string {
  return join(findPackageRoot(), ...segments);
}

function findPackageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
