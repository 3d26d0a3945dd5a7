import { isSse } from '../capability/reply.ts';

/** How many ended streams are known by their last event. */
const MAX_STREAMS = 1000;

/**
 * The streams of events that have ended. `EventSource` connects again after each end, for ever, unless it gets 204: the
 * answer to a caller that names the last event of an ended stream in `Last-Event-ID`. Whether it is the last one, the
 * handler says, which has nothing behind it. A handler that pays no heed to the header begins at its first event again,
 * which is known here.
 */
export class EndedStreams {
  /** The ids of first events, by the addresses and the last ids of their streams. The oldest is the first. */
  readonly #firstIds = new Map<string, string>();

  /** Follows the stream at an address for one caller, which may go on behind an event that it has. */
  read(address: string, lastEventId: string | undefined): EventReading {
    const toKey = (id: string): string => `${id} ${address}`;
    const startId = lastEventId && this.#firstIds.get(toKey(lastEventId));
    let firstId: string | undefined;
    let lastId: string | undefined;
    let isFirst = true;
    return {
      startsOver: (item) => {
        const id = isSse(item) ? item.id : undefined;
        const isStart = isFirst && startId !== undefined && id === startId;
        if (isFirst) firstId = id;
        isFirst = false;
        lastId = id ?? lastId;
        return isStart;
      },
      end: () => {
        if (firstId !== undefined && lastId !== undefined) this.#keep(toKey(lastId), firstId);
        return isFirst && lastEventId !== undefined;
      },
    };
  }

  #keep(key: string, firstId: string): void {
    this.#firstIds.delete(key);
    this.#firstIds.set(key, firstId);
    const [oldest = ''] = this.#firstIds.keys();
    if (this.#firstIds.size > MAX_STREAMS) this.#firstIds.delete(oldest);
  }
}

/** One stream of events on its way to a caller. */
export interface EventReading {
  /** Called with each item before it is sent. Whether it is the first of a stream that the caller has to its end. */
  readonly startsOver: (item: unknown) => boolean;
  /** Called once, after the last item. Whether there was none behind the event that the caller has. */
  readonly end: () => boolean;
}
