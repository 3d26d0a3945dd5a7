/** The output of git; undefined where it fails. Another git may be at work: what is only looked at takes no lock. */
export async function runGit(words: readonly string[], folder: string): Promise<string | undefined> {
  const { execa } = await import('execa');
  const { stdout, failed } = await execa('git', ['--no-optional-locks', ...words], { cwd: folder, reject: false });
  return failed || typeof stdout !== 'string' ? undefined : stdout.trim();
}

/**
 * The commit that a ref names in the repository around a folder; undefined where there is none, or no repository, or no
 * git.
 */
export async function findCommit(ref: string, folder: string): Promise<string | undefined> {
  return runGit(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], folder);
}

/**
 * The files of a folder that differ from the last commit, those that git does not know included, relative to the top of
 * the repository. Undefined where there is no repository, no commit or no git.
 */
export async function findChangedFiles(folder: string): Promise<readonly string[] | undefined> {
  const words = 'status --porcelain=v1 --branch -z --no-renames --untracked-files=all -- .';
  const status = await runGit(words.split(' '), folder);
  const [branch = '', ...entries] = status?.split('\0').filter(Boolean) ?? [];
  return branch === '' || branch.startsWith('## No commits yet') ? undefined : entries.map((entry) => entry.slice(3));
}
