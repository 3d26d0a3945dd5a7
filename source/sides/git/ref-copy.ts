import { existsSync, rmSync } from 'node:fs';
import { mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { atExit } from '../../terminal/at-exit.ts';

export interface RefCopyOptions {
  /** Absolute path of the project. */
  readonly root: string;
  readonly commit: string;
  /** Whether all of the repository is wanted, for a project that imports from beside itself. @default false */
  readonly isWhole?: boolean;
}

/** The files of a commit in a folder of their own. */
export interface RefCopy {
  /** Absolute path of the project in the copy. */
  readonly root: string;
  readonly remove: () => Promise<void>;
}

/**
 * Writes the files of a commit into a folder below the present `node_modules`, so that its packages are found. They come from git's objects by an index
 * of their own: neither the working tree nor the index is read or changed. The folder is gone when the process ends, however it ends.
 */
export async function createRefCopy({ root, commit, isWhole = false }: RefCopyOptions): Promise<RefCopy> {
  const { execa } = await import('execa');
  const { stdout: top } = await execa('git', ['rev-parse', '--show-toplevel'], { cwd: root });
  const prefix = relative(top, await realpath(root)).replaceAll('\\', '/');
  const shelf = join(findModules(root) ?? tmpdir(), '.capix');
  await removeOld(shelf);
  const folder = join(shelf, `ref-${commit.slice(0, 12)}-${crypto.randomUUID()}`);
  const forget = atExit(() => rmSync(folder, { recursive: true, force: true }));
  const remove = async (): Promise<void> => {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    // A second Ctrl-C ends the process at once.
    forget();
  };
  try {
    const files = join(folder, 'files');
    await mkdir(files, { recursive: true });
    const git = { cwd: top, env: { GIT_INDEX_FILE: join(folder, 'index') } };
    const isPart = prefix !== '' && !isWhole;
    await execa('git', ['read-tree', isPart ? `${commit}:${prefix}` : commit], git);
    await execa('git', ['checkout-index', '--all', '--force', `--prefix=${files}/`], git);
    return { root: isPart ? files : join(files, prefix), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The nearest `node_modules` from a folder upwards. */
function findModules(folder: string): string | undefined {
  const modules = join(folder, 'node_modules');
  if (existsSync(modules)) return modules;
  return dirname(folder) === folder ? undefined : findModules(dirname(folder));
}

/** Milliseconds after which a copy belongs to a process that was killed. */
const OLD_MS = 3_600_000;

async function removeOld(shelf: string): Promise<void> {
  const names = await readdir(shelf).catch(() => []);
  for (const name of names.filter((each) => each.startsWith('ref-'))) {
    const folder = join(shelf, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < Date.now() - OLD_MS) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
