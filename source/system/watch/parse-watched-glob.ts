import path, { type PlatformPath } from 'node:path';
import picomatch from 'picomatch';
import { isInside } from '../paths/is-inside.ts';
import { isMadeFolder, type WatchedGlob } from './watched-places.ts';

export interface GlobPlace {
  /** Absolute path of the folder that patterns are relative to. */
  readonly folder: string;
  /** Absolute path of the project. */
  readonly root: string;
}

/**
 * Reads a pattern such as `src/**\/*.html`; a folder stands for all that is in it, a file for itself, also where they
 * are not there yet. Files that others made (`node_modules`, `dist`) do not count, unless the pattern names their
 * folder before its first wildcard.
 *
 * Gives why it cannot be watched, where that is so: `'names no files'`.
 */
export function parseWatchedGlob(
  text: string,
  { folder, root }: GlobPlace,
  flavour: PlatformPath = path,
): WatchedGlob | string {
  if (text.trim() === '') return 'is empty';
  if (text.startsWith('!')) return 'begins with "!": name what is to be watched';
  // Windows separates folders by what escapes a wildcard elsewhere.
  const pattern = flavour.sep === '\\' ? text.replaceAll('\\', '/') : text;
  const { base: fixed, glob } = picomatch.scan(pattern);
  const base = flavour.resolve(folder, fixed);
  if (isInside(root, base, flavour) && root !== base) return 'takes in folders around the project';
  if (glob === '') {
    if (base === root) return 'is the project itself: name files or a folder in it';
    return { base, matches: (file) => isInside(file, base, flavour) && !isMade(file, base, flavour) };
  }
  const isMatch = picomatch(glob, { dot: true });
  return {
    base,
    matches: (file) =>
      isInside(file, base, flavour) &&
      !isMade(file, base, flavour) &&
      isMatch(flavour.relative(base, file).replaceAll('\\', '/')),
  };
}

/** Whether a file lies in a folder that others made, below the base. */
function isMade(file: string, base: string, { dirname, relative, sep }: PlatformPath): boolean {
  return dirname(relative(base, file)).split(sep).some(isMadeFolder);
}
