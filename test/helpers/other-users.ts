import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { packageRoot } from './run-capix.ts';

/**
 * Users whom a test can run the built tool as: two strangers where the tests run as root, and everybody can enter the folders of Node and of
 * this checkout; else only the user of the tests, `undefined`.
 */
export function otherUsers(): readonly (number | undefined)[] {
  const isRoot = process.getuid?.() === 0;
  return isRoot && isOpenToAll(process.execPath) && isOpenToAll(packageRoot) ? [5, 65_534] : [undefined];
}

function isOpenToAll(path: string): boolean {
  const folder = dirname(path);
  return (
    (statSync(folder).mode & 0o001) !== 0 && (folder === path || dirname(folder) === folder || isOpenToAll(folder))
  );
}
