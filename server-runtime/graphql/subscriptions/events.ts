import type { ItemFormat } from '../../http/http-door.ts';
import { createSource, type ItemSource } from '../../resources/item-source.ts';

/** The texts of a subscription: an event for each result, and one for the end, after which clients do not come back. */
export const eventFormat: ItemFormat = {
  isEvents: true,
  headers: [
    'content-type',
    'text/event-stream; charset=utf-8',
    'cache-control',
    'no-cache, no-transform',
    'x-accel-buffering',
    'no',
    'vary',
    'Accept',
  ],
  item: (event) => event as string,
  beat: ':\n\n',
  // The server stops: without `complete`, clients subscribe again.
  failed: () => ':\n\n',
};

interface EventParts<Result> {
  /** Called once, when the subscription is over. */
  readonly onEnd: () => void;
  readonly toText: (result: Result) => string | undefined;
  /** Makes the last result of an error of the source. */
  readonly toFault: (thrown: unknown) => Result;
}

/** The events of results. An error of their source is the last result, unless the signal has fired. */
export function createEvents<Result>(
  results: AsyncIterator<Result>,
  signal: AbortSignal,
  { onEnd, toText, toFault }: EventParts<Result>,
): ItemSource {
  let phase: 'open' | 'failed' | 'complete' = 'open';
  const toEvent = (name: string, text = ''): IteratorResult<string> => ({
    done: false,
    value: `event: ${name}\ndata: ${text}\n\n`,
  });
  const complete = (): IteratorResult<string> => {
    phase = 'complete';
    return toEvent('complete');
  };
  const next = async (): Promise<IteratorResult<unknown>> => {
    if (phase === 'failed') return complete();
    if (phase === 'complete') {
      onEnd();
      return { done: true, value: undefined };
    }
    try {
      const { done, value } = await results.next();
      return done === true ? complete() : toEvent('next', toText(value));
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      phase = 'failed';
      return toEvent('next', toText(toFault(thrown)));
    }
  };
  return createSource(false, next, async () => {
    onEnd();
    await results.return?.();
  });
}
