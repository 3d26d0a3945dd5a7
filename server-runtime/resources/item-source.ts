import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The field of a source that says whether its items are the bytes of one body, and not values. */
export const IS_BYTES: unique symbol = Symbol.for('capix.bytes');

/** The items of a stream of any kind. Its reader can end it while it waits for an item. */
export interface ItemSource extends AsyncIterableIterator<unknown> {
  readonly [IS_BYTES]: boolean;
  /**
   * Stops the source. Fulfils when the source has cleaned up, with what failed then; a source may never finish that.
   * Never rejects: most callers do not wait for it.
   */
  readonly end: () => Promise<EndOfSource>;
}

interface EndOfSource {
  /** What the source threw when it was stopped. */
  readonly fault?: unknown;
}

type Next = () => Promise<IteratorResult<unknown>>;

/** This is not a generator, which could not be ended while its reader waits for an item. `close` may reject. */
export function createSource(
  isBytes: boolean,
  next: Next,
  close: () => Promise<unknown>,
): ItemSource {
  const stop = async (): Promise<EndOfSource> => {
    try {
      await close();
      return {};
    } catch (fault) {
      return { fault };
    }
  };
  let ending: Promise<EndOfSource> | undefined;
  const end = (): Promise<EndOfSource> => {
    ending ??= stop();
    return ending;
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

/** The items of a stream, a `Response` or an async iterable. @throws TypeError for a stream that other code reads */
export function findItemSource(data: unknown): ItemSource | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if (IS_BYTES in data) return data as ItemSource;
  if (isResponse(data)) return data.body === null ? undefined : toWebSource(data.body);
  if (isNodeStream(data)) return toNodeSource(data);
  if (hasMethod(data, 'getReader')) return toWebSource(data as ReadableStream);
  return isAsyncIterable(data) ? toIterableSource(data) : undefined;
}

/** The items of a stream through `around`; undefined for other values, and for a stream that is read already. */
export function throughItems(
  data: unknown,
  around: (source: ItemSource) => ItemSource,
): object | undefined {
  const source = isSpent(isResponse(data) ? data.body : data) ? undefined : findItemSource(data);
  if (source === undefined) return undefined;
  const items = around(source);
  if (!isResponse(data)) return items;
  const copy = new Response(createWebStream(items), data);
  // A response of `fetch` is recognised by its URL.
  return Object.defineProperty(copy, 'url', { value: data.url });
}

/**
 * The items as a web stream, which reads each one where its reader asks for it, and ends the source where its reader
 * leaves. `Readable.toWeb` does not do for this: see {@link toWebSource}.
 */
export function createWebStream<Item>(source: ItemSource): ReadableStream<Item> {
  const pull = async (controller: ReadableStreamDefaultController<Item>): Promise<void> => {
    const { done, value } = await source.next();
    if (done === true) controller.close();
    else controller.enqueue(value as Item);
  };
  // The source may never end, and says itself what fails then.
  const cancel = (): void => void source.end();
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}

/** Whether other code reads a stream, or it has been read. */
function isSpent(data: unknown): boolean {
  const { locked, destroyed, readableEnded } = Object(data) as Partial<ReadableStream & Readable>;
  return locked === true || destroyed === true || readableEnded === true;
}

/** What {@link withHooks} adds to a source. */
export interface SourceHooks {
  readonly signal?: AbortSignal | undefined;
  readonly run?: ((step: () => Promise<unknown>) => Promise<unknown>) | undefined;
  readonly step?: ((item: unknown) => unknown) | undefined;
  /**
   * Called once, after the last item (`isWhole`), after an error, or when the reader stops. The end of the source waits
   * for it.
   */
  readonly onEnd?: ((isWhole: boolean, fault?: unknown) => unknown) | undefined;
  /** Called when the reader stops before the end, and before the source is stopped. */
  readonly onLeave?: (() => void) | undefined;
  /** Called with an error that the source throws after it was stopped: no reader gets it. */
  readonly onCloseFault?: ((fault: unknown) => void) | undefined;
}

/** The same source, with hooks around its items and at its end. */
export function withHooks(
  source: ItemSource,
  { signal, run = (step) => step(), step, onEnd, onLeave, onCloseFault }: SourceHooks,
): ItemSource {
  let ended: Promise<unknown> | undefined;
  let isLeft = false;
  let failure: unknown;
  const end = (isWhole: boolean, fault?: unknown): Promise<unknown> => {
    ended ??= (async () => onEnd?.(isWhole, fault))();
    return ended;
  };
  let closing: Promise<void> | undefined;
  const closeNow = async (): Promise<void> => {
    const { fault } = (await run(() => source.end())) as EndOfSource;
    // A web stream that has failed throws the same error once more when it is cancelled.
    if (fault !== undefined && fault !== failure) onCloseFault?.(fault);
  };
  const close = (): Promise<void> => {
    closing ??= closeNow();
    return closing;
  };
  const next: Next = async () => {
    try {
      const next = run(() => source.next()) as Promise<IteratorResult<unknown>>;
      const result = await (signal === undefined ? next : untilAborted(next, signal));
      if (result.done === true) await end(true);
      if (step === undefined || result.done === true) return result;
      return { done: false, value: await step(result.value) };
    } catch (fault) {
      // A reader that gets an error asks for no further item.
      void close();
      failure = fault;
      if (isLeft) onCloseFault?.(fault);
      await end(false, isLeft ? undefined : fault).catch(() => {});
      throw fault;
    }
  };
  return createSource(source[IS_BYTES], next, async () => {
    isLeft = true;
    if (ended !== undefined) return close();
    onLeave?.();
    // What the source still does may need what is released at its end.
    await waitAtMost(CLOSE_MS, close());
    await end(false);
  });
}

/** The time that a source which is left has to clean up, before what it uses is released, milliseconds. */
const CLOSE_MS = 10_000;

/** Waits for work as long as that, and gives whether it has ended. Rejects with an error of the work. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const time = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
    // In some runtimes it is a number.
    (timer as { readonly unref?: () => void }).unref?.();
  });
  try {
    return await Promise.race([work.then(() => true), time]);
  } finally {
    clearTimeout(timer);
  }
}

/** Recognised by its tag: one process may have several classes named `Response`. */
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
  // Without a listener, an error of the stream would end the process.
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
  return createSource(true, () => iterator.next(), end);
}

/**
 * Leaves the stream in a turn of its own. After a read, `Readable.toWeb` of Node 20 to 24 lets its Node stream flow in
 * the next tick; where the web stream is cancelled before that tick, the Node stream puts its next chunk into a closed
 * stream, and the error ends the process. Between two turns no such tick is due.
 */
function toWebSource(stream: ReadableStream): ItemSource {
  const reader = stream.getReader();
  const next = (): Promise<IteratorResult<unknown>> =>
    reader.read() as Promise<IteratorResult<unknown>>;
  return createSource(true, next, async () => {
    await nextTurn();
    await reader.cancel();
  });
}

function toIterableSource(items: AsyncIterable<unknown>): ItemSource {
  const iterator = items[Symbol.asyncIterator]();
  const next: Next = async () => {
    const result: unknown = await iterator.next();
    if (typeof result === 'object' && result !== null) return result as IteratorResult<unknown>;
    throw new TypeError(`The iterator gave ${String(result)} in place of {value, done}.`);
  };
  return createSource(false, next, async () => iterator.return?.());
}

/** The same promise, which also rejects with the signal's reason once the signal fires. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
