import { expectInteger, expectKnownOptions } from '../errors/expect-options.ts';

/** Limits of one form. Each is checked while the form is read, before the excess is in memory. */
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
  /**
   * Bytes of a form in all, up to a file that is streamed. A form for a capability without a file has `maxBodySize`.
   * @default 52428800 (50 MiB), or `maxFileSize` where that is more
   */
  readonly maxTotalSize?: number | undefined;
}

const MIB = 1024 * 1024;
const defaults = {
  maxFileSize: 5 * MIB,
  maxFiles: 10,
  maxFieldsSize: MIB,
  maxParts: 1000,
  maxTotalSize: 50 * MIB,
};

export type MultipartLimits = Readonly<typeof defaults> &
  Pick<MultipartOptions, 'allowedMimeTypes'>;

/** @throws TypeError or RangeError that names the option */
export function toMultipartLimits(options: MultipartOptions = {}): MultipartLimits {
  const { allowedMimeTypes: types, ...numbers } = options;
  expectKnownOptions('restTransport({multipart})', numbers, defaults);
  if (
    types !== undefined &&
    !(Array.isArray(types) && types.every((type) => String(type).includes('/')))
  )
    throw new TypeError(
      "multipart.allowedMimeTypes: expected a list of media types such as ['image/png', 'image/*'].",
    );
  const limits = { ...defaults, allowedMimeTypes: types };
  for (const name of Object.keys(defaults) as (keyof typeof defaults)[])
    limits[name] = expectInteger(`multipart.${name}`, numbers[name] ?? defaults[name], { min: 0 });
  if (numbers.maxTotalSize === undefined)
    limits.maxTotalSize = Math.max(limits.maxTotalSize, limits.maxFileSize);
  return limits;
}
