/**
 * The commit that a ref names in the repository around a folder; undefined where there is none, or no repository, or no
 * git.
 */
export async function findCommit(ref: string, folder: string): Promise<string | undefined> {
  return runGit(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], folder);
}

/** The output of git; undefined where it fails. */
export async function runGit(words: readonly string[], folder: string): Promise<string | undefined> {
  const { execa } = await import('execa');
  const { stdout, failed } = await execa('git', words, { cwd: folder, reject: false });
  return failed || typeof stdout !== 'string' ? undefined : stdout.trim();
}
