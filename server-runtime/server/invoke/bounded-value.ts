import type { Readable } from 'node:stream';
import { type Failure, toError } from '../../errors/failure.ts';
import type { RequestScope } from '../../execution/request-scope.ts';
import { untilAborted } from '../../execution/until-aborted.ts';
import {
  isAsyncIterable,
  isNodeStream,
  isResponse,
  isWebStream,
  toIterableSource,
} from '../../resources/item-source.ts';

export interface Bounds {
  readonly scope: RequestScope;
  /** Fires when the caller leaves. */
  readonly caller: AbortSignal | undefined;
  /** Told that a stream was ended before its time, by its timeout or else by its caller; gives what its reader is told. */
  readonly onEnd: (isTimeout: boolean) => Failure;
  /** Told what an async iterable threw at its reader. */
  readonly onFault: (thrown: unknown) => void;
}

/**
 * A handler's value for a caller in this process, who reads a stream himself: it ends, with an error, when the time of the call is over and
 * when the caller leaves, which fires the signal of the call. Anything but a stream is given as it is.
 */
export function toBoundedValue(value: unknown, bounds: Bounds): unknown {
  if (typeof value !== 'object' || value === null || !bounds.scope.open) return value;
  if (isResponse(value))
    return value.body === null ? value : new Response(toBoundedWebStream(value.body, bounds), value);
  if (isNodeStream(value)) return toBoundedNodeStream(value, bounds);
  if (isWebStream(value)) return toBoundedWebStream(value, bounds);
  return isAsyncIterable(value) ? toBoundedIterator(value, bounds) : value;
}

interface Watch {
  /** Fires, with the error for the reader, when the stream is to end. */
  readonly signal: AbortSignal;
  /** The stream has ended by itself, or its reader has ended it. */
  readonly stop: () => void;
  /** While somebody waits for an item the process stays alive. */
  readonly setAwaited: (isAwaited: boolean) => void;
}

/** The time that is left to the call, and its caller. */
function watch({ scope, caller, onEnd }: Bounds): Watch {
  const controller = new AbortController();
  const end = (reason: DOMException): void => {
    // Until it is answered, the call ends itself.
    if (scope.open) return;
    stop();
    scope.abort(reason);
    controller.abort(toError(onEnd(reason.name === 'TimeoutError')));
  };
  const expire = (): void => end(new DOMException('The request took too long.', 'TimeoutError'));
  const leave = (): void => end(new DOMException('The caller left.', 'AbortError'));
  const timer = setTimeout(expire, scope.leftMs).unref();
  const stop = (): void => {
    clearTimeout(timer);
    caller?.removeEventListener('abort', leave);
  };
  caller?.addEventListener('abort', leave, { once: true });
  return {
    signal: controller.signal,
    stop,
    setAwaited: (isAwaited) => void (isAwaited ? timer.ref() : timer.unref()),
  };
}

function toBoundedNodeStream(stream: Readable, bounds: Bounds): Readable {
  if (stream.destroyed) return stream;
  const { signal, stop } = watch(bounds);
  // An error that nobody listens for ends the process.
  stream.on('error', () => {}).once('close', stop);
  signal.addEventListener('abort', () => void stream.destroy(signal.reason as Error), { once: true });
  return stream;
}

function toBoundedWebStream(stream: ReadableStream, bounds: Bounds): ReadableStream {
  if (stream.locked) return stream;
  const { signal, stop } = watch(bounds);
  const { readable, writable } = new TransformStream<unknown, unknown>();
  stream.pipeTo(writable, { signal }).then(stop, stop);
  return readable;
}

function toBoundedIterator(items: AsyncIterable<unknown>, bounds: Bounds): AsyncIterableIterator<unknown> {
  const { signal, stop, setAwaited } = watch(bounds);
  const source = toIterableSource(items);
  signal.addEventListener('abort', () => void source.end(), { once: true });
  const iterator: AsyncIterableIterator<unknown> = {
    next: async () => {
      setAwaited(true);
      try {
        const result = await untilAborted(source.next(), signal);
        if (result.done === true) stop();
        return result;
      } catch (thrown) {
        stop();
        if (!signal.aborted) bounds.onFault(thrown);
        throw thrown;
      } finally {
        setAwaited(false);
      }
    },
    return: async () => {
      stop();
      await source.end();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}
