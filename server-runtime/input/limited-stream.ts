import { Readable } from 'node:stream';

/**
 * Gives the bytes of `source`, and fails with `tooLarge` once there are more than `limit`. Its caller passes the errors
 * of `source` on. A `Transform` behind a `pipeline` costs a form 70 µs, a fifth of all.
 */
export function createLimitedStream(
  source: Readable,
  limit: number,
  tooLarge: () => Error,
): Readable {
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > limit) stream.destroy(tooLarge());
    // A stream that has ended early takes no more.
    if (!stream.push(chunk)) source.pause();
  };
  const stream = new Readable({ read: () => void source.resume() });
  // A form ends in the bytes that end its file. Before Node has read them all, an answer would close the connection.
  source.on('data', take).once('end', () => setImmediate(() => stream.push(null)));
  // A handler that does not read the stream does not hear of its end either.
  return stream.on('error', () => {});
}
