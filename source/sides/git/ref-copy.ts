import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative } from 'node:path';
import { createCliError } from '../../cli/cli-error.ts';
import type { Project } from '../../manifest/project.ts';
import { isAlive, ownProcessId } from '../../system/own-process-id.ts';
import { atExit } from '../../terminal/end-process.ts';
import { runGit } from './find-commit.ts';

export interface RefCopyOptions {
  /** Absolute path of the project. */
  readonly root: string;
  readonly commit: string;
  /** The folder of the project at that commit, from the top of the repository. @default where it is now */
  readonly folder?: string | undefined;
  /** Whether all of the repository is wanted, for a project that imports from beside itself. @default false */
  readonly isWhole?: boolean;
  /** Aborted when nobody wants the copy any more: git is then ended, and nothing is left of it. */
  readonly signal?: AbortSignal | undefined;
}

/** The files of a commit in a folder of their own. */
export interface RefCopy {
  /** Absolute path of the project in the copy. */
  readonly root: string;
  readonly remove: () => Promise<void>;
}

/**
 * Writes the files of a commit into a folder below the present `node_modules`, so that its packages are found. They
 * come from git's objects by an index of their own: neither the working tree nor the index is read or changed. The
 * folder is gone when the process ends; the next load removes that of a process that was killed.
 *
 * @throws the reason of `signal` once it is aborted, and what git fails with
 */
export async function createRefCopy({
  root,
  commit,
  folder: then,
  isWhole = false,
  signal,
}: RefCopyOptions): Promise<RefCopy> {
  const { execa } = await import('execa');
  const { top, prefix } = await findPlace(root, then);
  const folder = await createFolder(root);
  const forget = atExit(() => rmSync(folder, { recursive: true, force: true }));
  const remove = async (): Promise<void> => {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    // A second Ctrl-C ends the process at once.
    forget();
  };
  try {
    const files = join(folder, 'files');
    await mkdir(files, { recursive: true });
    const git = {
      cwd: top,
      env: { GIT_INDEX_FILE: join(folder, 'index') },
      ...(signal && { cancelSignal: signal }),
    };
    const isPart = prefix !== '' && !isWhole;
    await execa('git', ['read-tree', isPart ? `${commit}:${prefix}` : commit], git);
    await execa('git', ['checkout-index', '--all', '--force', `--prefix=${files}/`], git);
    return { root: isPart ? files : join(files, prefix), remove };
  } catch (error) {
    await remove();
    // Ctrl-C reaches git too, and may end it before this process knows of the interrupt.
    signal?.throwIfAborted();
    throw error;
  }
}

/** A folder for a copy: where packages are found, and no watcher looks, or else one of the system. */
async function createFolder(root: string): Promise<string> {
  let at = root;
  while (!existsSync(join(at, 'node_modules')) && dirname(at) !== at) at = dirname(at);
  try {
    const shelf = join(await realpath(join(at, 'node_modules')), '.capix');
    // By this name the other processes know whose it is, and leave it.
    const folder = join(shelf, `${ownProcessId}-${randomUUID()}`);
    await mkdir(folder, { recursive: true });
    await removeLeftovers(shelf);
    return folder;
  } catch {
    // There is none, or it is another user's.
    return realpath(await mkdtemp(join(tmpdir(), 'capix-')));
  }
}

/** Removes the copies of processes that were killed. */
async function removeLeftovers(shelf: string): Promise<void> {
  for (const name of await readdir(shelf)) {
    const owner = /^(\d+)-[-\da-f]+$/.exec(name)?.[1];
    if (owner === undefined || !isAlive(Number(owner)))
      await rm(join(shelf, name), { recursive: true, force: true }).catch(() => {});
  }
}

/** The top of the repository around a project, and the folder of the project below it. */
async function findPlace(root: string, folder?: string): Promise<{ readonly top: string; readonly prefix: string }> {
  const top = (await runGit(['rev-parse', '--show-toplevel'], root)) ?? root;
  return { top, prefix: folder ?? relative(top, await realpath(root)).replaceAll('\\', '/') };
}

export interface RefPlace {
  readonly label: string;
  readonly commit: string;
  readonly folder?: string | undefined;
}

/**
 * Looks whether a commit has the capabilities file of a project.
 *
 * @throws CliError `RefFailed`
 */
export async function expectInRef({ label, commit, folder }: RefPlace, { root, entryFile }: Project): Promise<void> {
  const { top, prefix } = await findPlace(root, folder);
  const file = posix.join(prefix, relative(root, entryFile).replaceAll('\\', '/'));
  if ((await runGit(['cat-file', '-e', `${commit}:${file}`], top)) !== undefined) return;
  const reason = `there is no ${file}.`;
  const hint = 'Where the project was in another folder, name that too: `main:services/api`.';
  throw createCliError('RefFailed', { ref: label, reason }, { hint });
}
