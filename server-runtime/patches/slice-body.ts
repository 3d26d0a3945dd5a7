import type { Readable } from 'node:stream';

/** Bytes. */
const SLICE = 16 * 1024;

/**
 * Cuts the chunks of a body of fetch, which may be a whole body: the parser of forms reads a chunk to its end, however
 * early a limit has ended the form.
 */
export function sliceBody(body: Readable): Readable {
  const push = body.push.bind(body);
  body.push = (chunk: Uint8Array | null): boolean => {
    if (chunk === null || chunk.length <= SLICE) return push(chunk);
    let wantsMore = true;
    for (let at = 0; at < chunk.length; at += SLICE)
      wantsMore = push(chunk.subarray(at, at + SLICE));
    return wantsMore;
  };
  return body;
}
