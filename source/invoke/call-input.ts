import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, relative, resolve } from 'node:path';
import { lookup } from 'mrmime';
import type { UploadedFile } from '../../server-runtime/input/uploaded-file.ts';
import { toAccessReason } from '../cli/report-failure.ts';
import type { FormField } from '../document/form-field.ts';
import { isJsonObject } from '../values/json.ts';

export interface CallInput {
  /** Without the files. */
  readonly json: unknown;
  /** Absolute paths of the files of this machine that a field takes, by its name. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}

/** Tells the files of an input from the rest of it: a path is from `folder`, `~` is the user's folder. */
export function toCallInput(field: FormField, input: unknown, folder: string): CallInput {
  const found = findFiles(field, input).map(([name, paths]) => [
    name,
    paths.map((path) => toAbsolutePath(path, folder)),
  ]);
  const files = Object.fromEntries(found) as CallInput['files'];
  if (found.length === 0) return { json: input, files };
  return {
    json: Object.fromEntries(Object.entries(input as object).filter(([name]) => !(name in files))),
    files,
  };
}

/** The input with its paths of files, which are from the folder `from`, as they are from `to`. */
export function withPathsFrom(
  field: FormField,
  input: unknown,
  { from, to }: Readonly<Record<'from' | 'to', string>>,
) {
  const moved = findFiles(field, input).map(([name, paths, isList]) => {
    const own = paths.map((path) => relative(to, toAbsolutePath(path, from)));
    return [name, isList ? own : own[0]] as const;
  });
  return moved.length === 0 ? input : { ...(input as object), ...Object.fromEntries(moved) };
}

export function toAbsolutePath(path: string, folder: string): string {
  return resolve(folder, path.replace(/^~(?=[\\/])/, homedir()));
}

type FoundFiles = readonly [name: string, paths: readonly string[], isList: boolean];

function findFiles({ kind }: FormField, input: unknown): readonly FoundFiles[] {
  if (kind.kind !== 'group' || !isJsonObject(input)) return [];
  return kind.fields().flatMap(({ name, kind: own }): readonly FoundFiles[] => {
    const value = input[name];
    const isFile = own.kind === 'file' || (own.kind === 'list' && own.item().kind.kind === 'file');
    const paths = isFile && value !== undefined ? [value].flat() : [];
    const isPath = (path: unknown): path is string => typeof path === 'string';
    return paths.length > 0 && paths.every(isPath) ? [[name, paths, Array.isArray(value)]] : [];
  });
}

/** A file that a call names and that cannot be read; `field` names its field. */
export class MissingFile extends Error {
  readonly field: string;

  constructor(field: string, reason: string) {
    super(reason);
    this.field = field;
  }
}

type ReadField = readonly [field: string, files: readonly UploadedFile[]];

/**
 * The files of a call, by field, as a form would send them. The end of a name decides the media type.
 *
 * @throws MissingFile
 */
export async function readFiles(files: CallInput['files']): Promise<readonly ReadField[]> {
  const fields = Object.entries(files).map(
    async ([field, paths]): Promise<ReadField> => [
      field,
      await Promise.all(paths.map((path) => readOne(field, path))),
    ],
  );
  return Promise.all(fields);
}

async function readOne(field: string, path: string): Promise<UploadedFile> {
  const buffer = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    const reason = toAccessReason(error);
    throw new MissingFile(
      field,
      error.code === 'ENOENT' ? `No file at ${path}` : `Could not read ${path}: ${reason}`,
    );
  });
  // The table has the video format of that name for TypeScript.
  const mimeType = /\.[cm]?tsx?$/.test(path)
    ? 'text/plain'
    : (lookup(path) ?? 'application/octet-stream');
  return { buffer, mimeType, filename: basename(path), size: buffer.byteLength };
}
