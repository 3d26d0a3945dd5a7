import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import path, { type PlatformPath } from 'node:path';
import { attempt } from '../values/attempt.ts';

/** Gives what the system knows of a path; undefined where nothing is there, or nothing that may be looked at. */
export function findStats(path: string): Stats | undefined {
  // A folder on the way may have become a file, or belong to somebody else.
  return attempt(() => statSync(path, { throwIfNoEntry: false }));
}

/** Where a path leads, behind links; undefined where nothing is there. */
export function findRealPath(path: string): string | undefined {
  return attempt(() => realpathSync(path));
}

/** What changes with each change of a file, also where another one of the same time and size takes its place. */
export function toFileState(stats: Stats | undefined): string {
  const { mtimeMs, ctimeMs, size, ino } = stats ?? {};
  return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
}

export function isRegularFile(path: string): boolean {
  return findStats(path)?.isFile() ?? false;
}

/**
 * Whether a path is that of a folder, or in it; both are absolute. On Windows capitals do not count.
 * @default this system's
 */
export function isInside(
  file: string,
  folder: string,
  { relative, isAbsolute, sep }: PlatformPath = path,
): boolean {
  const way = relative(folder, file);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The first folder, from one upwards, that is wanted; undefined where none is. */
export function findUpwards(
  folder: string,
  isWanted: (folder: string) => boolean,
): string | undefined {
  if (isWanted(folder)) return folder;
  return path.dirname(folder) === folder ? undefined : findUpwards(path.dirname(folder), isWanted);
}

/** The nearest folder that has packages, from one upwards. */
export function findWithPackages(folder: string): string | undefined {
  return findUpwards(folder, (each) => existsSync(path.join(each, 'node_modules')));
}
