import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import { toFirstNames } from '../values/count.ts';
import { findBlob } from './git/find-blob.ts';
import type { Ref } from './git/find-commit.ts';
import { findGitOutput } from './git/run-git.ts';
import { LOCK_FILE } from './lock-file.ts';
import { readDocumentBlob, readDocumentFile } from './read-document.ts';
import type { WholeDocument } from './references/follow-references.ts';
import type { LoadSideOptions } from './side-options.ts';

/** A lock file that was read in the place of code. */
export interface LockedDocument extends WholeDocument {
  /** What tells that it may not be the contract of the code. */
  readonly notes: readonly string[];
}

/** The lock file of a project in place of its code. @throws CliError `NoLock`, `InvalidDocument` */
export async function readLock(
  root: string,
  label: string,
  options: LoadSideOptions,
): Promise<LockedDocument> {
  const file = join(root, LOCK_FILE);
  if (!existsSync(file)) throw createCliError('NoLock', { side: label, file: LOCK_FILE });
  const document = await readDocumentFile(file, LOCK_FILE, options);
  return { ...document, notes: await findAge(LOCK_FILE, { label: 'the working tree', root }) };
}

/** The lock file of the project at a commit, which git reads. @throws CliError `NoLock`, `InvalidDocument` */
export async function readLockOfRef(ref: Ref, options: LoadSideOptions): Promise<LockedDocument> {
  const root = await realpath(options.project.root);
  const top = await findGitOutput(['rev-parse', '--show-toplevel'], root);
  const folder = ref.folder ?? relative(top ?? root, root).replaceAll('\\', '/');
  const file = posix.join(folder, LOCK_FILE);
  const blob = await findBlob({ ...ref, folder: file }, { ...options, workingDirectory: root });
  if (blob === undefined) throw createCliError('NoLock', { side: ref.label, file });
  const document = await readDocumentBlob(blob, `${ref.label}:${file}`, options);
  return { ...document, notes: await findAge(blob.path, { ...ref, root: blob.top }) };
}

/** The most names of files that a note lists. */
const MAX_NAMES = 3;

/** Says that code changed after the lock file was written: nobody can tell without running it whether it is stale. */
async function findAge(
  file: string,
  { label, commit, root }: { readonly root: string } & Partial<Ref>,
): Promise<readonly string[]> {
  const newer = await findNewerCode(file, root, commit);
  if (newer === undefined) return [];
  const { written, files } = newer;
  return [
    `${LOCK_FILE} of ${label} may be stale: it was written in ${written}, and code changed after it ` +
      `(${toFirstNames(files, MAX_NAMES)}). \`capix lock --check\`, which runs the code, tells.`,
  ];
}

/** The code beside a file that changed after the commit which wrote the file last. */
interface NewerCode {
  /** `1a2b3c4 of 2026-11-29` */
  readonly written: string;
  /** From the top of the repository. */
  readonly files: readonly string[];
}

/**
 * Finds the code that changed after a written file, as git has it: up to a commit, or else in the working tree.
 * Undefined where there is none, or no git, or where the file in the working tree has just been written.
 */
async function findNewerCode(
  /** The file, from the folder. */
  file: string,
  folder: string,
  commit?: string,
): Promise<NewerCode | undefined> {
  const isWritten =
    commit === undefined && (await findGitOutput(['status', '--porcelain', '--', file], folder));
  if (isWritten) return undefined;
  const last = ['log', '-1', '--format=%h of %cs', commit ?? 'HEAD', '--', file];
  const written = await findGitOutput(last, folder);
  const hash = written?.split(' ')[0];
  if (written === undefined || hash === undefined || hash === '') return undefined;
  const range = commit === undefined ? [hash] : [hash, commit];
  const words = ['diff', '--name-only', '-z', '--no-renames', ...range, '--', join(file, '..')];
  const changed = await findGitOutput(words, folder);
  const files = (changed ?? '')
    .split('\0')
    .filter((name) => isCode.test(name) && !isTest.test(name));
  return files.length === 0 ? undefined : { written, files };
}

const isCode = /\.[cm]?[jt]sx?$/i;
const isTest = /(^|\/)(tests?|__tests__)\/|\.(test|spec)\.[cm]?[jt]sx?$/i;
