import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createCliError } from '../../cli/errors/cli-error.ts';
import { toFileReason } from '../../cli/errors/file-reason.ts';
import { expectInside } from '../../files/expect-inside.ts';
import { toWriteError } from '../../files/write-error.ts';
import { writeFiles } from '../../files/write-files.ts';
import type { ProjectFile } from './project-file.ts';

export interface WriteProjectOptions {
  /** Whether the folder may hold other files already; those of the project are then replaced, the others stay. */
  readonly force: boolean;
}

/** The files that a folder may hold and still count as empty. */
const unimportant = ['.git', '.DS_Store'];

/**
 * Writes all files into `folder`, which is made where it is missing; or none: what was there before is there again when it fails.
 *
 * @throws CliError `FolderNotEmpty`, with what is there, unless forced; `LeadsOutside`, `WriteFailed`
 */
export async function writeProject(
  folder: string,
  files: readonly ProjectFile[],
  { force }: WriteProjectOptions,
): Promise<void> {
  if (!force) await expectEmpty(folder);
  const written = files.map(({ path, text }) => ({ file: join(folder, path), text }));
  if (existsSync(folder)) {
    expectInside(
      written.map(({ file }) => file),
      { folder, called: 'the new project' },
    );
  }
  try {
    await writeFiles(written);
  } catch (error) {
    throw toWriteError(error, { from: dirname(folder), hint: 'Fix that, or choose another place.' });
  }
}

/**
 * Checks that a folder is missing or holds nothing of its user's.
 *
 * @throws CliError `FolderNotEmpty`, with what is there; `NotAFolder`
 */
export async function expectEmpty(folder: string): Promise<void> {
  const found = (await readNames(folder)).filter((name) => !unimportant.includes(name)).toSorted();
  if (found.length === 0) return;
  const shown = found.slice(0, 8);
  const more = found.length > shown.length ? ` and ${found.length - shown.length} more` : '';
  throw createCliError('FolderNotEmpty', { path: folder, names: `${shown.join(', ')}${more}` });
}

async function readNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') throw createCliError('NotAFolder', { path: folder }, { cause: error });
    const reason = toFileReason(error) ?? code ?? 'unknown';
    throw createCliError('NoAccess', { path: folder, reason }, { hint: 'Choose another name.', cause: error });
  }
}
