import { CliError, createCliError } from '../../cli/cli-error.ts';

/** The output of git; undefined where it fails. Another git may be at work: what is only looked at takes no lock. */
export async function runGit(
  words: readonly string[],
  folder: string,
): Promise<string | undefined> {
  const { execa } = await import('execa');
  const { stdout, failed } = await execa('git', ['--no-optional-locks', ...words], {
    cwd: folder,
    reject: false,
  });
  return failed || typeof stdout !== 'string' ? undefined : stdout.trim();
}

/** The commit that a ref names in the repository around a folder; undefined where there is none, or no git. */
export async function findCommit(ref: string, folder: string): Promise<string | undefined> {
  return runGit(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`],
    folder,
  );
}

export interface Ref {
  readonly label: string;
  readonly commit: string;
  /** The folder of the project at that commit, from the top of the repository. @default where it is now */
  readonly folder?: string | undefined;
}

/**
 * Finds what a name means to git: `main`, `main:services/api`. `isFolder`: whether it is also a folder on the disk.
 *
 * @throws CliError `UnknownSide`
 */
export async function expectRef(label: string, root: string, isFolder: boolean): Promise<Ref> {
  const commit = await findCommit(label, root);
  if (commit !== undefined) return { label, commit };
  const [, ref, folder = ''] = /^([^:]+):(.*)$/.exec(label) ?? [];
  const ofFolder = ref === undefined ? undefined : await findCommit(ref, root);
  if (ofFolder !== undefined)
    return { label, commit: ofFolder, folder: folder.replace(/^\.?\/|\/$/g, '') };
  const hint = isFolder
    ? `${label} is a folder: name its capabilities file.`
    : await findTrouble(label, root);
  // The last commit is compared with where nothing was named: to say that its name is unknown would not help.
  if (label === 'HEAD' && hint !== undefined)
    throw new CliError({ code: 'UnknownSide', message: hint });
  throw createCliError('UnknownSide', { side: label }, { hint });
}

/** Why git may know no ref. */
async function findTrouble(label: string, root: string): Promise<string | undefined> {
  const isShallow = await runGit(['rev-parse', '--is-shallow-repository'], root);
  const where = 'No git repository is found here: name a file or a URL to compare with.';
  if (isShallow === undefined) return label === 'HEAD' ? where : undefined;
  if (isShallow === 'true')
    return 'The clone is shallow, so that it lacks other branches: `git fetch --unshallow`, or `fetch-depth: 0`.';
  if ((await findCommit('HEAD', root)) !== undefined) return undefined;
  return 'The repository has no commit yet: make the first one, and compare with it.';
}

/**
 * The files of a folder that differ from the last commit, those that git does not know included, relative to the top of
 * the repository. Undefined where there is no repository, no commit or no git.
 */
export async function findChangedFiles(folder: string): Promise<readonly string[] | undefined> {
  const words = 'status --porcelain=v1 --branch -z --no-renames --untracked-files=all -- .';
  const status = await runGit(words.split(' '), folder);
  const [branch = '', ...entries] = status?.split('\0').filter(Boolean) ?? [];
  return branch === '' || branch.startsWith('## No commits yet')
    ? undefined
    : entries.map((entry) => entry.slice(3));
}
