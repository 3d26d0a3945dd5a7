import { Transform } from 'node:stream';
import { defaultErrors } from '../errors/default-errors.ts';

/** Passes a file on up to a size, and fails with 413 beyond it. */
export function createLimitedStream(name: string, limit: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length;
      if (size > limit) next(defaultErrors.PayloadTooLarge(...tooLarge(name, limit)));
      else next(null, chunk);
    },
  });
}

/** Message and meta of a file that is too large. */
export function tooLarge(
  name: string,
  limit: number,
): [message: string, meta: { readonly field: string; readonly limit: number }] {
  return [`The file ${quoteName(name)} is larger than ${limit} bytes`, { field: name, limit }];
}

/** A name from the outside, in a message. */
export function quoteName(name: string): string {
  return `'${name.slice(0, 100)}'`;
}
