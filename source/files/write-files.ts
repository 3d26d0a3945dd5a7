import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, mkdir, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import { toFileReason } from '../cli/report-failure.ts';

export interface FileToWrite {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
  /** The permissions of its readers and writers. @default those of the file before, or by the mask of the user */
  readonly mode?: number;
}

/**
 * A file could not be written, and no other was but for `written`: absolute paths. `cause` is the error of the system.
 */
export class WriteFailure extends Error {
  override readonly name = 'WriteFailure';
  readonly file: string;
  readonly written: readonly string[];

  constructor(cause: unknown, { file, written }: Pick<WriteFailure, 'file' | 'written'>) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.file = file;
    this.written = written;
  }
}

/** As `writeFiles`, for one file. */
export function writeFileWhole(file: string, text: string): Promise<void> {
  return writeFiles([{ file, text }]);
}

/**
 * Writes files one after the other, and the folders above them. Each is written whole: a reader, or a watcher, never
 * sees half of it. An existing file is replaced and keeps its mode; where it is a link, the file that it leads to is.
 * All texts are on the disk before the first file gets its name, so that a full disk, or a folder that cannot be
 * written, leaves nothing behind.
 *
 * @throws WriteFailure
 */
export async function writeFiles(files: readonly FileToWrite[]): Promise<void> {
  const folders: string[] = [];
  const written: string[] = [];
  const drafts: { readonly file: string; readonly draft: string; readonly target: string }[] = [];
  let current = '';
  try {
    for (const { file, text, mode } of files) {
      current = file;
      const target = await findTarget(file);
      const made = await mkdir(dirname(target), { recursive: true });
      if (made !== undefined) folders.push(made);
      const found = await stat(target).catch(() => undefined);
      expectNoFolder(target, found);
      if (found !== undefined && !found.isFile()) {
        await writeFile(target, text); // A device, a pipe.
        continue;
      }
      const draft = join(dirname(target), `.capix-${randomUUID().slice(0, 8)}.tmp`);
      drafts.push({ file, draft, target });
      await writeFile(draft, text, { mode });
      if (found !== undefined) await chmod(draft, mode ?? found.mode);
    }
    for (const { file, draft, target } of drafts) {
      current = file;
      await rename(draft, target);
      written.push(file);
    }
  } catch (error) {
    await removeAll(drafts.map(({ draft }) => draft));
    if (written.length === 0) await removeAll(folders);
    const { syscall, path = current } = error as NodeJS.ErrnoException;
    throw new WriteFailure(error, { file: syscall === 'mkdir' ? path : current, written });
  }
}

/** @throws NodeJS.ErrnoException as Node does where a folder is opened to be written */
function expectNoFolder(target: string, found: Stats | undefined): void {
  if (found?.isDirectory())
    throw Object.assign(new Error(`${target} is a folder`), { code: 'EISDIR' });
}

/** Removes what a failed write leaves; what cannot be removed stays, since the failure itself is reported. */
async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { recursive: true, force: true }).catch(() => {});
}

/** Gives where a file really is or will be, behind links at its end. */
async function findTarget(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const next = await readlink(file).catch(() => undefined);
    return next === undefined ? file : findTarget(resolve(dirname(file), next));
  }
}

/**
 * The error of a command that could not write: which file, seen `from` a folder, and why. Returns any other error as it
 * is.
 */
export function toWriteError(
  thrown: unknown,
  { from, hint }: { readonly from: string; readonly hint?: string },
): unknown {
  if (!(thrown instanceof WriteFailure)) return thrown;
  const { file, written, cause } = thrown;
  const toName = (path: string): string => {
    const name = relative(from, path).replaceAll('\\', '/');
    return name.startsWith('..') || name === '' ? path : name;
  };
  const rest =
    written.length === 0
      ? ' Nothing was written.'
      : ` Written before it: ${written.map(toName).join(', ')}.`;
  return createCliError(
    'WriteFailed',
    { path: toName(file), reason: toWriteReason(cause), rest },
    { hint, cause },
  );
}

/** Why a file could not be written, in a few words: `'not a directory'`. */
export function toWriteReason(error: unknown): string {
  return toFileReason(error) ?? (error as NodeJS.ErrnoException | undefined)?.code ?? 'unknown';
}
