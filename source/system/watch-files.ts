import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

export interface WatchOptions {
  /** Absolute path of the project. Files directly in it are watched. */
  readonly root: string;
  /** Absolute path of a folder in it that is watched with all that is under it. */
  readonly folder: string;
  /** Absolute paths that have changed, appeared or gone, in the order of their first event. */
  readonly onChange: (files: readonly string[]) => void;
}

export interface FileWatcher {
  /** Watches more files, wherever they lie; those that are watched already cost nothing. */
  readonly add: (files: readonly string[]) => void;
  readonly close: () => Promise<void>;
}

/** Events of one save come within this time, milliseconds. */
const TOGETHER_MS = 2;
/** An editor removes a file that it replaces, or empties it before it writes; milliseconds until there must be more. */
const REPLACED_MS = 50;

/** Folders that hold what others made: packages, builds, reports, version control. */
const MADE = /^(node_modules|dist|build|out|coverage)$/;

/** How long an event of the system makes the watcher's own, later one for the same file needless, milliseconds. */
const REPEATED_MS = 500;

/** Watches a project for saves. Resolves when a save from now on is seen. */
export async function watchFiles({ root, folder, onChange }: WatchOptions): Promise<FileWatcher> {
  const { watch } = await import('chokidar');
  const changed = new Set<string>();
  const toldAt = new Map<string, number>();
  const outside = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    const files = [...changed];
    changed.clear();
    onChange(files);
  };
  const take = (file: string, delayMs: number): void => {
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(flush, delayMs);
  };

  const isIgnored = (path: string, isFolder: boolean): boolean =>
    !isWatched(path, { root, folder, isFolder }) && !outside.has(path);
  const watcher = watch(root, {
    ignoreInitial: true,
    atomic: false,
    ignored: (path, stats) => isIgnored(path, stats?.isDirectory() ?? false),
  });
  // Chokidar reports a file at most every 50 ms and forgets what comes between, so that the last of two quick saves would be lost.
  watcher.on('raw', (_event, name, details) => {
    const file = toRawFile(name, details as RawDetails);
    if (file === undefined || isIgnored(file, false)) return;
    toldAt.set(file, performance.now());
    take(file, isWritten(file) ? TOGETHER_MS : REPLACED_MS);
  });
  // What the system does not report by name: the files of a folder that has just appeared.
  watcher.on('add', (path) => {
    const file = resolve(path);
    if (performance.now() - (toldAt.get(file) ?? -REPEATED_MS) >= REPEATED_MS) take(file, TOGETHER_MS);
  });
  await new Promise<void>((ready) => watcher.once('ready', ready));

  return {
    add: (files) => {
      const more = files.filter((file) => isIgnored(file, false));
      for (const file of more) outside.add(file);
      if (more.length > 0) watcher.add(more);
    },
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

/** Whether a save seems to be complete. */
function isWritten(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** What chokidar adds to an event of the system. With polling there is no watched path, and the name is the whole path. */
interface RawDetails {
  readonly watchedPath?: string;
}

/** The file that an event is about: of a watched folder by its name in it, else the watched file itself. */
function toRawFile(name: string | null, { watchedPath }: RawDetails): string | undefined {
  if (name === null) return undefined;
  if (isAbsolute(name) || watchedPath === undefined) return resolve(name);
  return basename(watchedPath) === name ? watchedPath : join(watchedPath, name);
}

interface Place {
  readonly root: string;
  readonly folder: string;
  readonly isFolder: boolean;
}

function isWatched(path: string, { root, folder, isFolder }: Place): boolean {
  if (path === root) return true;
  const parts = relative(root, path).split(sep);
  const folders = isFolder ? parts : parts.slice(0, -1);
  if (parts.some((name) => MADE.test(name)) || folders.some((name) => name.startsWith('.'))) return false;
  return dirname(path) === root && !isFolder ? true : isInside(path, folder) || (isFolder && isInside(folder, path));
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Whether a file says how the code is built. */
export function isBuildSetting(file: string): boolean {
  return /^(package\.json|tsconfig.*\.json)$/.test(basename(file));
}
