import type { Readable } from 'node:stream';
import { z } from 'zod';
import { FILE_RULES, type FileRules, matchesMimeType } from '../schema/find-file-rules.ts';

/** A file that came with a form, in memory. */
export interface UploadedFile {
  /** The bytes. */
  readonly buffer: Buffer;
  /** The sender chooses it; check the bytes where it matters. */
  readonly mimeType: string;
  /** Without folders; empty where none was sent. */
  readonly filename: string;
  /** Bytes. */
  readonly size: number;
}

/** A file as it arrives. The form is read no faster than the stream. */
export interface StreamedFile extends Pick<UploadedFile, 'mimeType' | 'filename'> {
  /** Fails with 413 `PayloadTooLarge` at the field's `maxSize`, and when the sender leaves. */
  readonly stream: Readable;
}

/** Which files a field takes. */
export interface UploadedFileOptions {
  /** Bytes; takes the place of the transport's `multipart.maxFileSize`. */
  readonly maxSize?: number | undefined;
  /** Media types such as `image/png` or `image/*`. @default all that the transport allows */
  readonly accept?: readonly string[] | undefined;
}

/**
 * The schema of a file field. Over HTTP a file that is too large is 413 and one of another type 415, before it is in
 * memory. With `stream: true` the handler gets the file as it arrives; fields that follow it in the form are not read.
 */
export function uploadedFile(
  options: UploadedFileOptions & { readonly stream: true },
): z.ZodCustom<StreamedFile, StreamedFile>;
export function uploadedFile(
  options?: UploadedFileOptions & { readonly stream?: false },
): z.ZodCustom<UploadedFile, UploadedFile>;
export function uploadedFile(
  options: UploadedFileOptions & { readonly stream?: boolean } = {},
): z.ZodType {
  const rules: FileRules = { ...options, stream: options.stream ?? false };
  const isFile = rules.stream ? isStreamedFile : isUploadedFile;
  const findProblem = (file: unknown): string | undefined => {
    if (!isFile(file)) return 'Expected a file';
    const { maxSize, accept } = rules;
    if (maxSize !== undefined && 'buffer' in file && file.buffer.byteLength > maxSize)
      return `The file is larger than ${maxSize} bytes`;
    if (accept === undefined || matchesMimeType(file.mimeType, accept)) return undefined;
    return `The file is of type ${file.mimeType}; allowed are ${accept.join(', ')}`;
  };
  return z
    .custom((value) => findProblem(value) === undefined, {
      error: ({ input }) => findProblem(input),
      ...({ [FILE_RULES]: rules } as object),
    })
    .meta({ type: 'string', format: 'binary' });
}

export function isUploadedFile(value: unknown): value is UploadedFile {
  const file = value as Partial<UploadedFile> | null | undefined;
  return ArrayBuffer.isView(file?.buffer) && typeof file?.mimeType === 'string';
}

function isStreamedFile(value: unknown): value is StreamedFile {
  const file = value as Partial<StreamedFile> | null | undefined;
  return typeof file?.stream?.pipe === 'function' && typeof file.mimeType === 'string';
}
