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
import { findGitOutput, toGitEnvironment } from './run-git.ts';

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

interface WriteCommitOptions {
  /** Absolute path of what git keeps of a repository: `.git`. */
  readonly gitFolder: string;
  readonly commit: string;
  /** The folder that gets the files. */
  readonly files: string;
  /** A path for an index of its own. */
  readonly index: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes the files of a commit, those of its submodules too. They are read from git's objects by an index of their own:
 * neither the working tree nor the index is read or changed. Gives a sentence for each submodule that is not there.
 *
 * @throws what git fails with
 */
async function writeCommit(options: WriteCommitOptions): Promise<readonly string[]> {
  const { gitFolder, commit, files, index, signal } = options;
  const { execa } = await import('execa');
  await mkdir(files, { recursive: true });
  const run = async (...words: readonly string[]): Promise<string> => {
    const { stdout } = await execa(
      'git',
      [`--git-dir=${gitFolder}`, `--work-tree=${files}`, ...words],
      {
        cwd: files,
        env: toGitEnvironment({ GIT_INDEX_FILE: index }),
        extendEnv: false,
        ...(signal && { cancelSignal: signal }),
      },
    );
    return stdout;
  };
  await run('read-tree', commit);
  await run('checkout-index', '--all', '--force');
  const notes: string[] = [];
  for (const submodule of parseSubmodules(await run('ls-files', '--stage', '-z'))) {
    const inner = await findGitFolder(submodule, gitFolder, commit);
    if (inner === undefined)
      notes.push(`The submodule ${submodule.path} is left out: \`git submodule update --init\`.`);
    else
      notes.push(
        ...(await writeCommit({
          ...options,
          gitFolder: inner,
          commit: submodule.commit,
          files: join(files, submodule.path),
          index: `${index}-${submodule.commit}`,
        })),
      );
  }
  return notes;
}

interface Submodule {
  /** From the top of the repository. */
  readonly path: string;
  readonly commit: string;
}

/** Of the lines `160000 <commit> 0\t<path>` of an index. */
function parseSubmodules(entries: string): readonly Submodule[] {
  return entries.split('\0').flatMap((entry) => {
    const parts = /^160000 (?<commit>\w+) \d\t(?<path>.+)$/s.exec(entry)?.groups;
    const commit = parts?.['commit'];
    const path = parts?.['path'];
    return commit === undefined || path === undefined ? [] : { commit, path };
  });
}

/** What git keeps of a submodule, where the commit is in it; undefined where it was not fetched. */
async function findGitFolder(
  { path, commit }: Submodule,
  gitFolder: string,
  ofCommit: string,
): Promise<string | undefined> {
  const name = (await findModuleName(path, gitFolder, ofCommit)) ?? path;
  const places = [
    join(gitFolder, 'modules', name),
    // A linked worktree may have those of its own, or be without them.
    await findGitOutput(
      ['rev-parse', '--path-format=absolute', '--git-common-dir'],
      gitFolder,
    ).then((common = gitFolder) => join(common, 'modules', name)),
  ];
  for (const place of places) {
    if (!existsSync(join(place, 'HEAD'))) continue;
    const words = [`--git-dir=${place}`, 'cat-file', '-e', `${commit}^{commit}`];
    if ((await findGitOutput(words, gitFolder)) !== undefined) return place;
  }
  return undefined;
}

/** The name by which git keeps a submodule, as the commit has it. */
async function findModuleName(
  path: string,
  gitFolder: string,
  commit: string,
): Promise<string | undefined> {
  const words = ['config', '--blob', `${commit}:.gitmodules`, '--get-regexp', String.raw`\.path$`];
  const lines = (await findGitOutput([`--git-dir=${gitFolder}`, ...words], gitFolder))?.split('\n');
  const line = lines?.find((each) => each.endsWith(`.path ${path}`));
  return line?.slice('submodule.'.length, -`.path ${path}`.length);
}
