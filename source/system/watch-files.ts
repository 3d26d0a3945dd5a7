import { openWatcher } from './open-watcher.ts';
import { findStats } from './paths.ts';
import { createWatchedPlaces, type WatchedRoot } from './watched-places.ts';

export interface WatchOptions extends WatchedRoot {
  /** Files that have changed, appeared or gone together, in the order of their first event, or that may have. */
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
/** The time by which a file may seem older than the clock: the system takes it from a coarse one, milliseconds. */
const COARSE_MS = 20;

/**
 * Watches a project for saves. Resolves when a save from now on is seen. Where the system can report no more changes,
 * the files are polled. Nothing that happens to files is thrown.
 */
export async function watchFiles({ onChange, onTrouble, ...watched }: WatchOptions): Promise<FileWatcher> {
  const places = createWatchedPlaces(watched);
  const told = new Set<string>();
  const tell = (error: unknown): void => {
    const trouble = toWatchTrouble(error);
    if (!told.has(trouble.message)) onTrouble(trouble);
    told.add(trouble.message);
  };
  const changes = gatherChanges((files) => {
    try {
      onChange(files);
    } catch (error) {
      tell(error); // It is called by a timer: there is nobody to catch it.
    }
  });
  const timers: NodeJS.Timeout[] = [];
  let isClosed = false;
  let polling: Promise<void> | undefined;
  let polled = (): void => {};
  const isPolled = new Promise<void>((resolve) => (polled = resolve));
  const open = (polls: boolean, onError: (error: unknown) => void) =>
    openWatcher({ places, polls, onReport: changes.add, onError });
  const poll = async (): Promise<void> => {
    const failedAt = Date.now() - COARSE_MS;
    void watcher.close();
    watcher = await open(true, tell);
    if (isClosed) return watcher.close();
    await watcher.ready;
    for (const file of watcher.files()) if ((findStats(file)?.ctimeMs ?? 0) >= failedAt) changes.add(file);
    polled();
  };
  let watcher = await open(false, (error) => {
    if (isClosed || polling !== undefined) return;
    tell(error);
    if (isWatchLimit(error)) polling = poll();
  });
  await Promise.race([watcher.ready, isPolled]);
  return {
    add: (files) => {
      const more = places.add(files);
      if (more.length === 0) return;
      watcher.add(more);
      const timer = setTimeout(() => more.forEach(changes.add), WATCHED_MS);
      timers.push(timer.unref());
    },
    close: async () => {
      isClosed = true;
      changes.end();
      for (const timer of timers) clearTimeout(timer);
      await watcher.close();
    },
  };
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
export function isWatchLimit(error: unknown): boolean {
  return /^(ENOSPC|EMFILE|ENFILE|ENOMEM|ENOSYS)$/.test(toCode(error));
}

/** The words for a fault of the watcher. */
export function toWatchTrouble(error: unknown): WatchTrouble {
  if (!isWatchLimit(error)) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      code: 'FilesUnwatched',
      message: `Some files cannot be watched: ${reason}.`,
      hint: 'Restart after a change that is not seen.',
    };
  }
  const isInstance = toCode(error) === 'EMFILE';
  const setting = isInstance ? 'max_user_instances=1024' : 'max_user_watches=524288';
  const remedy = process.platform === 'linux' ? `sudo sysctl fs.inotify.${setting}` : 'ulimit -n 65536';
  return {
    code: 'FilesPolled',
    message: `The system has no file ${isInstance ? 'watchers' : 'watches'} left, so files are polled for changes.`,
    hint: `Raise the limit: ${remedy}`,
  };
}

function toCode(error: unknown): string {
  return String((Object(error) as { readonly code?: unknown }).code);
}
