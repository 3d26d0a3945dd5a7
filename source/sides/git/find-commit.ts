/**
 * The commit that a ref names in the repository around a folder; undefined where there is none, or no repository, or no
 * git.
 */
export async function findCommit(ref: string, folder: string): Promise<string | undefined> {
  return runGit(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], folder);
}

/** Whether the repository around a folder lacks a part of its history. */
export async function isShallow(folder: string): Promise<boolean> {
  return (await runGit(['rev-parse', '--is-shallow-repository'], folder)) === 'true';
}

/** The output of git; undefined where it fails. */
export async function runGit(words: readonly string[], folder: string): Promise<string | undefined> {
  const { execa } = await import('execa');
  const { stdout, failed } = await execa('git', words, { cwd: folder, reject: false });
  return failed || typeof stdout !== 'string' ? undefined : stdout.trim();
}
