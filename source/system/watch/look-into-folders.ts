import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface FolderLooks {
  /** A folder has appeared. */
  readonly add: (folder: string) => void;
  readonly end: () => void;
}

export interface FolderLooksOptions {
  /** The names that the watcher knows, by the absolute path of their folder. */
  readonly known: () => Readonly<Record<string, readonly string[]>>;
  /** A file or folder that the watcher does not know. Returns whether it is one to watch. */
  readonly onMissed: (path: string, isFolder: boolean) => boolean;
}

/** The times after which a folder is looked into, milliseconds. On a busy machine the first may be too early. */
const LOOKS_MS = [100, 1_000];

/**
 * Looks into folders that have appeared while files are watched: chokidar reads such a folder first and watches it
 * then, and never hears of a file that is written in between.
 */
export function lookIntoFolders({ known, onMissed }: FolderLooksOptions): FolderLooks {
  const timers = new Set<NodeJS.Timeout>();
  let together: Set<string> | undefined;

  const look = (folders: ReadonlySet<string>): void => {
    const names = known();
    const lookInto = (folder: string): void => {
      const seen = new Set(names[folder]);
      for (const entry of readFolder(folder)) {
        if (seen.has(entry.name)) continue;
        const path = join(folder, entry.name);
        const isMissed = onMissed(path, entry.isDirectory());
        // What is in a folder that was missed was missed with it.
        if (isMissed && entry.isDirectory()) lookInto(path);
      }
    };
    for (const folder of folders) lookInto(folder);
  };
  const lookLater = (folders: ReadonlySet<string>): void => {
    for (const delayMs of LOOKS_MS) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        if (together === folders) together = undefined;
        look(folders);
      }, delayMs);
      timers.add(timer);
    }
  };
  return {
    add: (folder) => {
      if (together === undefined) {
        together = new Set();
        lookLater(together);
      }
      together.add(folder);
    },
    end: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** A folder that is gone again, or that may not be read, is empty. */
function readFolder(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
