import { lstat, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError } from '../cli/cli-error.ts';
import { writeFileWhole } from '../files/write-file.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { ProjectFile } from './project-files.ts';

export interface WriteProjectOptions {
  /** Whether the folder may hold other files already; those of the project are then replaced, the others stay. */
  readonly force: boolean;
}

/** What a folder may hold and still count as empty. */
const unimportant = ['.git', '.DS_Store'];

/**
 * Writes all files into `folder`, which is made where it is missing; or none: what was there before is there again when it fails.
 *
 * @throws CliError `FolderNotEmpty`, with what is there, unless forced
 */
export async function writeProject(
  folder: string,
  files: readonly ProjectFile[],
  { force }: WriteProjectOptions,
): Promise<void> {
  if (!force) await expectEmpty(folder);
  const firstMade = await mkdir(folder, { recursive: true });
  try {
    await putInPlace(folder, files);
  } catch (error) {
    if (firstMade !== undefined) await rm(firstMade, { recursive: true, force: true });
    throw error;
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
  const shown = found.slice(0, 8).map((name) => stripControl(name));
  const more = found.length > shown.length ? ` and ${found.length - shown.length} more` : '';
  throw new CliError({
    code: 'FolderNotEmpty',
    message: `The folder ${stripControl(folder)} is not empty: it holds ${shown.join(', ')}${more}. Nothing was written.`,
    hint: 'Choose another name, or pass --force: it replaces the files that a new project has too, and deletes none.',
  });
}

async function readNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code !== 'ENOTDIR') throw error;
    throw new CliError({
      code: 'NotAFolder',
      message: `${stripControl(folder)} is a file. Nothing was written.`,
      hint: 'Choose another name.',
      cause: error,
    });
  }
}

/** Writes all files aside, then moves them in; those that they replace wait aside until the last one is in place. */
async function putInPlace(folder: string, files: readonly ProjectFile[]): Promise<void> {
  const aside = await mkdtemp(join(folder, '.capix-new-'));
  const undo: (() => Promise<unknown>)[] = [];
  try {
    for (const { path, text } of files) await writeFileWhole(join(aside, 'new', path), text);
    for (const { path } of files) {
      const target = join(folder, path);
      const firstMade = await mkdir(dirname(target), { recursive: true });
      if (firstMade !== undefined) undo.push(() => rm(firstMade, { recursive: true }));
      const replaced = join(aside, 'old', path);
      if (await moveIfThere(target, replaced)) undo.push(() => rename(replaced, target));
      await rename(join(aside, 'new', path), target);
      undo.push(() => rm(target));
    }
  } catch (error) {
    for (const step of undo.toReversed()) await step();
    throw error;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function moveIfThere(from: string, to: string): Promise<boolean> {
  const found = await lstat(from).catch(() => undefined);
  if (found === undefined) return false;
  if (found.isDirectory()) {
    throw new CliError({
      code: 'NotAFile',
      message: `${stripControl(from)} is a folder, and a new project has a file of this name. Nothing was changed.`,
      hint: 'Move it away, or choose another name.',
    });
  }
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
  return true;
}
