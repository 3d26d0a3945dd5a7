import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { ChokidarOptions, FSWatcher } from 'chokidar';
import { findStats } from './paths.ts';
import { createLinkCheck, createWatchedPlaces, type WatchedRoot } from './watched-places.ts';

export interface WatchOptions extends WatchedRoot {
  /** Files that have changed, appeared or disappeared together, in the order of their first event, or that may have. */
  readonly onChange: (files: readonly string[]) => void;
  /** Changes are not reported as they should be. Each reason comes once. */
  readonly onTrouble: (trouble: WatchTrouble) => void;
}

export interface FileWatcher {
  /** Watches more files, wherever they lie and whether they are there or not; those that it has cost nothing. */
  readonly add: (files: readonly string[]) => void;
  readonly close: () => Promise<void>;
}

/** The time after which a file that was added is watched, milliseconds. It may have changed before. */
const WATCHED_MS = 250;
/** Chokidar tells of a file once in this time, and forgets what comes between, milliseconds. */
const FORGETS_MS = 120;
/** The time between two looks at files that are polled, milliseconds. */
const POLL_MS = 200;
/** The times after which a new folder is looked into, milliseconds. On a busy machine the first may be too early. */
const LOOKS_MS = [100, 1_000];

/** Watches a project. Resolves when a save from now on is seen. Nothing that happens to files is thrown. */
export async function watchFiles({
  onChange,
  onTrouble,
  ...watched
}: WatchOptions): Promise<FileWatcher> {
  const { watch } = await import('chokidar');
  const places = createWatchedPlaces(watched);
  const isPassedOver = createLinkCheck(watched);
  /** Files and folders with an event: no change of them is missed any more. */
  const known = new Set<string>();
  let isPolling = false;
  let isClosed = false;
  const tell = tellOnce(onTrouble);
  const changes = gatherChanges((files) => isClosed || onChange(files), tell);
  const after = (delayMs: number, run: () => void): void =>
    void setTimeout(() => isClosed || run(), delayMs).unref();
  const report = (path: string): void => {
    const file = resolve(path);
    known.add(file);
    changes.add(file);
    after(FORGETS_MS, () => changes.add(file));
  };
  const open = (onReady: () => void): FSWatcher => {
    const opened = watch([...places.all()], toChokidarOptions({ places, isPassedOver, isPolling }));
    for (const event of ['add', 'change', 'unlink'] as const) opened.on(event, report);
    // Chokidar drops a change that leaves the time of a file as it was, and looks no more at a link that became a file.
    opened.on('raw', (_, name, details) => {
      const { watchedPath } = Object(details) as { readonly watchedPath?: string };
      if (watchedPath === undefined || !name) return;
      const isFolder = basename(watchedPath) !== name || findStats(watchedPath)?.isDirectory();
      const file = isFolder ? join(watchedPath, name) : watchedPath;
      if (places.isWatched(file, false)) changes.add(file);
    });
    for (const event of ['unlink', 'unlinkDir'] as const)
      opened.on(event, (path) => known.delete(resolve(path)));
    opened.on('addDir', (folder) => {
      for (const delayMs of LOOKS_MS)
        after(delayMs, () => {
          const found = findWatched(resolve(folder), places.isWatched).filter(
            (file) => !known.has(file),
          );
          watcher.add(found);
          for (const file of found) {
            known.add(file);
            changes.add(file);
          }
        });
    });
    opened.on('error', (error) => {
      if (isClosed || opened !== watcher) return;
      tell(error);
      if (isPolling || !isWatchLimit(error)) return;
      isPolling = true;
      void closeWatcher(opened);
      watcher = open(() => {
        for (const [folder, names] of Object.entries(watcher.getWatched()))
          for (const name of names) changes.add(join(folder, name));
        onReady();
      });
    });
    opened.once('ready', onReady);
    return opened;
  };
  let watcher!: FSWatcher;
  await new Promise<void>((resolve) => {
    watcher = open(resolve);
  });
  return {
    add: (files) => {
      const more = isClosed ? [] : places.add(files);
      if (more.length === 0) return;
      watcher.add([...more]);
      after(WATCHED_MS, () => more.forEach(changes.add));
    },
    close: async () => {
      isClosed = true;
      await closeWatcher(watcher);
    },
  };
}

function tellOnce(onTrouble: WatchOptions['onTrouble']): (error: unknown) => void {
  const reportedMessages = new Set<string>();
  return (error) => {
    const trouble = toWatchTrouble(error);
    if (!reportedMessages.has(trouble.message)) onTrouble(trouble);
    reportedMessages.add(trouble.message);
  };
}

interface WatchParts {
  readonly places: ReturnType<typeof createWatchedPlaces>;
  readonly isPassedOver: ReturnType<typeof createLinkCheck>;
  readonly isPolling: boolean;
}

function toChokidarOptions({ places, isPassedOver, isPolling }: WatchParts): ChokidarOptions {
  const { isWatched } = places;
  return {
    ignoreInitial: true,
    // By default the end of a save in parts is waited for; whoever gathers the changes does that in less time.
    atomic: false,
    ignorePermissionErrors: true,
    ...(isPolling && { usePolling: true, interval: POLL_MS, binaryInterval: POLL_MS }),
    // Chokidar asks before it knows what a path is, and again when it does.
    ignored: (path, stats) => {
      if (stats?.isDirectory() === true) return !isWatched(path, true) || isPassedOver(path);
      if (stats !== undefined) return !isWatched(path, false);
      return !isWatched(path, true) && !isWatched(path, false);
    },
  };
}

function closeWatcher(watcher: FSWatcher): Promise<void> {
  const closed = watcher.close();
  // Closing takes the listeners away, and what is under way may still fail.
  watcher.on('error', () => {});
  return closed;
}

/** Chokidar reads a folder first and watches it then, and never hears of a file that is made in between. */
function findWatched(
  folder: string,
  isWatched: (path: string, isFolder: boolean) => boolean,
): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (!isWatched(path, entry.isDirectory())) return [];
      return entry.isDirectory() ? [path, ...findWatched(path, isWatched)] : [path];
    });
  } catch {
    return []; // It was removed again, or may not be read.
  }
}

/** Events of one save arrive within this time, milliseconds. */
const TOGETHER_MS = 2;
/** An editor removes a file that it replaces, or empties it before it writes; milliseconds until there must be more. */
const REPLACED_MS = 50;
/** The time for which a change may wait for others where they do not end, as with a database, milliseconds. */
const LONGEST_MS = 100;

/** Makes one change of the events of one save. A folder counts for nothing. */
function gatherChanges(
  onChange: (files: readonly string[]) => unknown,
  onError: (error: unknown) => void,
) {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let firstAt = 0;
  const flush = (): void => {
    const files = [...changed];
    changed.clear();
    try {
      onChange(files);
    } catch (error) {
      onError(error); // A timer calls it: there is nobody to catch it.
    }
  };
  return {
    add: (file: string): void => {
      const stats = findStats(file);
      if (stats?.isDirectory()) return;
      const now = performance.now();
      if (changed.size === 0) firstAt = now;
      changed.add(file);
      const delayMs = (stats?.size ?? 0) > 0 ? TOGETHER_MS : REPLACED_MS;
      clearTimeout(timer);
      timer = setTimeout(flush, Math.max(0, Math.min(delayMs, firstAt + LONGEST_MS - now)));
    },
  };
}

/** Why changes are not reported as they should be, for people. */
export interface WatchTrouble {
  /** Permanent name, for scripts: `FilesPolled` still sees every change, `FilesUnwatched` may miss some. */
  readonly code: 'FilesPolled' | 'FilesUnwatched';
  readonly message: string;
  readonly hint: string;
}

/** Whether the system reports changes of so many files only: then all of them can still be polled. */
function isWatchLimit(error: unknown): boolean {
  return /^(ENOSPC|EMFILE|ENFILE|ENOMEM|ENOSYS)$/.test(toCode(error));
}

function toWatchTrouble(error: unknown): WatchTrouble {
  if (!isWatchLimit(error)) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = 'Restart after a change that is not seen.';
    return { code: 'FilesUnwatched', message: `Some files cannot be watched: ${reason}.`, hint };
  }
  const isInstance = toCode(error) === 'EMFILE';
  const lacking = isInstance ? 'watchers' : 'watches';
  const message = `The system has no file ${lacking} left, so files are polled for changes.`;
  const setting = isInstance ? 'max_user_instances=1024' : 'max_user_watches=524288';
  const remedy =
    process.platform === 'linux' ? `sudo sysctl fs.inotify.${setting}` : 'ulimit -n 65536';
  return { code: 'FilesPolled', message, hint: `Raise the limit: ${remedy}` };
}

function toCode(error: unknown): string {
  return String((Object(error) as { readonly code?: unknown }).code);
}
