import type { ByteRange } from '../http/ranges.ts';
import { createSource, type ItemSource } from '../resources/item-source.ts';
import { bytesFormat } from './item-body.ts';

/**
 * The bytes of a range of a stream, which is read from its beginning. To read them throws a RangeError where the stream
 * does not have the `length` that its handler says, in bytes.
 */
export function sliceBytes(
  source: ItemSource,
  { first, last }: ByteRange,
  length: number,
): ItemSource {
  /** The place of the next chunk in the stream. */
  let at = 0;

  const next = async (): Promise<IteratorResult<unknown>> => {
    for (;;) {
      // Its reader ends the source then: a slow rest would hold up the next response of the connection. Behind the last
      // byte of all, the source is read on, so that a length which is too small is noticed.
      if (at > last && at < length) return { done: true, value: undefined };
      const result = await source.next();
      if (result.done === true) return expectEnd(result);
      const chunk = bytesFormat.item(result.value);
      const all = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      const part = all.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
      at += all.length;
      if (at > length)
        throw new RangeError(`${LIES} more bytes than its content-length, ${length}.`);
      if (part.length > 0) return { done: false, value: part };
    }
  };

  function expectEnd(result: IteratorResult<unknown>): IteratorResult<unknown> {
    if (at === length) return result;
    throw new RangeError(`${LIES} ${at} bytes, and its content-length is ${length}.`);
  }
  return createSource(true, next, () => source.end());
}

const LIES = 'The stream of the handler gave';
