import { type Dirent, readdirSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { FSWatcher, watch } from 'chokidar';
import { findStats } from './paths.ts';
import { createWatchedPlaces, type WatchedRoot } from './watched-places.ts';

export interface WatchOptions extends WatchedRoot {
  /** Files that have changed, appeared or gone together, in the order of their first event, or that may have. */
  readonly onChange: (files: readonly string[]) => void;
  /** Changes are not reported as they should be. Each reason comes once. */
  readonly onTrouble: (trouble: WatchTrouble) => void;
}

export type FileWatcher = Pick<ProjectWatcher, 'add' | 'close'>;

/** The time after which a file that was added is watched, milliseconds. It may have changed before. */
const WATCHED_MS = 250;
/** The time between two looks at files that are polled, milliseconds. */
const POLL_MS = 200;
/** The times after which a new folder is looked into, milliseconds. On a busy machine the first may be too early. */
const LOOKS_MS = [100, 1_000];

/**
 * Watches a project for saves. Resolves when a save from now on is seen. Where the system can report no more changes,
 * the files are polled. Nothing that happens to files is thrown.
 */
export async function watchFiles(options: WatchOptions): Promise<FileWatcher> {
  const { watch } = await import('chokidar');
  const watcher = new ProjectWatcher(options, watch);
  await watcher.opened;
  return watcher;
}

class ProjectWatcher {
  /** Resolves when a change from now on is reported. */
  readonly opened: Promise<void>;
  readonly #onTrouble: WatchOptions['onTrouble'];
  readonly #places: ReturnType<typeof createWatchedPlaces>;
  readonly #watch: typeof watch;
  readonly #changes: ReturnType<typeof gatherChanges>;
  readonly #told = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #watcher: FSWatcher;
  #isPolling = false;
  #isClosed = false;
  #setOpened = (): void => {};

  constructor({ onChange, onTrouble, ...watched }: WatchOptions, openWatcher: typeof watch) {
    this.opened = new Promise((resolve) => (this.#setOpened = resolve));
    this.#onTrouble = onTrouble;
    this.#places = createWatchedPlaces(watched);
    this.#watch = openWatcher;
    this.#changes = gatherChanges((files) => {
      try {
        onChange(files);
      } catch (error) {
        this.#tell(error); // It is called by a timer: there is nobody to catch it.
      }
    });
    this.#watcher = this.#open();
  }

  /** Watches more files, wherever they lie and whether they are there or not; those that it has cost nothing. */
  add(files: readonly string[]): void {
    const more = this.#isClosed ? [] : this.#places.add(files);
    if (more.length === 0) return;
    this.#watcher.add([...more]);
    this.#after(WATCHED_MS, () => more.forEach(this.#changes.add));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#changes.end();
    for (const timer of this.#timers) clearTimeout(timer);
    await closeWatcher(this.#watcher);
  }

  #open(): FSWatcher {
    const polling = { usePolling: true, interval: POLL_MS, binaryInterval: POLL_MS };
    const watcher = this.#watch([...this.#places.all()], {
      ignoreInitial: true,
      // By default the end of a save in parts is waited for; whoever gathers the changes does that in less time.
      atomic: false,
      // A folder of another user is not watched.
      ignorePermissionErrors: true,
      ...(this.#isPolling ? polling : {}),
      // It asks before it knows what a path is, and again when it does.
      ignored: (path, stats) =>
        ![true, false].some((isFolder) => this.#places.isWatched(path, stats?.isDirectory() ?? isFolder)),
    });
    // Chokidar itself tells of a file at most every 50 ms and forgets what comes between: the last of two quick saves
    // would be lost.
    watcher.on('raw', (_, name, details) => this.#report(toReportedFile(name as string | null, details as RawDetails)));
    watcher.on('add', (path) => this.#report(resolve(path)));
    watcher.on('addDir', (path) => {
      for (const delayMs of LOOKS_MS) this.#after(delayMs, () => this.#lookInto(resolve(path)));
    });
    watcher.on('error', (error) => this.#takeError(error));
    watcher.once('ready', () => {
      const known = this.#isPolling ? Object.entries(watcher.getWatched()) : [];
      for (const [folder, names] of known) for (const name of names) this.#changes.add(join(folder, name));
      this.#setOpened();
    });
    return watcher;
  }

  #report(file: string | undefined): void {
    if (file !== undefined && this.#places.isTold(file)) this.#changes.add(file);
  }

  /** Chokidar reads a folder first and watches it then, and never hears of a file that is written in between. */
  #lookInto(folder: string): void {
    const known = new Set(this.#watcher.getWatched()[folder]);
    for (const entry of readFolder(folder)) {
      const path = join(folder, entry.name);
      if (known.has(entry.name) || !this.#places.isWatched(path, entry.isDirectory())) continue;
      this.#watcher.add(path);
      if (entry.isDirectory()) this.#lookInto(path);
      else this.#changes.add(path);
    }
  }

  #takeError(error: unknown): void {
    if (this.#isClosed) return;
    this.#tell(error);
    if (this.#isPolling || !isWatchLimit(error)) return;
    this.#isPolling = true;
    void closeWatcher(this.#watcher);
    this.#watcher = this.#open();
  }

  #tell(error: unknown): void {
    const trouble = toWatchTrouble(error);
    if (!this.#told.has(trouble.message)) this.#onTrouble(trouble);
    this.#told.add(trouble.message);
  }

  #after(delayMs: number, run: () => void): void {
    this.#timers.add(setTimeout(run, delayMs).unref());
  }
}

function closeWatcher(watcher: FSWatcher): Promise<void> {
  const closed = watcher.close();
  // Closing takes the listeners away, and what is under way may still fail.
  watcher.on('error', () => {});
  return closed;
}

/** A folder that is gone again, or that may not be read, is empty. */
function readFolder(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
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

/** Events of one save come within this time, milliseconds. */
const TOGETHER_MS = 2;
/** An editor removes a file that it replaces, or empties it before it writes; milliseconds until there must be more. */
const REPLACED_MS = 50;
/** The time for which a change may wait for others where they do not end, as with a database, milliseconds. */
const LONGEST_MS = 100;

/** Makes one change of the events of one save. An event of a folder counts for nothing. */
function gatherChanges(onChange: (files: readonly string[]) => void) {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let firstAt = 0;
  const flush = (): void => {
    const files = [...changed];
    changed.clear();
    onChange(files);
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
    end: (): void => clearTimeout(timer),
  };
}

/** Why changes are not reported as they should be, for people. */
export interface WatchTrouble {
  /** Permanent name, for scripts: `FilesPolled` still sees every change, `FilesUnwatched` may miss some. */
  readonly code: 'FilesPolled' | 'FilesUnwatched';
  readonly message: string;
  /** The remedy. */
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
  const remedy = process.platform === 'linux' ? `sudo sysctl fs.inotify.${setting}` : 'ulimit -n 65536';
  return { code: 'FilesPolled', message, hint: `Raise the limit: ${remedy}` };
}

function toCode(error: unknown): string {
  return String((Object(error) as { readonly code?: unknown }).code);
}
