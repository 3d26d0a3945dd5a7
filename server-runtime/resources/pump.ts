import type { ItemSource } from './item-source.ts';

/** The place where the items of a stream go: the body of a response, or a connection. */
export interface Sink {
  /** Takes an item. The pump reads the next one once the returned promise fulfils, and at once for undefined. */
  write(item: unknown): Promise<void> | undefined;
  /** Called once, after the last item. */
  end(): void;
  /**
   * Called once, in place of `end`, with the error of the source or of `write`, or the reason of the signal. Must not
   * throw.
   */
  fail(thrown: unknown): void;
  /** Shows that the connection lives, in each pause of the source. It is not called while an item is being taken. */
  beat?(): void;
}

interface PumpOptions {
  /** Ends the stream where it fires. */
  readonly signal: AbortSignal;
  /** The length of a pause, milliseconds, where the sink shows that it lives. */
  readonly beatMs?: number;
}

/** Moves the items of a source into a sink, one after the other, until one of the two ends. */
export interface Pump {
  /** Ends the source, because its items are no longer taken. The sink is not called. */
  leave(): void;
}

/** The pump does not wait for the end of the source, however the stream ends: the source may never end. */
export function startPump(
  items: ItemSource,
  sink: Sink,
  { signal, beatMs = 0 }: PumpOptions,
): Pump {
  let isOver = false;
  let isTaking = false;

  /** Ends everything but the sink; false where that was done before. */
  const close = (): boolean => {
    if (isOver) return false;
    isOver = true;
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    void items.end();
    return true;
  };
  const fail = (thrown: unknown): void => {
    if (close()) sink.fail(thrown);
  };
  const stop = (): void => fail(signal.reason);

  // The timer looks when the last item was, and begins anew for the rest of the pause: to begin it with each item costs
  // a twentieth of a stream.
  let wroteAtMs = performance.now();
  const look = (): void => {
    const quietMs = performance.now() - wroteAtMs;
    const isDue = quietMs >= beatMs;
    timer = setTimeout(look, isDue ? beatMs : beatMs - quietMs);
    if (!isDue) return;
    wroteAtMs += quietMs;
    if (!isTaking) sink.beat?.();
  };
  const hasBeat = sink.beat !== undefined;
  let timer = hasBeat ? setTimeout(look, beatMs) : undefined;

  const run = async (): Promise<void> => {
    try {
      for (;;) {
        const { done, value } = await items.next();
        if (isOver) return;
        if (done === true) {
          close();
          sink.end();
          return;
        }
        if (hasBeat) wroteAtMs = performance.now();
        const taking = sink.write(value);
        if (taking === undefined) continue;
        isTaking = true;
        await taking;
        isTaking = false;
        if (isOver) return;
      }
    } catch (thrown) {
      fail(thrown);
    }
  };

  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  else void run();
  return { leave: () => void close() };
}
