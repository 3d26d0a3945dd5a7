import { dirname, relative, sep } from 'node:path';
import { isInside } from '../paths/is-inside.ts';
import { isBuildSetting } from './is-build-setting.ts';

export interface WatchedRoot {
  /** Absolute path of the project. What says how it is built is watched. */
  readonly root: string;
  /** Absolute path of a folder in it that is watched with all that is under it. */
  readonly folder: string;
  /** Files that are watched besides. @default none */
  readonly globs?: readonly WatchedGlob[];
}

/** Files by a pattern. */
export interface WatchedGlob {
  /** Absolute path of the folder that all of them are in, or of the only one. */
  readonly base: string;
  /** The watchers by absolute path. */
  readonly matches: (file: string) => boolean;
}

/** Which files and folders are watched. */
export interface WatchedPlaces {
  /** Whether the watcher is to look at a path. */
  readonly isWatched: (path: string, isFolder: boolean) => boolean;
  /** Whether a change of a file is told, when the system reports it. */
  readonly isTold: (file: string) => boolean;
  /** Adds files, wherever they lie, there or not. Gives the paths that the watcher does not look at yet. */
  readonly add: (files: readonly string[]) => readonly string[];
  /** All that the watcher begins with. */
  readonly all: () => readonly string[];
}

/** Folders that hold what others made: packages, builds, reports, version control. */
const MADE = /^(node_modules|dist|build|out|coverage)$/;

/** Whether a folder of such a name holds what others made, or what is hidden. */
export function isMadeFolder(name: string): boolean {
  return MADE.test(name) || (name.startsWith('.') && name !== '.');
}

export function createWatchedPlaces(watched: WatchedRoot): WatchedPlaces {
  const files = new Set<string>();
  const known = new Set<string>();
  // A file that is replaced or not there yet is seen by its folder only.
  const folders = new Set<string>();
  const isWatched = (path: string, isFolder: boolean): boolean =>
    isOwn(path, isFolder, watched) ||
    isOfGlob(path, isFolder, watched) ||
    (isFolder ? folders.has(path) : files.has(path));
  return {
    isWatched,
    isTold: (file) => isWatched(file, false) || folders.has(dirname(file)),
    add: (wanted) => {
      const fresh = wanted.filter((file) => !known.has(file));
      for (const file of fresh) known.add(file);
      const more = fresh.filter((file) => !isWatched(file, false));
      const around = [...new Set(more.map((file) => dirname(file)))].filter((folder) => !isWatched(folder, true));
      for (const file of more) files.add(file);
      for (const folder of around) folders.add(folder);
      return [...around, ...more];
    },
    all: () => [watched.root, ...(watched.globs ?? []).map(({ base }) => base), ...folders, ...files],
  };
}

function isOwn(path: string, isFolder: boolean, { root, folder }: WatchedRoot): boolean {
  if (path === root) return true;
  const parts = relative(root, path).split(sep);
  const folders = isFolder ? parts : parts.slice(0, -1);
  if (parts.some((name) => MADE.test(name)) || folders.some((name) => name.startsWith('.'))) return false;
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
