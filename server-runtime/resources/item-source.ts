import { Readable } from 'node:stream';

/** The field of a source that says whether its items are the bytes of one body, and not values. */
export const IS_BYTES: unique symbol = Symbol.for('capix.bytes') as never;

/** The items of a stream of any kind, which can be let go of while somebody waits for an item. */
export interface ItemSource extends AsyncIterableIterator<unknown> {
  readonly [IS_BYTES]: boolean;
  /**
   * Asks for no more. Fulfils when the source has cleaned up, which may be never, with what failed then. It never
   * rejects, because mostly nobody waits for it.
   */
  readonly end: () => Promise<EndOfSource>;
}

export interface EndOfSource {
  /** What the source has thrown when it was told to stop. */
  readonly fault?: unknown;
}

type Next = () => Promise<IteratorResult<unknown>>;

/** No generator: that could not be ended while an item is waited for. `close` may reject. */
function toSource(isBytes: boolean, next: Next, close: () => Promise<unknown>): ItemSource {
  const end = async (): Promise<EndOfSource> => {
    try {
      await close();
      return {};
    } catch (fault) {
      return { fault };
    }
  };
  const source: ItemSource = {
    [IS_BYTES]: isBytes,
    next,
    end,
    return: async () => ({ done: true, value: await end() }),
    [Symbol.asyncIterator]: () => source,
  };
  return source;
}

/** The items of a stream, a `Response` or an async iterable. @throws TypeError for a stream that somebody else reads */
export function findItemSource(data: unknown): ItemSource | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if (IS_BYTES in data) return data as ItemSource;
  if (isResponse(data)) return data.body === null ? undefined : toWebSource(data.body);
  if (isNodeStream(data)) return toNodeSource(data);
  if (hasMethod(data, 'getReader')) return toWebSource(data as ReadableStream);
  return isAsyncIterable(data) ? toIterableSource(data) : undefined;
}

/** The items of a stream through `around`; undefined for no stream, and for one that is read or destroyed already. */
export function throughItems(
  data: unknown,
  around: (source: ItemSource) => ItemSource,
): object | undefined {
  const from = ((isResponse(data) ? data.body : data) ?? {}) as Partial<ReadableStream & Readable>;
  const source = [from.locked, from.destroyed, from.readableEnded].includes(true)
    ? undefined
    : findItemSource(data);
  if (source === undefined || !isResponse(data)) return source && around(source);
  const held = new Response(Readable.toWeb(Readable.from(around(source))) as ReadableStream, data);
  // A response of `fetch` is known by it.
  return Object.defineProperty(held, 'url', { value: data.url });
}

export interface Guarding {
  readonly signal?: AbortSignal | undefined;
  readonly run?: ((step: () => Promise<unknown>) => Promise<unknown>) | undefined;
  readonly step?: ((item: unknown) => unknown) | undefined;
  /** Told once that the stream is over: whole, by a fault, or because nobody reads on. The end waits for it. */
  readonly onEnd?: ((isWhole: boolean, fault?: unknown) => unknown) | undefined;
  /** Called with what the source throws once it is told to stop, which no reader learns. */
  readonly onCloseFault?: ((fault: unknown) => void) | undefined;
}

/** The same source, with something done around its items and once at its end. */
export function guarded(
  source: ItemSource,
  { signal, run = (step) => step(), step, onEnd, onCloseFault }: Guarding,
): ItemSource {
  let ended: Promise<unknown> | undefined;
  let isLeft = false;
  let failure: unknown;
  const end = (isWhole: boolean, fault?: unknown): Promise<unknown> => {
    ended ??= (async () => onEnd?.(isWhole, fault))();
    return ended;
  };
  const close = async (): Promise<void> => {
    const { fault } = (await run(() => source.end())) as EndOfSource;
    // A stream of the web that has failed gives the same error once more.
    if (fault !== undefined && fault !== failure) onCloseFault?.(fault);
  };
  const next: Next = async () => {
    try {
      const next = run(() => source.next()) as Promise<IteratorResult<unknown>>;
      const result = await (signal === undefined ? next : untilAborted(next, signal));
      if (result.done === true) await end(true);
      if (step === undefined || result.done === true) return result;
      return { done: false, value: await step(result.value) };
    } catch (fault) {
      // Whoever is told of a fault asks for no more.
      void close();
      failure = fault;
      if (isLeft) onCloseFault?.(fault);
      await end(false, isLeft ? undefined : fault).catch(() => {});
      throw fault;
    }
  };
  return toSource(source[IS_BYTES], next, async () => {
    isLeft = true;
    await close();
    await end(false);
  });
}

/** One process may have several such classes. */
export function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]';
}

export function isByteStream(value: unknown): boolean {
  return isNodeStream(value) || hasMethod(value, 'getReader');
}

function isNodeStream(value: unknown): value is Readable {
  return hasMethod(value, 'pipe') && hasMethod(value, 'destroy');
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return hasMethod(value, Symbol.asyncIterator);
}

function hasMethod(value: unknown, name: PropertyKey): boolean {
  return (
    typeof (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[name] ===
    'function'
  );
}

function toNodeSource(stream: Readable): ItemSource {
  // An error that nobody listens for ends the process.
  stream.on('error', () => {});
  if (stream.destroyed || stream.readableEnded)
    throw (
      stream.errored ??
      new TypeError('The handler returned a stream that was read or destroyed before.')
    );
  const iterator = stream[Symbol.asyncIterator]();
  const end = async (): Promise<void> => {
    stream.destroy();
    if (!stream.closed) await new Promise<void>((resolve) => void stream.once('close', resolve));
  };
  return toSource(true, () => iterator.next(), end);
}

function toWebSource(stream: ReadableStream): ItemSource {
  const reader = stream.getReader();
  const next = (): Promise<IteratorResult<unknown>> =>
    reader.read() as Promise<IteratorResult<unknown>>;
  return toSource(true, next, () => reader.cancel());
}

function toIterableSource(items: AsyncIterable<unknown>): ItemSource {
  const iterator = items[Symbol.asyncIterator]();
  const next: Next = async () => {
    const result: unknown = await iterator.next();
    if (typeof result === 'object' && result !== null) return result as IteratorResult<unknown>;
    throw new TypeError(`The iterator gave ${String(result)} in place of {value, done}.`);
  };
  return toSource(false, next, async () => iterator.return?.());
}

/** Gives what the promise gives; rejects with the reason of the signal where that fires before. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
