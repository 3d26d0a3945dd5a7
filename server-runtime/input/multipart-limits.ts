import { expectInteger, expectKnownOptions, type OptionNames } from '../errors/expect-options.ts';

/** Limits of one form. Each is checked while the form is read, before what exceeds it is in memory. */
export interface MultipartOptions {
  /** Bytes a file. @default 5242880 (5 MiB) */
  readonly maxFileSize?: number | undefined;
  /** @default 10 */
  readonly maxFiles?: number | undefined;
  /** Media types such as `image/png` or `image/*`. @default all */
  readonly allowedMimeTypes?: readonly string[] | undefined;
  /** Bytes of all text fields together. @default 1048576 (1 MiB) */
  readonly maxFieldsSize?: number | undefined;
  /** Files and text fields. @default 1000 */
  readonly maxParts?: number | undefined;
}

export interface MultipartLimits {
  readonly maxFileSize: number;
  readonly maxFiles: number;
  readonly allowedMimeTypes: readonly string[] | undefined;
  readonly maxFieldsSize: number;
  readonly maxParts: number;
}

const optionNames: OptionNames<MultipartOptions> = {
  maxFileSize: true,
  maxFiles: true,
  allowedMimeTypes: true,
  maxFieldsSize: true,
  maxParts: true,
};

const MIB = 1024 * 1024;

/** @throws TypeError or RangeError that names the option */
export function toMultipartLimits(options: MultipartOptions = {}): MultipartLimits {
  expectKnownOptions('restTransport({multipart})', options, optionNames);
  const limits: MultipartLimits = {
    maxFileSize: options.maxFileSize ?? 5 * MIB,
    maxFiles: options.maxFiles ?? 10,
    allowedMimeTypes: options.allowedMimeTypes,
    maxFieldsSize: options.maxFieldsSize ?? MIB,
    maxParts: options.maxParts ?? 1000,
  };
  for (const option of ['maxFileSize', 'maxFiles', 'maxFieldsSize', 'maxParts'] as const)
    expectInteger(`multipart.${option}`, limits[option], { min: 0 });
  const types: unknown = limits.allowedMimeTypes;
  if (
    types !== undefined &&
    !(Array.isArray(types) && types.every((type) => typeof type === 'string' && type.includes('/')))
  ) {
    throw new TypeError("multipart.allowedMimeTypes: expected a list of media types such as ['image/png', 'image/*'].");
  }
  return limits;
}
