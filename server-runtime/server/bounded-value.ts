import { type Failure, toError } from '../errors/failure.ts';
import type { RequestScope } from '../execution/request-scope.ts';
import { guarded, type ItemSource, throughItems } from '../resources/item-source.ts';

export interface Bounds {
  readonly scope: RequestScope;
  /** Fires when the caller leaves. */
  readonly caller: AbortSignal | undefined;
  /** Told that a stream ended early, by its timeout or its caller; gives what its reader is told. */
  readonly onEnd: (isTimeout: boolean) => Failure;
  /** Told what a stream threw at its reader. */
  readonly onFault: (thrown: unknown) => void;
}

/**
 * A handler's value for a caller in this process, who reads a stream himself: it ends, with an error, when the time of
 * the call is over and when the caller leaves, which fires the signal of the call. Anything but a stream is given as it
 * is.
 */
export function toBoundedValue(value: unknown, bounds: Bounds): unknown {
  if (typeof value !== 'object' || value === null || !bounds.scope.open) return value;
  return throughItems(value, (source) => toBoundedSource(source, bounds)) ?? value;
}

function toBoundedSource(source: ItemSource, { scope, caller, onEnd, onFault }: Bounds): ItemSource {
  const controller = new AbortController();
  const { signal } = controller;
  const stop = (): void => {
    clearTimeout(timer);
    caller?.removeEventListener('abort', leave);
  };
  const end = (reason: DOMException): void => {
    // Until it is answered, the call ends itself.
    if (scope.open) return;
    stop();
    scope.abort(reason);
    controller.abort(toError(onEnd(reason.name === 'TimeoutError')));
    void source.end();
  };
  const leave = (): void => end(new DOMException('The caller left.', 'AbortError'));
  const expire = (): void => end(new DOMException('The request took too long.', 'TimeoutError'));
  const timer = setTimeout(expire, scope.leftMs).unref();
  caller?.addEventListener('abort', leave, { once: true });
  return guarded(source, {
    signal,
    // While somebody waits for an item the process stays alive.
    run: (step) => {
      timer.ref();
      return step().finally(() => timer.unref());
    },
    onEnd: (_isWhole, fault) => {
      stop();
      if (fault !== undefined && !signal.aborted) onFault(fault);
    },
  });
}
