import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import { findBlob } from './git/find-blob.ts';
import type { Ref } from './git/find-commit.ts';
import { findGitOutput } from './git/run-git.ts';
import { LOCK_FILE } from './lock-file.ts';
import { readDocumentBlob, readDocumentFile } from './read-document.ts';
import type { WholeDocument } from './references/follow-references.ts';
import type { LoadSideOptions } from './side-options.ts';

/** The lock file of a project in place of its code. @throws CliError `NoLock`, `InvalidDocument` */
export async function readLock(
  root: string,
  label: string,
  options: LoadSideOptions,
): Promise<WholeDocument> {
  const file = join(root, LOCK_FILE);
  if (!existsSync(file)) throw createCliError('NoLock', { side: label, file: LOCK_FILE });
  return readDocumentFile(file, LOCK_FILE, options);
}

/** The lock file of the project at a commit, which git reads. @throws CliError `NoLock`, `InvalidDocument` */
export async function readLockOfRef(ref: Ref, options: LoadSideOptions): Promise<WholeDocument> {
  const root = await realpath(options.project.root);
  const top = await findGitOutput(['rev-parse', '--show-toplevel'], root);
  const folder = ref.folder ?? relative(top ?? root, root).replaceAll('\\', '/');
  const file = posix.join(folder, LOCK_FILE);
  const blob = await findBlob({ ...ref, folder: file }, { ...options, workingDirectory: root });
  if (blob === undefined) throw createCliError('NoLock', { side: ref.label, file });
  return readDocumentBlob(blob, `${ref.label}:${file}`, options);
}
