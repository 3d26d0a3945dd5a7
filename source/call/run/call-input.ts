import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, relative, resolve } from 'node:path';
import { lookup } from 'mrmime';
import type { UploadedFile } from '../../../server-runtime/input/uploaded-file.ts';
import { toFileReason } from '../../cli/report-failure.ts';
import type { FormField } from '../../document/form-field.ts';

/** The input of a call. */
export interface CallInput {
  /** Without the files. */
  readonly json: unknown;
  /** Absolute paths of the files of this machine that a field takes, by its name. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}

/** Tells the files of an input from the rest of it: a path is from `folder`, `~` is the user's folder. */
export function toCallInput(field: FormField, input: unknown, folder: string): CallInput {
  const files = findFiles(field, input);
  if (files.length === 0) return { json: input, files: {} };
  const json = Object.entries(input as object).filter(([name]) => files.every((file) => file.name !== name));
  const absolute = files.map(({ name, paths }) => [name, paths.map((path) => toAbsolute(path, folder))] as const);
  return { json: Object.fromEntries(json), files: Object.fromEntries(absolute) };
}

/** The input with its paths of files, which are from the folder `from`, as they are from `to`. */
export function withPathsFrom(field: FormField, input: unknown, { from, to }: Readonly<Record<'from' | 'to', string>>) {
  const moved = findFiles(field, input).map(({ name, paths }) => {
    const own = paths.map((path) => relative(to, toAbsolute(path, from)));
    return [name, Array.isArray((input as Readonly<Record<string, unknown>>)[name]) ? own : own[0]] as const;
  });
  return moved.length === 0 ? input : { ...(input as object), ...Object.fromEntries(moved) };
}

function toAbsolute(path: string, folder: string): string {
  return resolve(folder, path.replace(/^~(?=[\\/])/, homedir()));
}

function findFiles({ kind }: FormField, input: unknown) {
  if (kind.kind !== 'group' || typeof input !== 'object' || input === null || Array.isArray(input)) return [];
  const values = input as Readonly<Record<string, unknown>>;
  return kind.fields().flatMap(({ name, kind: own }) => {
    const isFile = own.kind === 'file' || (own.kind === 'list' && own.item().kind.kind === 'file');
    const paths = isFile && values[name] !== undefined ? [values[name]].flat() : [];
    return paths.length > 0 && paths.every((path) => typeof path === 'string') ? [{ name, paths }] : [];
  });
}

/** A file that a call names and that cannot be read. */
export class MissingFile extends Error {
  /** Name of its field. */
  readonly field: string;

  constructor(field: string, reason: string) {
    super(reason);
    this.field = field;
  }
}

/**
 * The files of a call, by field, as a form would bring them; the type is told by the end of the name.
 *
 * @throws MissingFile
 */
export async function readFiles(
  files: CallInput['files'],
): Promise<readonly (readonly [field: string, files: readonly UploadedFile[]])[]> {
  return Promise.all(
    Object.entries(files).map(
      async ([field, paths]) => [field, await Promise.all(paths.map((path) => readOne(field, path)))] as const,
    ),
  );
}

async function readOne(field: string, path: string): Promise<UploadedFile> {
  try {
    const buffer = await readFile(path);
    const mimeType = lookup(path) ?? 'application/octet-stream';
    return { buffer, mimeType, filename: basename(path), size: buffer.byteLength };
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT';
    throw new MissingFile(
      field,
      isMissing ? `No file at ${path}` : `Could not read ${path}: ${toFileReason(error) ?? code}`,
    );
  }
}
