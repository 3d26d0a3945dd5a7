import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import {
  chmod,
  mkdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import { toAccessReason } from '../cli/report-failure.ts';
import { expectInside } from './expect-inside.ts';

export interface FileToWrite {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
  /** The permissions of its readers and writers. @default those of the file before, or by the mask of the user */
  readonly mode?: number;
}

/**
 * A file could not be written, and all others are as before, but for those of `written` (absolute paths), which could
 * not be put back. `cause` is the error of the system.
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
 * Writes a file of a project by its path from there, whole.
 *
 * @throws CliError `WriteFailed`; `LeadsOutside` where a link on its way leads out of the project
 */
export async function writeInProject(root: string, path: string, text: string): Promise<void> {
  const file = join(root, path);
  expectInside([file], { folder: root, called: 'the project' });
  await writeFileWhole(file, text).catch((error: unknown) => {
    throw toWriteError(error, { from: root });
  });
}

/**
 * Writes files one after the other, and the folders above them. Each is written whole: a reader, or a watcher, never
 * sees half of it. An existing file is replaced and keeps its mode; where it is a link, the file that it leads to is.
 * All texts are on the disk before the first file gets its name, so that a full disk, or a folder that cannot be
 * written, leaves nothing behind. Where a file cannot get its name, those before it are put back.
 *
 * @throws WriteFailure
 */
export async function writeFiles(files: readonly FileToWrite[]): Promise<void> {
  const begun: Begun = { folders: [], drafts: [], written: [], current: '' };
  try {
    for (const file of files) await writeDraft(file, begun);
    for (const draft of begun.drafts) {
      begun.current = draft.file;
      await rename(draft.path, draft.target);
      begun.written.push(draft);
    }
  } catch (error) {
    const { syscall, path = begun.current } = error as NodeJS.ErrnoException;
    const file = syscall === 'mkdir' ? path : begun.current;
    throw new WriteFailure(error, { file, written: await undo(begun) });
  }
}

interface Begun {
  /** Those that were made, in their order. */
  readonly folders: string[];
  readonly drafts: Draft[];
  /** The drafts that have their names. */
  readonly written: Draft[];
  /** The file that is worked on. */
  current: string;
}

interface Draft {
  readonly file: string;
  /** Where the new text waits for the name of `target`. */
  readonly path: string;
  /** The file behind links. */
  readonly target: string;
  /** The file that it replaces; undefined where there is none. */
  readonly before: { readonly content: Buffer; readonly mode: number } | undefined;
}

async function writeDraft({ file, text, mode }: FileToWrite, begun: Begun): Promise<void> {
  begun.current = file;
  const target = await findTarget(file);
  begun.folders.push(...(await makeFolders(dirname(target))));
  const found = await stat(target).catch(() => undefined);
  expectNoFolder(target, found);
  // A device, a pipe.
  if (found !== undefined && !found.isFile()) return writeFile(target, text);
  const path = join(dirname(target), `.capix-${randomUUID().slice(0, 8)}.tmp`);
  const before = found && { content: await readFile(target), mode: found.mode };
  begun.drafts.push({ file, path, target, before });
  await writeFile(path, text, { mode });
  if (before !== undefined) await chmod(path, mode ?? before.mode);
}

/** Makes all as it was; gives the files (absolute paths) of which that could not be. */
async function undo({ folders, drafts, written }: Begun): Promise<readonly string[]> {
  const stayed: string[] = [];
  for (const { path } of drafts) await rm(path, { force: true }).catch(() => {});
  for (const draft of written.toReversed())
    await putBack(draft).catch(() => stayed.unshift(draft.file));
  for (const folder of folders.toReversed()) await rmdir(folder).catch(() => {});
  return stayed;
}

/** Makes a folder and those around it; gives those that were not there, the outermost first. */
async function makeFolders(folder: string): Promise<readonly string[]> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return [];
  const names = relative(first, folder).split(sep).filter(Boolean);
  return [first, ...names.map((_, at) => join(first, ...names.slice(0, at + 1)))];
}

async function putBack({ path, target, before }: Draft): Promise<void> {
  if (before === undefined) return rm(target);
  await writeFile(path, before.content);
  await chmod(path, before.mode);
  await rename(path, target);
}

/** @throws NodeJS.ErrnoException as Node does where a folder is opened to be written */
function expectNoFolder(target: string, found: Stats | undefined): void {
  if (found?.isDirectory())
    throw Object.assign(new Error(`${target} is a folder`), { code: 'EISDIR' });
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
      : ` These were written and could not be put back: ${written.map(toName).join(', ')}.`;
  return createCliError(
    'WriteFailed',
    { path: toName(file), reason: toAccessReason(cause), rest },
    { hint, cause },
  );
}
