import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { CopiedFolders } from '../../load/hooks/copied-tree.ts';
import { isAlive, ownProcessId } from '../../system/own-process-id.ts';
import { findUpwards } from '../../system/paths.ts';
import { atExit } from '../../terminal/end-process.ts';
import type { Ref } from './find-commit.ts';
import { linkPackages } from './link-packages.ts';
import { findGitOutput } from './run-git.ts';
import { writeCommit } from './write-commit.ts';

export interface RefCopyOptions extends Pick<Ref, 'commit' | 'folder'> {
  /** Absolute path of the project. */
  readonly root: string;
  /** Aborted when nobody wants the copy any more: git is then ended, and nothing is left of it. */
  readonly signal?: AbortSignal | undefined;
}

export interface RefCopy {
  /** Absolute path of the project in the copy. */
  readonly root: string;
  /** Where the files of the repository lie in the copy, and in the working tree. */
  readonly folders: CopiedFolders;
  /** The folder of the project from the top of the repository. */
  readonly prefix: string;
  /** Sentences about what is not as it was at that commit. */
  readonly notes: readonly string[];
  /** Folders of the repository that are the present ones: git does not have what a build has written. */
  readonly builds: readonly string[];
  readonly remove: () => Promise<void>;
}

/**
 * Writes the files of a commit into a folder of its own, with links to the present packages. The folder is removed when
 * the process ends; the next load removes that of a process that was killed.
 *
 * @throws the reason of `signal` once it is aborted, and what git fails with
 */
export async function createRefCopy({
  root: project,
  commit,
  folder: then,
  signal,
}: RefCopyOptions): Promise<RefCopy> {
  const root = await realpath(project);
  const top = await realpath((await findGitOutput(['rev-parse', '--show-toplevel'], root)) ?? root);
  const gitFolder = (await findGitOutput(['rev-parse', '--absolute-git-dir'], root)) ?? root;
  const prefix = then ?? relative(top, root).replaceAll('\\', '/');
  const folder = await createFolder(root);
  const forget = atExit(() => rmSync(folder, { recursive: true, force: true }));
  const remove = async (): Promise<void> => {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    // A second Ctrl-C ends the process at once.
    forget();
  };
  try {
    const files = join(folder, 'files');
    const rootThen = join(files, prefix);
    const index = join(folder, 'index');
    const notes = await writeCommit({ gitFolder, commit, files, index, signal });
    const builds = await linkPackages({ top, root, files, rootThen });
    const folders = { copy: files, original: top };
    return { root: rootThen, folders, prefix, notes, builds, remove };
  } catch (error) {
    await remove();
    // Ctrl-C reaches git too, and may end it before this process knows of the interrupt.
    signal?.throwIfAborted();
    throw error;
  }
}

/** A folder for a copy: below the packages, where no watcher looks, or else one of the system. */
async function createFolder(root: string): Promise<string> {
  const at = findUpwards(root, (each) => existsSync(join(each, 'node_modules'))) ?? root;
  try {
    const shelf = join(await realpath(join(at, 'node_modules')), '.capix');
    // The name says which process owns the folder, so that no other one removes it.
    const folder = join(shelf, `${ownProcessId}-${randomUUID()}`);
    await mkdir(folder, { recursive: true });
    const others = (await readdir(shelf)).filter((name) => !isAlive(Number.parseInt(name, 10)));
    await Promise.allSettled(
      others.map((name) => rm(join(shelf, name), { recursive: true, force: true })),
    );
    return folder;
  } catch {
    // There is none, or it is another user's.
    return realpath(await mkdtemp(join(tmpdir(), 'capix-')));
  }
}
