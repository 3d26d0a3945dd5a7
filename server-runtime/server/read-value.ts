import { isReply } from '../capability/reply.ts';
import { isSse } from '../capability/sse.ts';
import { defaultErrors } from '../errors/default-errors.ts';

/** The longest stream that is read, bytes or items. */
const MAX_LENGTH = 1024 * 1024;

/**
 * What a handler gave, as one value: the data of `reply(…)`, the text or JSON of a `Response`, the text of a stream, the
 * items of an async iterable. Rejects with 413 `PayloadTooLarge` for a stream of more than 1 MiB, and with what its source
 * throws.
 */
export async function readValue(value: unknown): Promise<unknown> {
  if (isReply(value)) return readValue(value.data);
  if (value instanceof Uint8Array) return toText([value]);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Response) return readResponse(value);
  return Symbol.asyncIterator in value ? readAll(value as AsyncIterable<unknown>) : value;
}

async function readResponse(response: Response): Promise<unknown> {
  const text = response.body === null ? '' : await readAll(response.body);
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
  return isJson && typeof text === 'string' ? (JSON.parse(text) as unknown) : text;
}

async function readAll(items: AsyncIterable<unknown>): Promise<unknown> {
  const all: unknown[] = [];
  let length = 0;
  for await (const item of items) {
    length += item instanceof Uint8Array || typeof item === 'string' ? item.length : 1;
    if (length > MAX_LENGTH) throw defaultErrors.PayloadTooLarge('The answer is longer than 1 MiB');
    all.push(isSse(item) ? item.data : item);
  }
  return all.length > 0 && all.every((item) => item instanceof Uint8Array) ? toText(all) : all;
}

function toText(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).toString('utf8');
}
