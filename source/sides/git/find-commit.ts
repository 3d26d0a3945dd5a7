import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CliError, createCliError } from '../../cli/cli-error.ts';
import { findGitOutput, runGit } from './run-git.ts';

/** The commit that a ref names in the repository around a folder; undefined where there is none, or no git. */
export async function findCommit(ref: string, folder: string): Promise<string | undefined> {
  return findGitOutput(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`],
    folder,
  );
}

export interface Ref {
  readonly label: string;
  readonly commit: string;
  /**
   * The folder or file behind the colon, from the top of the repository.
   *
   * @default the folder where the project is now
   */
  readonly folder?: string | undefined;
}

/**
 * Finds what a name means to git: `main`, `main:services/api`; the commit at which two branches parted: `main...topic`,
 * or `main...` for the one that is checked out. `isFolder`: whether it is also a folder on the disk.
 *
 * @throws CliError `UnknownSide`
 */
export async function expectRef(label: string, root: string, isFolder: boolean): Promise<Ref> {
  const range = parseRange(label);
  if (range !== undefined) return { label, commit: await expectMergeBase(range, root) };
  const commit = await findCommit(label, root);
  if (commit !== undefined) return { label, commit };
  const parts = /^(?<ref>[^:]+):(?<folder>.*)$/.exec(label)?.groups;
  const ofFolder = parts && (await findCommit(parts['ref'] ?? '', root));
  if (parts !== undefined && ofFolder !== undefined)
    return { label, commit: ofFolder, folder: parts['folder']?.replace(/^\.?\/|\/$/g, '') };
  throw await toUnknown(label, root, isFolder);
}

interface Range {
  readonly from: string;
  /** @default what is checked out */
  readonly to: string | undefined;
}

/** `main...topic` or `main...`; undefined where the words are not a range of git. */
export function parseRange(label: string): Range | undefined {
  const parts = /^(?<from>[^\s:]*[^\s:./\\])\.\.\.(?<to>[^\s:./\\][^\s:]*)?$/.exec(label)?.groups;
  const from = parts?.['from'];
  return from === undefined ? undefined : { from, to: parts?.['to'] };
}

/** Where two branches parted, as `git diff A...B` has it. */
async function expectMergeBase({ from, to = 'HEAD' }: Range, root: string): Promise<string> {
  for (const ref of [from, to])
    if ((await findCommit(ref, root)) === undefined) throw await toUnknown(ref, root, false);
  const base = await findGitOutput(['merge-base', '--end-of-options', from, to], root);
  if (base !== undefined) return base;
  const isShallow = await findGitOutput(['rev-parse', '--is-shallow-repository'], root);
  const hint =
    isShallow === 'true' ? SHALLOW_HINT : `${from} and ${to} have no commit in common: name one.`;
  throw createCliError('UnknownSide', { side: `${from}...${to}` }, { hint });
}

/** Whether everything of a commit is in the history of what is checked out. */
export async function isInHistory(commit: string, root: string): Promise<boolean> {
  return (await findGitOutput(['merge-base', '--is-ancestor', commit, 'HEAD'], root)) !== undefined;
}

async function toUnknown(label: string, root: string, isFolder: boolean): Promise<CliError> {
  const hint = isFolder
    ? `${label} is a folder: name its capabilities file.`
    : await findTrouble(label, root);
  // The last commit is compared with where nothing was named: to say that its name is unknown would not help.
  if (label === 'HEAD' && hint !== undefined)
    return new CliError({ code: 'UnknownSide', message: hint });
  return createCliError('UnknownSide', { side: label }, { hint });
}

const SHALLOW_HINT =
  'The clone is shallow, so that it lacks other branches: `git fetch --unshallow`, or `fetch-depth: 0`.';

/** Why git may know no ref. */
async function findTrouble(label: string, root: string): Promise<string | undefined> {
  const shallow = await runGit(['rev-parse', '--is-shallow-repository'], root);
  if (shallow.kind === 'absent')
    return 'git was not found, which refs are read with: install it, or name a file or a URL.';
  if (shallow.kind === 'refused') {
    if (!/^not a git repository/i.test(shallow.reason)) return `git says: ${shallow.reason}`;
    const where = 'No git repository is found here: name a file or a URL to compare with.';
    return label === 'HEAD' ? where : undefined;
  }
  if (shallow.output === 'true') return SHALLOW_HINT;
  if ((await findCommit('HEAD', root)) !== undefined) return undefined;
  return 'The repository has no commit yet: make the first one, and compare with it.';
}

/**
 * The files of a folder that differ from the last commit, those that git does not know included, relative to the top of
 * the repository. Undefined where there is no repository, no commit or no git.
 */
export async function findChangedFiles(folder: string): Promise<readonly string[] | undefined> {
  const words = 'status --porcelain=v1 --branch -z --no-renames --untracked-files=all -- .';
  const status = await findGitOutput(words.split(' '), folder);
  const [branch = '', ...entries] = status?.split('\0').filter(Boolean) ?? [];
  return branch === '' || branch.startsWith('## No commits yet')
    ? undefined
    : entries.map((entry) => entry.slice(3));
}

/**
 * Gives a reader of a text that is another one after each commit, checkout and reset in the repository around a folder.
 * It reads three small files and starts no git, so that it may run each second. Undefined where there is no repository.
 */
export async function createHeadStamp(
  folder: string,
): Promise<(() => Promise<string>) | undefined> {
  const output = await findGitOutput(['rev-parse', '--git-dir', '--git-common-dir'], folder);
  const [own, common] = output?.split('\n').map((path) => resolve(folder, path)) ?? [];
  if (own === undefined || common === undefined) return undefined;
  return async () => {
    const head = await readText(join(own, 'HEAD'));
    const ref = /^ref: (?<ref>\S+)$/m.exec(head)?.groups?.['ref'];
    const commit = ref === undefined ? '' : await readText(join(common, ref));
    const tables = await Promise.all(
      ['packed-refs', 'reftable/tables.list'].map((name) => readTime(join(common, name))),
    );
    return [head, commit, ...tables].join(' ');
  };
}

function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

function readTime(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
