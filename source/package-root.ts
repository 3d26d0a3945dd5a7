import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageInfo } from './package-info.ts';

/**
 * Absolute path of the folder of this copy of capix, without symbolic links: the checkout, or `node_modules/capix`. The
 * same from the sources and from a chunk of the bundle.
 */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!isOwnRoot(folder)) {
    if (dirname(folder) === folder)
      throw new Error('capix does not find its own package.json; install it again.');
    folder = dirname(folder);
  }
  return folder;
}

/** Absolute path of a compiled file of the tool: `'serve/dev-child.js'`. */
export function compiledFile(path: string): string {
  return join(packageRoot(), 'dist', 'source', path);
}

function isOwnRoot(folder: string): boolean {
  const file = join(folder, 'package.json');
  return (
    existsSync(file) &&
    (JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }).name === packageInfo.name
  );
}
