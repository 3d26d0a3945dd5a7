import { Readable } from 'node:stream';

/** A source gives its items one after another, and can be let go of while somebody waits for one. */
export interface ItemSource {
  readonly next: () => Promise<IteratorResult<unknown>>;
  /** Asks for no more. Fulfils when the source has cleaned up, which may be never, and does not reject. */
  readonly end: () => Promise<void>;
}

/**
 * The items of a stream of Node or the web, of the body of a `Response`, or of an async iterable; undefined for
 * anything else. @throws TypeError for a stream that somebody else reads
 */
export function findItemSource(data: unknown): ItemSource | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if (isResponse(data)) return data.body === null ? undefined : toWebSource(data.body);
  if (isNodeStream(data)) return toNodeSource(data);
  if (isWebStream(data)) return toWebSource(data);
  return isAsyncIterable(data) ? toIterableSource(data) : undefined;
}

/** A stream of the same kind, whose items come through `around`: undefined for what is none, or somebody else reads. */
export function throughItems(data: object, around: (source: ItemSource) => ItemSource): object | undefined {
  if (isResponse(data)) {
    if (data.body === null || data.body.locked) return undefined;
    const held = new Response(toWebStream(around(toWebSource(data.body))), data);
    // A response of `fetch` is known by it.
    return Object.defineProperty(held, 'url', { value: data.url });
  }
  if (isNodeStream(data)) return data.destroyed ? undefined : toNodeStream(around(toNodeSource(data)), data);
  if (isWebStream(data)) return data.locked ? undefined : toWebStream(around(toWebSource(data)));
  return isAsyncIterable(data) ? toIterable(around(toIterableSource(data))) : undefined;
}

export interface Guarding {
  readonly signal?: AbortSignal | undefined;
  readonly run?: ((step: () => Promise<unknown>) => Promise<unknown>) | undefined;
  readonly step?: ((item: unknown) => unknown) | undefined;
  /** Told once that the stream is over: whole, by a fault, or because nobody reads on. The end waits for it. */
  readonly onEnd?: ((isWhole: boolean, fault?: unknown) => unknown) | undefined;
}

/** The same source, with something done around its items and once at its end. */
export function guarded(source: ItemSource, { signal, run = (step) => step(), step, onEnd }: Guarding): ItemSource {
  let ended: Promise<unknown> | undefined;
  const end = (isWhole: boolean, fault?: unknown): Promise<unknown> =>
    (ended ??= Promise.resolve(onEnd?.(isWhole, fault)));
  const make = async (item: unknown): Promise<IteratorResult<unknown>> => {
    try {
      return { done: false, value: await step?.(item) };
    } catch (fault) {
      // Whoever is told of a fault asks for no more.
      void source.end();
      throw fault;
    }
  };
  return {
    next: async () => {
      try {
        const asked = run(() => source.next()) as Promise<IteratorResult<unknown>>;
        const result = await (signal === undefined ? asked : untilAborted(asked, signal));
        if (result.done === true) await end(true);
        return step === undefined || result.done === true ? result : await make(result.value);
      } catch (fault) {
        await end(false, fault).catch(() => {});
        throw fault;
      }
    },
    end: async () => {
      await run(() => source.end());
      await end(false);
    },
  };
}

function toNodeStream(source: ItemSource, { readableObjectMode: objectMode }: Readable): Readable {
  // An error that nobody listens for ends the process.
  return Readable.from(toIterable(source), { objectMode }).on('error', () => {});
}

function toWebStream(source: ItemSource): ReadableStream {
  const pull = async (controller: ReadableStreamDefaultController): Promise<void> => {
    const { done, value } = await source.next();
    if (done === true) controller.close();
    else controller.enqueue(value);
  };
  return new ReadableStream<unknown>({ pull, cancel: () => source.end() }, { highWaterMark: 0 });
}

/** No generator: that could not be ended while an item is waited for. */
function toIterable(source: ItemSource): AsyncIterableIterator<unknown> {
  const iterator: AsyncIterableIterator<unknown> = {
    next: () => source.next(),
    return: async (value?: unknown) => {
      await source.end();
      return { done: true, value };
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
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

/** Gives what the promise gives; rejects with the reason of the signal where that fires before. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
