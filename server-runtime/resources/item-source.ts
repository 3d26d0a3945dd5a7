import type { Readable } from 'node:stream';

/** A source gives its items one after another, and can be let go of while somebody waits for one. */
export interface ItemSource {
  readonly next: () => Promise<IteratorResult<unknown>>;
  /** Asks for no more. Fulfils when the source has cleaned up, which may be never, and does not reject. */
  readonly end: () => Promise<void>;
}

/**
 * The items of a stream of Node or the web, of the body of a `Response`, or of an async iterable; undefined for anything else. Nothing is
 * asked for before the first `next`.
 *
 * @throws TypeError for a stream that somebody else reads
 */
export function findItemSource(data: unknown): ItemSource | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if (isResponse(data)) return data.body === null ? undefined : toWebSource(data.body);
  if (isNodeStream(data)) return toNodeSource(data);
  if (isWebStream(data)) return toWebSource(data);
  return isAsyncIterable(data) ? toIterableSource(data) : undefined;
}

/** A response is known by the name of its class, because one process may have several such classes. */
export function isResponse(value: object): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]';
}

export function isNodeStream(value: object): value is Readable {
  const stream = value as { readonly pipe?: unknown; readonly destroy?: unknown };
  return typeof stream.pipe === 'function' && typeof stream.destroy === 'function';
}

export function isWebStream(value: object): value is ReadableStream {
  return typeof (value as { readonly getReader?: unknown }).getReader === 'function';
}

export function isAsyncIterable(value: object): value is AsyncIterable<unknown> {
  return typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function';
}

function toNodeSource(stream: Readable): ItemSource {
  // An error that nobody listens for ends the process.
  stream.on('error', () => {});
  let iterator: AsyncIterator<unknown> | undefined;
  return {
    next: async () => (iterator ??= stream[Symbol.asyncIterator]()).next(),
    end: async () => {
      stream.destroy();
      if (!stream.closed) await new Promise<void>((resolve) => void stream.once('close', resolve));
    },
  };
}

function toWebSource(stream: ReadableStream): ItemSource {
  const reader = stream.getReader();
  return { next: async () => (await reader.read()) as IteratorResult<unknown>, end: () => orNothing(reader.cancel()) };
}

export function toIterableSource(items: AsyncIterable<unknown>): ItemSource {
  const iterator = items[Symbol.asyncIterator]();
  return {
    next: async () => {
      const result: unknown = await iterator.next();
      if (typeof result === 'object' && result !== null) return result as IteratorResult<unknown>;
      throw new TypeError(`The iterator gave ${String(result)} in place of {value, done}.`);
    },
    end: () => orNothing((async () => iterator.return?.())()),
  };
}

/** Nobody is left who could be told of a fault. */
async function orNothing(ended: Promise<unknown>): Promise<void> {
  await ended.catch(() => {});
}
