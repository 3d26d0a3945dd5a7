import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import { toFileReason } from '../cli/report-failure.ts';

/** A file could not be written, `written` were before it: absolute paths. `cause` is what the system said. */
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
 * Writes files, by their absolute paths, one after the other, and the folders above them. Each is written whole: a
 * reader, or a watcher, never sees half of it. An existing file is replaced and keeps its mode; where it is a link, the
 * file that it leads to is.
 *
 * @throws WriteFailure
 */
export async function writeFiles(files: readonly { readonly file: string; readonly text: string }[]): Promise<void> {
  const written: string[] = [];
  for (const { file, text } of files) {
    try {
      await replaceFile(await findTarget(file), text);
      written.push(file);
    } catch (error) {
      const { syscall, path = file } = error as NodeJS.ErrnoException;
      throw new WriteFailure(error, { file: syscall === 'mkdir' ? path : file, written });
    }
  }
}

async function replaceFile(target: string, text: string): Promise<void> {
  const made = await mkdir(dirname(target), { recursive: true });
  const found = await stat(target).catch(() => undefined);
  if (found?.isDirectory()) throw Object.assign(new Error(`${target} is a folder`), { code: 'EISDIR' });
  if (found !== undefined && !found.isFile()) return writeFile(target, text); // A device, a pipe.
  const draft = join(dirname(target), `.capix-${randomUUID().slice(0, 8)}.tmp`);
  try {
    await writeFile(draft, text);
    if (found !== undefined) await chmod(draft, found.mode);
    await rename(draft, target);
  } catch (error) {
    await rm(made ?? draft, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
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

/** The error of a command that could not write: which file, seen `from` a folder, and why. Others are given back. */
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
    written.length === 0 ? ' Nothing was written.' : ` Written before it: ${written.map(toName).join(', ')}.`;
  return createCliError('WriteFailed', { path: toName(file), reason: toWriteReason(cause), rest }, { hint, cause });
}

/** Why a file could not be written, in a few words: `'it is a folder'`. */
export function toWriteReason(error: unknown): string {
  return toFileReason(error) ?? (error as NodeJS.ErrnoException | undefined)?.code ?? 'unknown';
}
