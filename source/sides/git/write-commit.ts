import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findGitOutput, toGitEnvironment } from './run-git.ts';

export interface WriteCommitOptions {
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
export async function writeCommit(options: WriteCommitOptions): Promise<readonly string[]> {
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
