import { randomUUID } from 'node:crypto';
import { accessSync, constants, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isAlive, ownProcessId } from '../../system/own-process-id.ts';
import { atExit } from '../../terminal/at-exit.ts';
import { findModulesFolder } from './find-modules-folder.ts';
import { readFolderTime } from './read-folder-time.ts';

/** The folder where the bundles of a project lie until they are loaded. */
export interface BundleFolder {
  /** Absolute path, without symbolic links. */
  readonly path: string;
  /** A new name in the folder, as an absolute path without symbolic links. */
  readonly toFile: () => string;
  /** Writes a bundle under a new name; gives its absolute path. */
  readonly write: (code: readonly Uint8Array[]) => Promise<string>;
  /** Removes a bundle, and what killed processes left beside it. */
  readonly remove: (file: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Opens `node_modules/.capix/` of the project, where no watcher looks. Where there is no `node_modules` that this user can write in, it is a
 * new folder in the system's temporary folder that is this user's alone: what is written there is run, and a folder that others know or
 * share could be theirs.
 *
 * The path is the real one: Node looks for the sources of a module from where the module really lies, and a linked `node_modules` lies in
 * another project.
 *
 * Under a debugger it is `.capix/` of the project: VS Code follows the source maps of no file in `node_modules`.
 *
 * @throws where neither folder can be made
 */
export async function openBundleFolder(root: string, isDebugged = false): Promise<BundleFolder> {
  if (isDebugged) return openForDebugger(root);
  const shared = await openInModules(root);
  if (shared !== undefined) {
    void removeLeftovers(shared, new Set());
    return toBundleFolder(shared, { isShared: true, close: async () => {} });
  }
  const own = await openOwn();
  const forget = atExit(() => rmSync(own, { recursive: true, force: true }));
  return toBundleFolder(own, {
    isShared: false,
    close: async () => {
      forget();
      await rm(own, { recursive: true, force: true });
    },
  });
}

async function openForDebugger(root: string): Promise<BundleFolder> {
  const folder = join(await realpath(root), '.capix');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '.gitignore'), '*\n');
  const forget = atExit(() => rmSync(folder, { recursive: true, force: true }));
  return toBundleFolder(folder, {
    isShared: true,
    close: async () => {
      forget();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

async function openOwn(): Promise<string> {
  try {
    return await realpath(await mkdtemp(join(tmpdir(), 'capix-')));
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(
      `There is no folder for the bundle of the project: no node_modules that you may write in, and none can be made in ${tmpdir()} (${code}). ` +
        'Set TMPDIR to a folder that you may write in.',
      { cause: error },
    );
  }
}

interface FolderKind {
  /** Whether other processes of the project write there too. It then stays, and is made again where an installation removed it. */
  readonly isShared: boolean;
  readonly close: () => Promise<void>;
}

function toBundleFolder(folder: string, { isShared, close }: FolderKind): BundleFolder {
  const toFile = (): string => join(folder, `${ownProcessId}-${randomUUID()}.mjs`);
  const written = new Set<string>();
  let forget: (() => void) | undefined;
  const remove = async (file: string): Promise<void> => {
    await rm(file, { force: true });
    written.delete(file);
    await removeLeftovers(folder, written);
  };
  return {
    path: folder,
    toFile,
    write: async (code) => {
      if (isShared) await mkdir(folder, { recursive: true });
      const file = toFile();
      written.add(file);
      // A load that is still under way when this process ends no longer removes its bundle.
      forget ??= atExit(() => {
        for (const each of written) rmSync(each, { force: true });
      });
      try {
        // At once: a file that another thread opens could come after the exit has removed it.
        writeFileSync(file, Buffer.concat([...code]));
      } catch (error) {
        // A part of it would keep a full disk full.
        await remove(file);
        throw error;
      }
      return file;
    },
    remove,
    close: async () => {
      forget?.();
      // A load that is still under way may write one more, which is to go with this process.
      forget = undefined;
      await Promise.all([...written].map((file) => rm(file, { force: true })));
      await close();
    },
  };
}

/** Loading takes less, milliseconds. */
const LOAD_MS = 60_000;
/** A process in another container seems to be gone although it is there: its bundles get the time that an import takes, milliseconds. */
const IMPORT_MS = 1_000;

/** A file that cannot be removed hinders nobody. `needed`: absolute paths of files that stay. */
async function removeLeftovers(folder: string, needed: ReadonlySet<string>): Promise<void> {
  const paths = (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  const others = paths.filter((path) => !needed.has(path));
  if (others.length === 0) return;
  const now = readFolderTime(folder);
  if (now === undefined) return;
  await Promise.all(others.map((path) => removeLeftover(path, now).catch(() => {})));
}

async function removeLeftover(path: string, now: number): Promise<void> {
  const owner = /^(\d+)-[-\da-f]+(?:\.mjs)?$/.exec(basename(path))?.[1];
  const isOwned = owner !== undefined && isAlive(Number(owner));
  const stats = await stat(path);
  if (isOwned && stats.isDirectory()) return;
  if (now - stats.mtimeMs > (isOwned ? LOAD_MS : IMPORT_MS)) await rm(path, { recursive: true, force: true });
}

/** Undefined where there is no `node_modules` upwards, or it or the folder in it is another user's. */
async function openInModules(root: string): Promise<string | undefined> {
  const modules = findModulesFolder(root);
  if (modules === undefined) return undefined;
  try {
    const folder = join(await realpath(modules), '.capix');
    await mkdir(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    return undefined;
  }
}
