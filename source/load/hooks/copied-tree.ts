import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside } from '../../system/paths.ts';

/** Folders of which one is a copy of the other, at another commit. Absolute paths. */
export interface CopiedFolders {
  readonly copy: string;
  readonly original: string;
}

/** The copy of a repository whose packages are found by a table of paths, as with Plug'n'Play, and not in folders. */
export class CopiedTree {
  readonly #folders: CopiedFolders;

  constructor(folders: CopiedFolders) {
    this.#folders = folders;
  }

  /** The file that the table knows in the place of one of the copy; undefined of all other files. */
  toOriginal(file: string): string | undefined {
    const { copy, original } = this.#folders;
    return isInside(file, copy) ? join(original, relative(copy, file)) : undefined;
  }

  /** The file of the copy in the place of one of the workspace; undefined of packages, and where it is not there. */
  toCopy(url: string): string | undefined {
    const { copy, original } = this.#folders;
    const file = url.startsWith('file:') ? fileURLToPath(url) : '';
    if (!isInside(file, original) || isInside(file, copy)) return undefined;
    const path = relative(original, file);
    const isOfPackage = path.split(sep).some((name) => name === 'node_modules' || name === '.yarn');
    const copied = join(copy, path);
    return !isOfPackage && existsSync(copied) ? copied : undefined;
  }
}
