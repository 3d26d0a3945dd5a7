import { pipeline, type Readable, Transform } from 'node:stream';
import type { MaybePromise } from '../../errors/outcome.ts';
import { isAsyncIterable, isNodeStream, isResponse, isWebStream } from '../../resources/item-source.ts';
import { isReply, toReplyData } from '../reply.ts';

/** Told whether the value came to its end: data always, a stream unless it failed or nobody read it any more. */
type Release = (isWhole: boolean) => Promise<void>;
type RunStep = <T>(step: () => T) => T;

/**
 * Gives a handler's value, and calls `release` when that is over: for data before it is given, for a stream once it has
 * ended, has failed, or nobody reads it any more. Rejects with the fault of a release; a stream, whose end waits for
 * it, fails with that. `runStep` runs each step of an async iterable.
 */
export function releaseAfter(
  value: unknown,
  release: Release,
  runStep: RunStep = (step) => step(),
): MaybePromise<unknown> {
  const data = toReplyData(value);
  const held = typeof data === 'object' && data !== null ? toHeldStream(data, release, runStep) : undefined;
  if (held === undefined) return release(true).then(() => value);
  return isReply(value) ? { ...value, data: held } : held;
}

/** A stream that calls `release` at its end; undefined for what is not a stream, or has ended. */
function toHeldStream(data: object, release: Release, runStep: RunStep): object | undefined {
  if (isResponse(data)) return toHeldResponse(data, release);
  if (isNodeStream(data)) return data.destroyed ? undefined : toHeldNodeStream(data, release);
  if (isWebStream(data)) return data.locked ? undefined : toHeldWebStream(data, release);
  return isAsyncIterable(data) ? new HeldItems(data[Symbol.asyncIterator](), release, runStep) : undefined;
}

function toHeldResponse(response: Response, release: Release): Response | undefined {
  if (response.body === null || response.body.locked) return undefined;
  const held = new Response(toHeldWebStream(response.body, release), response);
  // A response of `fetch` is known by it.
  return Object.defineProperty(held, 'url', { value: response.url });
}

function toHeldNodeStream(stream: Readable, release: Release): Readable {
  const held = new Transform({
    objectMode: stream.readableObjectMode,
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush: (done) => void release(true).then(() => done(), done),
  });
  return pipeline(stream, held, (error) => {
    if (error) void release(false).catch(() => {});
  });
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
  readonly #runStep: RunStep;

  constructor(items: AsyncIterator<unknown>, release: Release, runStep: RunStep = (step) => step()) {
    this.#items = items;
    this.#release = release;
    this.#runStep = runStep;
  }

  async next(): Promise<IteratorResult<unknown>> {
    try {
      const result = await this.#runStep(() => this.#items.next());
      // An iterator may give anything; whoever reads it says so.
      if ((result as Partial<typeof result> | undefined | null)?.done === true) await this.#release(true);
      return result;
    } catch (fault) {
      await this.#release(false).catch(() => {});
      throw fault;
    }
  }

  async return(value?: unknown): Promise<IteratorResult<unknown>> {
    try {
      await this.#runStep(() => this.#items.return?.(value));
    } finally {
      await this.#release(false);
    }
    return { done: true, value };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
