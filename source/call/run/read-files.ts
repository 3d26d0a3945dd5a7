import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { lookup } from 'mrmime';
import type { UploadedFile } from '../../../server-runtime/input/uploaded-file.ts';
import { toFileReason } from '../../cli/errors/file-reason.ts';
import type { CallInput } from './call-input.ts';

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
    throw new MissingFile(field, toReason(error as NodeJS.ErrnoException, path));
  }
}

function toReason(error: NodeJS.ErrnoException, path: string): string {
  if (error.code === 'ENOENT') return `No file at ${path}`;
  return `Could not read ${path}: ${toFileReason(error) ?? error.code ?? 'unknown'}`;
}
