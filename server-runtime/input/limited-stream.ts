import { Transform } from 'node:stream';

/** A stream that fails with `tooLarge` once more than `limit` bytes have passed through it. */
export function createLimitedStream(limit: number, tooLarge: () => Error): Transform {
  let size = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length;
      if (size > limit) next(tooLarge());
      else next(null, chunk);
    },
  });
  // A handler that does not read the stream does not hear of its end either.
  return stream.on('error', () => {});
}
