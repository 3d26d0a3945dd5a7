import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { findStats } from '../../../system/watch/find-stats.ts';

/** The names beside the files of a program. */
export interface Siblings {
  /** Whether a file or folder has come that an import may mean now: `a.ts` where there was `a.js`, or `a/`; or one that `isFound`, by its absolute path. */
  readonly mayHideOthers: (isFound: (path: string) => boolean) => boolean;
  /** Absolute paths of the files of the program. */
  readonly add: (paths: Iterable<string>) => void;
}

export function createSiblings(paths: Iterable<string>): Siblings {
  const folders = new Map<string, { readonly mtimeMs: number | undefined; readonly names: ReadonlySet<string> }>();
  const read = (folder: string) => ({ mtimeMs: findStats(folder)?.mtimeMs, names: readNames(folder) });
  const add = (added: Iterable<string>): void => {
    for (const folder of new Set([...added].map((path) => dirname(path))))
      if (!folders.has(folder)) folders.set(folder, read(folder));
  };
  add(paths);
  return {
    add,
    mayHideOthers: (isFound) => {
      let hides = false;
      for (const [folder, before] of folders) {
        if (findStats(folder)?.mtimeMs === before.mtimeMs) continue;
        const now = read(folder);
        folders.set(folder, now);
        const stems = new Set([...before.names].map(toStem));
        const added = [...now.names].filter((name) => !before.names.has(name));
        if (added.some((name) => stems.has(toStem(name)) || isFound(join(folder, name)))) hides = true;
      }
      return hides;
    },
  };
}

function readNames(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return new Set();
  }
}

function toStem(name: string): string {
  return basename(name, extname(name));
}
