import type { Readable } from 'node:stream';
import type { MaybePromise } from '../../errors/outcome.ts';
import { isAsyncIterable, isNodeStream, isResponse, isWebStream } from '../../resources/item-source.ts';
import { isReply, toReplyData } from '../reply.ts';

type Release = () => Promise<void>;

/**
 * Gives a handler's value, and calls `release` when that is over: for data before it is given, for a stream once it has ended, has failed, or nobody
 * reads it any more. Rejects with the fault of a release.
 */
export function releaseAfter(value: unknown, release: Release): MaybePromise<unknown> {
  const data = toReplyData(value);
  const held = typeof data === 'object' && data !== null ? toHeldStream(data, release) : undefined;
  if (held === undefined) return release().then(() => value);
  return isReply(value) ? { ...value, data: held } : held;
}

/** A stream that calls `release` at its end; undefined for what is not a stream, or has ended. */
function toHeldStream(data: object, release: Release): object | undefined {
  if (isResponse(data)) return toHeldResponse(data, release);
  if (isNodeStream(data)) return data.destroyed ? undefined : toHeldNodeStream(data, release);
  if (isWebStream(data)) return data.locked ? undefined : toHeldWebStream(data, release);
  return isAsyncIterable(data) ? new HeldItems(data[Symbol.asyncIterator](), release) : undefined;
}

function toHeldResponse(response: Response, release: Release): Response | undefined {
  if (response.body === null || response.body.locked) return undefined;
  const held = new Response(toHeldWebStream(response.body, release), response);
  // A response of `fetch` is known by it.
  return Object.defineProperty(held, 'url', { value: response.url });
}

function toHeldNodeStream(stream: Readable, release: Release): Readable {
  const end = (): void => void release().catch(() => {});
  // Not every stream says that it has closed.
  return stream.once('end', end).once('error', end).once('close', end);
}

function toHeldWebStream(stream: ReadableStream, release: Release): ReadableStream {
  const items = new HeldItems(stream.values(), release);
  return new ReadableStream<unknown>(
    {
      pull: async (controller) => {
        const { done, value } = await items.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await items.return()),
    },
    { highWaterMark: 0 },
  );
}

/** The items of an iterator; what it holds is let go of at its end. */
class HeldItems implements AsyncIterableIterator<unknown> {
  readonly #items: AsyncIterator<unknown>;
  readonly #release: Release;

  constructor(items: AsyncIterator<unknown>, release: Release) {
    this.#items = items;
    this.#release = release;
  }

  async next(): Promise<IteratorResult<unknown>> {
    try {
      const result = await this.#items.next();
      if (result.done === true) await this.#release();
      return result;
    } catch (fault) {
      await this.#release().catch(() => {});
      throw fault;
    }
  }

  async return(value?: unknown): Promise<IteratorResult<unknown>> {
    try {
      await this.#items.return?.(value);
    } finally {
      await this.#release();
    }
    return { done: true, value };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
