import path, { basename, dirname, join, type PlatformPath, relative, sep } from 'node:path';
import picomatch from 'picomatch';
import { findRealPath, isInside } from './paths.ts';

export interface WatchedRoot {
  readonly root: string;
  /** Absolute path of a folder in it that is watched with all that is under it. */
  readonly folder: string;
  /** Files that are watched besides. @default none */
  readonly globs?: readonly WatchedGlob[];
}

export interface WatchedGlob {
  /** Absolute path of the folder that all of them are in, or of the only one. */
  readonly base: string;
  readonly matches: (file: string) => boolean;
}

export function createWatchedPlaces(watched: WatchedRoot) {
  const files = new Set<string>();
  // A file that is replaced or not there yet is seen by its folder only.
  const folders = new Set<string>();
  const isWatched = (path: string, isFolder: boolean): boolean =>
    (isFolder ? folders.has(path) : files.has(path) || folders.has(dirname(path))) ||
    isOwn(path, isFolder, watched) ||
    isOfGlob(path, isFolder, watched);
  return {
    isWatched,
    /** Adds files, wherever they lie, there or not. Gives the paths that the watcher does not look at yet. */
    add: (wanted: readonly string[]): readonly string[] => {
      const fresh = wanted.filter((file) => !isWatched(file, false));
      const around = fresh
        .map((file) => dirname(file))
        .filter((folder) => !isWatched(folder, true));
      for (const file of fresh) files.add(file);
      for (const folder of around) folders.add(folder);
      return [...new Set([...around, ...fresh])];
    },
    all: (): readonly string[] => [
      watched.root,
      ...(watched.globs ?? []).map(({ base }) => base),
      ...folders,
      ...files,
    ],
  };
}

/** Folders that hold what others made: packages, builds, reports, version control. */
const MADE = /^(node_modules|dist|build|out|coverage)$/;

function isMadeFolder(name: string): boolean {
  return MADE.test(name) || (name.startsWith('.') && name !== '.');
}

function isOwn(path: string, isFolder: boolean, { root, folder }: WatchedRoot): boolean {
  if (path === root) return true;
  const parts = relative(root, path).split(sep);
  const folders = isFolder ? parts : parts.slice(0, -1);
  if (parts.some((name) => MADE.test(name)) || folders.some((name) => name.startsWith('.')))
    return false;
  if (isInside(path, folder)) return true;
  return isFolder ? isInside(folder, path) : dirname(path) === root && isBuildSetting(path);
}

/** A folder on the way to the files is looked at, too: they may lie in one that is not there yet. */
function isOfGlob(path: string, isFolder: boolean, { root, globs = [] }: WatchedRoot): boolean {
  return globs.some(({ base, matches }) => {
    if (!isFolder) return matches(path);
    if (isInside(path, base)) return !relative(base, path).split(sep).some(isMadeFolder);
    return isInside(base, path) && (isInside(path, root) || path === dirname(base));
  });
}

/**
 * Decides which folders are passed over, because a link leads to them that would be followed for ever or through the
 * whole system: out of the project, or to what is watched already. What the code loads from there is watched by itself,
 * and what a setting names is not passed over.
 */
export function createLinkCheck(watched: WatchedRoot): (path: string) => boolean {
  const { root, folder, globs = [] } = watched;
  const realRoot = findRealPath(root) ?? root;
  const realFolder = join(realRoot, relative(root, folder));
  /** The path under which each folder behind a link is watched. */
  const wayTo = new Map<string, string>();
  return (path) => {
    if (!isInside(path, root) || globs.some(({ base }) => isInside(path, base))) return false;
    const place = findRealPath(path);
    if (place === undefined || place === join(realRoot, relative(root, path))) return false;
    if (!isInside(place, realRoot) || isInside(place, realFolder)) return true;
    const way = wayTo.get(place) ?? path;
    wayTo.set(place, way);
    return way !== path || isInside(realFolder, place);
  };
}

export interface GlobPlace {
  readonly folder: string;
  readonly root: string;
}

/**
 * Reads a pattern such as `src/**\/*.html`; a folder stands for all that is in it. Files that others made
 * (`node_modules`) count only where the pattern names their folder. Gives why it cannot be watched, else: `'names no
 * files'`.
 */
export function parseWatchedGlob(
  text: string,
  { folder, root }: GlobPlace,
  flavour: PlatformPath = path,
): WatchedGlob | string {
  if (text.trim() === '') return 'is empty';
  if (text.startsWith('!')) return 'begins with "!": name what is to be watched';
  // Windows separates folders by what escapes a wildcard elsewhere.
  const { base: fixed, glob } = picomatch.scan(
    flavour.sep === '\\' ? text.replaceAll('\\', '/') : text,
  );
  const base = flavour.resolve(folder, fixed);
  if (isInside(root, base, flavour) && root !== base) return 'takes in folders around the project';
  if (glob === '' && base === root) return 'is the project itself: name files or a folder in it';
  const isMatch = glob === '' ? () => true : picomatch(glob, { dot: true });
  return {
    base,
    matches: (file) => {
      const way = flavour.relative(base, file);
      const isMade = flavour.dirname(way).split(flavour.sep).some(isMadeFolder);
      return isInside(file, base, flavour) && !isMade && isMatch(way.replaceAll('\\', '/'));
    },
  };
}

/** The files that package managers write last into `node_modules`: npm, pnpm, Yarn. */
export const INSTALLED = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml'] as const;

/** Whether a file says how the code is built, or which packages it finds. */
export function isBuildSetting(file: string): boolean {
  const name = basename(file);
  return (
    /^(package\.json|tsconfig.*\.json)$/.test(name) ||
    INSTALLED.some((installed) => installed === name)
  );
}
