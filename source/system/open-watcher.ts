import { type Dirent, readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { findStats } from './paths.ts';
import type { WatchedPlaces } from './watched-places.ts';

export interface WatcherOptions {
  readonly places: WatchedPlaces;
  /** Whether to look at the files again and again, in place of waiting for the system's reports. */
  readonly polls: boolean;
  /** The system reports a change of a file, by its absolute path. */
  readonly onReport: (file: string) => void;
  /** A file was found that was not there; it may have been reported before. */
  readonly onFind: (file: string) => void;
  /** Some file is not watched. */
  readonly onError: (error: unknown) => void;
}

/** Chokidar, with the reports of the system as they come. */
export interface Watcher {
  readonly add: (paths: readonly string[]) => void;
  /** Resolves when a change from now on is reported; never where it is closed before. */
  readonly ready: Promise<void>;
  /** Files with a change since then, milliseconds since 1970. */
  readonly findChangedSince: (time: number) => readonly string[];
  readonly close: () => Promise<void>;
}

/** The time between two looks at the files, milliseconds. */
const POLL_MS = 200;

export async function openWatcher({ places, polls, ...told }: WatcherOptions): Promise<Watcher> {
  // An error in the handler of an event would end the process.
  const safely =
    <Args extends readonly unknown[]>(handle: (...args: Args) => void) =>
    (...args: Args): void => {
      try {
        handle(...args);
      } catch (error) {
        told.onError(error);
      }
    };
  const watcher = await openChokidar(places, polls);
  // Chokidar itself tells of a file at most every 50 ms and forgets what comes between: the last of two quick saves
  // would be lost.
  const takeRaw = safely((_event: string, name: string | null, details: unknown) => {
    const file = toReportedFile(name, details as RawDetails);
    if (file !== undefined && places.isTold(file)) told.onReport(file);
  });
  watcher.on('raw', takeRaw);
  // What the system does not report by name: the files of a folder that has just appeared.
  const takeFound = safely((path: string) => told.onFind(resolve(path)));
  watcher.on('add', takeFound);
  const looks = lookIntoFolders({
    known: () => watcher.getWatched(),
    onMissed: (path, isFolder) => {
      if (!places.isWatched(path, isFolder)) return false;
      watcher.add(path);
      if (!isFolder) told.onFind(path);
      return true;
    },
  });
  watcher.on('addDir', (folder: string) => looks.add(resolve(folder)));
  watcher.on('error', told.onError);
  const open = async (): Promise<void> => {
    await new Promise<void>((ready) => watcher.once('ready', () => ready()));
    await untilPolled(places);
    if (!polls) return;
    // What has appeared since a folder was read, and before Node looked at it, changes the folder no more.
    for (const folder of Object.keys(watcher.getWatched())) looks.add(folder);
  };
  return {
    add: (paths) => void watcher.add([...paths]),
    ready: open(),
    findChangedSince: (time) =>
      Object.entries(watcher.getWatched())
        .flatMap(([folder, names]) => names.map((name) => join(folder, name)))
        .filter((path) => isFileSince(path, time)),
    close: async () => {
      looks.end();
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

/**
 * Resolves when Node has looked at the files that it was asked to poll: only what changes after its first look is a
 * change to it. The looks wait in one queue, which several threads serve, so that the second of two more comes after
 * them.
 */
async function untilPolled(places: WatchedPlaces): Promise<void> {
  const [path = '.'] = places.all();
  for (let looks = 0; looks < 2; looks++) await stat(path).catch(() => undefined);
}

/** Whether a file has changed since a time, in milliseconds since 1970. */
export function isFileSince(path: string, time: number): boolean {
  const stats = findStats(path);
  return stats !== undefined && stats.isFile() && stats.ctimeMs >= time;
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
