import { type Dirent, readdirSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { findStats } from './paths.ts';
import type { WatchedPlaces } from './watched-places.ts';

export interface WatcherOptions {
  readonly places: WatchedPlaces;
  /** Whether to look at the files again and again, in place of waiting for the system's reports. */
  readonly polls: boolean;
  /** A file has changed, appeared or gone, or may have; its absolute path. May be told more than once. */
  readonly onReport: (file: string) => void;
  /** Some file is not watched. */
  readonly onError: (error: unknown) => void;
}

/** Chokidar, with the reports of the system as they come. */
export interface Watcher {
  readonly add: (paths: readonly string[]) => void;
  /** Resolves when a change from now on is reported; never where it is closed before. */
  readonly ready: Promise<void>;
  /** All files that it looks at. */
  readonly files: () => readonly string[];
  readonly close: () => Promise<void>;
}

/** The time between two looks at the files, milliseconds. */
const POLL_MS = 200;
/** The times after which a new folder is looked into, milliseconds. On a busy machine the first may be too early. */
const LOOKS_MS = [100, 1_000];

export async function openWatcher({ places, polls, onReport, onError }: WatcherOptions): Promise<Watcher> {
  const watcher = await openChokidar(places, polls);
  const timers = new Set<NodeJS.Timeout>();
  const report = (file: string | undefined): void => {
    if (file !== undefined && places.isTold(file)) onReport(file);
  };
  // Chokidar itself tells of a file at most every 50 ms and forgets what comes between: the last of two quick saves
  // would be lost.
  watcher.on('raw', (_event: string, name: string | null, details: unknown) =>
    report(toReportedFile(name, details as RawDetails)),
  );
  // Chokidar reads a folder first and watches it then, and never hears of a file that is written in between.
  const look = (folder: string): void => {
    const known = new Set(watcher.getWatched()[folder]);
    for (const entry of readFolder(folder)) {
      const path = join(folder, entry.name);
      if (known.has(entry.name) || !places.isWatched(path, entry.isDirectory())) continue;
      watcher.add(path);
      if (entry.isDirectory()) look(path);
      else onReport(path);
    }
  };
  watcher.on('add', (path: string) => report(resolve(path)));
  watcher.on('addDir', (path: string) => {
    for (const delayMs of LOOKS_MS) timers.add(setTimeout(() => look(resolve(path)), delayMs).unref());
  });
  watcher.on('error', onError);
  return {
    add: (paths) => void watcher.add([...paths]),
    ready: new Promise((ready) => watcher.once('ready', () => ready())),
    files: () =>
      Object.entries(watcher.getWatched()).flatMap(([folder, names]) => names.map((name) => join(folder, name))),
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      const closed = watcher.close();
      // Closing takes the listeners away, and what is under way may still fail.
      watcher.on('error', () => {});
      await closed;
    },
  };
}

async function openChokidar(places: WatchedPlaces, polls: boolean): Promise<FSWatcher> {
  const { watch } = await import('chokidar');
  return watch([...places.all()], {
    ignoreInitial: true,
    // By default the end of a save in parts is waited for; whoever gathers the changes does that in less time.
    atomic: false,
    // A folder of another user is not watched.
    ignorePermissionErrors: true,
    ...(polls ? { usePolling: true, interval: POLL_MS, binaryInterval: POLL_MS } : {}),
    // It asks before it knows what a path is, and again when it does.
    ignored: (path, stats) =>
      stats === undefined
        ? !places.isWatched(path, true) && !places.isWatched(path, false)
        : !places.isWatched(path, stats.isDirectory()),
  });
}

/** The details that chokidar adds to a report. With polling, the name is the whole path. */
interface RawDetails {
  readonly watchedPath?: string;
}

/**
 * The file that a report is about: of a watched folder by its name in it, else the watched file itself. The name is
 * then no help: after another file was renamed over it, it is still that of the other one.
 */
function toReportedFile(name: string | null, { watchedPath }: RawDetails): string | undefined {
  if (watchedPath === undefined) return name === null ? undefined : resolve(name);
  if (findStats(watchedPath)?.isDirectory() !== true) return watchedPath;
  if (name === null) return undefined;
  return isAbsolute(name) ? name : join(watchedPath, name);
}

/** A folder that is gone again, or that may not be read, is empty. */
function readFolder(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
