/**
 * The files of a folder that differ from the last commit, those that git does not know included, relative to the top of
 * the repository. Undefined where there is no repository, no commit or no git.
 */
export async function findChangedFiles(folder: string): Promise<readonly string[] | undefined> {
  const { execa } = await import('execa');
  const { stdout, failed } = await execa(
    'git',
    // Another git may be at work: what is only looked at takes no lock.
    [
      '--no-optional-locks',
      'status',
      '--porcelain=v1',
      '--branch',
      '-z',
      '--no-renames',
      '--untracked-files=all',
      '--',
      '.',
    ],
    { cwd: folder, reject: false, stripFinalNewline: false },
  );
  if (failed || typeof stdout !== 'string') return undefined;
  const [branch = '', ...entries] = stdout.split('\0').filter((entry) => entry !== '');
  return branch.startsWith('## No commits yet') ? undefined : entries.map((entry) => entry.slice(3));
}
