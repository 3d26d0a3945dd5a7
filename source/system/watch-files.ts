import { gatherChanges, type SeenChange } from './gather-changes.ts';
import { isFileSince, openWatcher, type WatcherOptions } from './open-watcher.ts';
import { createWatchedPlaces, type WatchedRoot } from './watched-places.ts';

export interface WatchOptions extends WatchedRoot {
  /** Files that have changed, appeared or gone together, in the order of their first event. */
  readonly onChange: (changes: readonly SeenChange[]) => void;
  /** Changes are not reported as they should be. Each reason comes once. */
  readonly onTrouble: (trouble: WatchTrouble) => void;
}

export interface FileWatcher {
  /**
   * Watches more files, wherever they lie and whether they are there or not; those that were added before cost nothing.
   * What has happened to the others since a time, in milliseconds since 1970, is told too.
   */
  readonly add: (files: readonly string[], since: number) => void;
  readonly close: () => Promise<void>;
}

/** Linux queues a report while the file is written; others gather for a while. */
const reportsAtOnce = process.platform === 'linux' && process.env['CHOKIDAR_USEPOLLING'] === undefined;

/** The time by which a file may seem older than the clock: the system takes it from a coarse one, milliseconds. */
const COARSE_MS = 20;

/**
 * Watches a project for saves. Resolves when a save from now on is seen. Where the system can report no more changes,
 * the files are polled. Nothing that happens to files is thrown.
 */
export async function watchFiles({ onChange, onTrouble, ...watched }: WatchOptions): Promise<FileWatcher> {
  const places = createWatchedPlaces(watched);
  const tell = tellOnce(onTrouble);
  let isPolling = false;
  const changes = gatherChanges({
    onChange: (gathered) => {
      try {
        onChange(gathered);
      } catch (error) {
        tell(error); // It is called by a timer: there is nobody to catch it.
      }
    },
    isPrompt: () => reportsAtOnce && !isPolling,
  });
  const told = { places, onReport: changes.add, onFind: changes.addLate } satisfies Partial<WatcherOptions>;
  let isClosed = false;
  let polled = (): void => {};
  const isPolled = new Promise<void>((resolve) => {
    polled = resolve;
  });

  let watcher = await openWatcher({ ...told, polls: false, onError: takeError });
  function takeError(error: unknown): void {
    if (isClosed || isPolling) return;
    tell(error);
    isPolling = isWatchLimit(error);
    if (isPolling) void poll();
  }
  async function poll(): Promise<void> {
    const failedAt = Date.now() - COARSE_MS;
    void watcher.close();
    watcher = await openWatcher({ ...told, polls: true, onError: tell });
    if (isClosed) return watcher.close();
    await watcher.ready;
    for (const file of watcher.findChangedSince(failedAt)) changes.add(file);
    polled();
  }

  const recheck = toRecheck(changes.addLate);
  await Promise.race([watcher.ready, isPolled]);
  return {
    add: (files, since) => {
      const more = places.add(files);
      if (more.length > 0) watcher.add(more);
      recheck(files, since);
    },
    close: async () => {
      isClosed = true;
      recheck.end();
      changes.end();
      await watcher.close();
    },
  };
}

/** The time after which a file that was added is watched, milliseconds. */
const RECHECK_MS = 250;

/** Looks once at files that were changed while the watcher was not yet there. */
function toRecheck(onChange: (file: string) => void) {
  const known = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  const recheck = (files: readonly string[], since: number): void => {
    const added = files.filter((file) => !known.has(file));
    for (const file of added) known.add(file);
    if (added.length === 0) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      for (const file of added) if (isFileSince(file, since)) onChange(file);
    }, RECHECK_MS);
    timers.add(timer);
  };
  const end = (): void => {
    for (const timer of timers) clearTimeout(timer);
  };
  return Object.assign(recheck, { end });
}

function tellOnce(onTrouble: (trouble: WatchTrouble) => void): (error: unknown) => void {
  const told = new Set<string>();
  return (error) => {
    const trouble = toWatchTrouble(error);
    const reason = trouble.code === 'FilesPolled' ? trouble.code : trouble.message;
    if (!told.has(reason)) onTrouble(trouble);
    told.add(reason);
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
  return {
    code: 'FilesPolled',
    message: `The system has no file ${isInstance ? 'watchers' : 'watches'} left, so files are polled for changes.`,
    hint: `Raise the limit: ${toRemedy(isInstance)}`,
  };
}

function toRemedy(isInstance: boolean): string {
  if (process.platform !== 'linux') return 'ulimit -n 65536';
  return `sudo sysctl fs.inotify.${isInstance ? 'max_user_instances=1024' : 'max_user_watches=524288'}`;
}

function toCode(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}
