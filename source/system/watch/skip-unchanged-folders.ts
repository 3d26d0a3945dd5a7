import type { FSWatcher } from 'chokidar';
import { findStats } from './find-stats.ts';

/** The time by which the clock of a file system may be coarse, milliseconds: two changes within it may leave a folder with one time. */
const COARSE_MS = 2_000;

/**
 * Keeps chokidar from reading a folder whose entries are the same as when it last read them. It reads the folder of each file that is saved in
 * place, with a question to the system for each entry, to find what has appeared or gone: 60 ms for a thousand files, while the save is built.
 *
 * The change time of a folder is new after each change of its entries, and nobody can set it back.
 */
export function skipUnchangedFolders(watcher: Pick<FSWatcher, '_throttle' | 'on'>): void {
  /** The change times of folders, in milliseconds since 1970, as they were when they were read. */
  const readAs = new Map<string, number>();
  // One that comes back may have the time that it had.
  watcher.on('unlinkDir', (folder) => readAs.delete(folder));
  const throttle = watcher._throttle.bind(watcher);
  watcher._throttle = (action, path, ms) => {
    if (action !== 'readdir') return throttle(action, path, ms);
    const changedAt = findStats(path)?.ctimeMs;
    if (changedAt !== undefined && readAs.get(path) === changedAt) return false;
    const throttler = throttle(action, path, ms);
    if (throttler === false) return false;
    if (changedAt !== undefined && Date.now() - changedAt > COARSE_MS) readAs.set(path, changedAt);
    else readAs.delete(path);
    return throttler;
  };
}
