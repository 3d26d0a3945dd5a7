import { setImmediate as nextTurn } from 'node:timers/promises';
import { isSse, toReplyData } from '../capability/reply.ts';
import { defaultErrors } from '../errors/define-error.ts';
import {
  findItemSource,
  type ItemSource,
  isResponse,
  untilAborted,
} from '../resources/item-source.ts';

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** Called with the end of a source that is left early: the promise fulfils when the source has cleaned up. */
  readonly onLetGo?: ((cleaned: Promise<void>) => void) | undefined;
  /** Called with each item of a stream of values as it comes, but not with chunks of bytes. */
  readonly onItem?: ((item: unknown) => void) | undefined;
  /** The most JSON that the items of a stream may have together, bytes, and the error beyond that. @default 1 MiB */
  readonly limit?: { readonly bytes: number; readonly toError: () => Error } | undefined;
  /** Whether bytes become a text. @default always */
  readonly isText?: ((bytes: Uint8Array) => boolean) | undefined;
}

const oneMebibyte = {
  bytes: 1024 * 1024,
  toError: () => defaultErrors.PayloadTooLarge('The answer is longer than 1 MiB'),
};
/**
 * A stream may make items without a pause. The reader waits a turn between groups of them, so that a timeout can fire.
 */
const ITEMS_IN_A_TURN = 256;

/**
 * Reads the value of a handler as one value: the data of `reply(…)`, the text or JSON of a `Response`, the text of a
 * stream, the items of an async iterable. A source that is not read to its end is ended.
 */
export async function readValue(
  value: unknown,
  { isText = () => true, ...options }: ReadOptions,
): Promise<unknown> {
  const data = toReplyData(value);
  const decode = (bytes: Uint8Array): unknown => (isText(bytes) ? toText(bytes) : bytes);
  if (data instanceof Uint8Array) return decode(data);
  const source = findItemSource(data);
  const items = source === undefined ? [] : await readAll(source, options);
  if (isResponse(data)) return items.every(isBytes) ? readBody(data, items, decode) : items;
  if (source === undefined) return data;
  return items.length > 0 && items.every(isBytes) ? decode(Buffer.concat(items)) : items;
}

/** The body of a `Response`: JSON is its value, and none is the empty text. */
function readBody(
  { headers }: Response,
  chunks: readonly Uint8Array[],
  decode: (bytes: Uint8Array) => unknown,
): unknown {
  if (chunks.length === 0) return '';
  const bytes = Buffer.concat(chunks);
  const isJson = /[/+]json\b/.test(headers.get('content-type') ?? '');
  return isJson ? JSON.parse(toText(bytes)) : decode(bytes);
}

async function readAll(
  source: ItemSource,
  { signal, onLetGo, onItem, limit = oneMebibyte }: ReadOptions,
): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  let length = 0;
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await untilAborted(source.next(), signal);
      isOver = done === true;
      if (isOver) return all;
      const item = isSse(value) ? value.data : value;
      const most = isBytes(item) ? oneMebibyte : limit;
      length += toLength(item);
      if (length > most.bytes) throw most.toError();
      all.push(item);
      if (!isBytes(item)) onItem?.(item);
      if (all.length % ITEMS_IN_A_TURN === 0) await nextTurn();
    }
  } finally {
    if (!isOver) {
      const cleaned = source.end().then(() => {});
      onLetGo?.(cleaned);
    }
  }
}

/** An item counts at least one byte, so that a stream of empty ones reaches its limit. */
function toLength(item: unknown): number {
  if (isBytes(item)) return Math.max(1, item.byteLength);
  return 1 + Buffer.byteLength(JSON.stringify(item) ?? 'null');
}

function isBytes(item: unknown): item is Uint8Array {
  return item instanceof Uint8Array;
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
