import { type Stats, statSync } from 'node:fs';
import path, { type PlatformPath } from 'node:path';

/** Gives what the system knows of a path; undefined where nothing is there, or nothing that may be looked at. */
export function findStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // A folder on the way may have become a file, or belong to somebody else.
  }
}

export function isRegularFile(path: string): boolean {
  return findStats(path)?.isFile() ?? false;
}

/**
 * Whether a path is that of a folder, or of something in it. Both are absolute. On Windows, capital letters do not
 * count, and another drive is outside. `flavour`: the paths of a system. @default those of this one
 */
export function isInside(file: string, folder: string, { relative, isAbsolute, sep }: PlatformPath = path): boolean {
  const way = relative(folder, file);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
