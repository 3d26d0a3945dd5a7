import { randomUUID } from 'node:crypto';
import { chmod, copyFile, link, mkdir, readlink, realpath, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { replaceFile } from '../system/paths/replace-file.ts';

export interface FileToWrite {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
}

/** A file could not be written; what was there before is there again, but for `left`. `cause` is what the system said. */
export class WriteFailure extends Error {
  override readonly name = 'WriteFailure';
  /** Absolute path of the file. */
  readonly file: string;
  /** Absolute paths of files that were written before and could not be put back. */
  readonly left: readonly string[];

  constructor(cause: unknown, { file, left }: Pick<WriteFailure, 'file' | 'left'>) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.file = file;
    this.left = left;
  }
}

/** As `writeFiles`, for one file. */
export function writeFileWhole(file: string, text: string): Promise<void> {
  return writeFiles([{ file, text }]);
}

/**
 * Writes files one after the other, and the folders above them: all or none. Each is written whole: a reader, or a watcher, never sees half
 * of it. An existing file is replaced and keeps its mode; where it is a link, the file that it leads to is.
 *
 * @throws WriteFailure
 */
export async function writeFiles(files: readonly FileToWrite[]): Promise<void> {
  const undo: UndoStep[] = [];
  const drafts: Draft[] = [];
  let current = '';
  try {
    // Everything that takes room on the disk comes first, so that nothing has to be undone for lack of it.
    for (const [index, { file, text }] of files.entries()) {
      current = file;
      const isLast = index === files.length - 1;
      drafts.push(await writeDraft({ file, text, isLast, undo }));
    }
    for (const { file, draft, target, backup } of drafts) {
      current = file;
      if (draft === undefined) continue;
      await replaceFile(draft, target);
      undo.push({ file, run: () => (backup === undefined ? rm(target) : replaceFile(backup, target)) });
    }
  } catch (error) {
    const { syscall, path = current } = error as NodeJS.ErrnoException;
    throw new WriteFailure(error, { file: syscall === 'mkdir' ? path : current, left: await putBack(undo) });
  }
  for (const { backup } of drafts) if (backup !== undefined) await rm(backup, { force: true }).catch(() => {});
}

interface UndoStep {
  readonly file?: string;
  readonly run: () => Promise<unknown>;
}

/** Gives the files that could not be put back. */
async function putBack(undo: readonly UndoStep[]): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { file, run } of undo.toReversed()) {
    await run().catch(() => file !== undefined && left.push(file));
  }
  return left;
}

interface Draft {
  readonly file: string;
  /** undefined for what was written at once: a device, a pipe. */
  readonly draft: string | undefined;
  readonly target: string;
  /** A copy of what is replaced; undefined where nothing is, or nothing comes after it that could fail. */
  readonly backup: string | undefined;
}

interface DraftOptions extends FileToWrite {
  readonly isLast: boolean;
  /** Gets how to remove what is made. */
  readonly undo: UndoStep[];
}

async function writeDraft({ file, text, isLast, undo }: DraftOptions): Promise<Draft> {
  const target = await findTarget(file);
  const folder = dirname(target);
  await makeFolder(folder, undo);
  const found = await stat(target).catch(() => undefined);
  if (found?.isDirectory()) throw Object.assign(new Error(`${target} is a folder`), { code: 'EISDIR' });
  if (found !== undefined && !found.isFile()) {
    await writeFile(target, text);
    return { file, target, draft: undefined, backup: undefined };
  }
  const toAside = (): string => {
    const path = join(folder, `.capix-${randomUUID().slice(0, 8)}.tmp`);
    undo.push({ run: () => rm(path, { force: true }) });
    return path;
  };
  const draft = toAside();
  await writeFile(draft, text);
  if (found === undefined) return { file, draft, target, backup: undefined };
  await chmod(draft, found.mode);
  if (isLast) return { file, draft, target, backup: undefined };
  const backup = toAside();
  await link(target, backup).catch(() => copyFile(target, backup)); // Some file systems have no second names.
  return { file, draft, target, backup };
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

async function makeFolder(folder: string, undo: UndoStep[]): Promise<void> {
  const isThere = await stat(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      // A drive that is not there is in no folder.
      if (error.code !== 'ENOENT' || dirname(folder) === folder) throw error;
      return false;
    },
  );
  if (isThere) return;
  await makeFolder(dirname(folder), undo);
  await mkdir(folder, { recursive: true });
  undo.push({ run: () => rmdir(folder) });
}
