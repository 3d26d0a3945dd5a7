import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { lookup } from 'mrmime';
import { toFieldValue, toInputPlan } from '../../../server-runtime/input/input-fields.ts';
import type { UploadedFile } from '../../../server-runtime/input/uploaded-file.ts';
import type { Operation } from '../../../server-runtime/registry/operation.ts';
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

/**
 * Reads the input of a call in this process: its files as a form would bring them.
 *
 * @throws MissingFile
 */
export async function readInputWithFiles({ definition }: Operation, { json, files }: CallInput): Promise<unknown> {
  const read = await readFiles(files);
  if (read.length === 0) return json ?? {};
  const plan = toInputPlan(definition.schema);
  const values = read.map(([name, sent]) => {
    const field = plan.inside(name);
    const isStreamed = field?.reading.file?.stream === true;
    const given = isStreamed ? sent.map((file) => ({ ...file, stream: Readable.from([file.buffer]) })) : sent;
    return [name, toFieldValue(field, given)];
  });
  return { ...(json as object), ...Object.fromEntries(values) };
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
