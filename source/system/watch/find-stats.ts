import { type Stats, statSync } from 'node:fs';

/** Gives what the system knows of a path; undefined where nothing is there, or nothing that may be looked at. */
export function findStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // A folder on the way may have become a file, or belong to somebody else.
  }
}
