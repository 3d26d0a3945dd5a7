import { join } from 'node:path';
import { findGitOutput } from './run-git.ts';

/** The code beside a file that changed after the commit which wrote the file last. */
export interface NewerCode {
  /** `1a2b3c4 of 2026-11-29` */
  readonly written: string;
  /** From the top of the repository. */
  readonly files: readonly string[];
}

/**
 * Finds the code that changed after a written file, as git has it: up to a commit, or else in the working tree.
 * Undefined where there is none, or no git, or where the file in the working tree has just been written.
 */
export async function findNewerCode(
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
