import { parse, stringify } from 'devalue';
import { type ServerSentEvent, shareTexts, sse } from '../capability/reply.ts';
import { expectInteger, expectKnownOptions, MAX_TIMEOUT_MS } from '../errors/expect-options.ts';
import { readThrown } from '../errors/failure.ts';
import { IS_BYTES, type ItemSource } from '../resources/item-source.ts';
import { createMemoryTopics } from '../stores/memory-topics.ts';
import type { Store } from '../stores/store.ts';
import type { StoredItem, TopicLog } from '../stores/topic-log.ts';
import { Subscriber } from './subscriber.ts';

export { Gap } from '../stores/topic-log.ts';
export { SlowReader } from './subscriber.ts';

/** Where the items of a topic are, and how many of them. */
export interface TopicOptions {
  /** Where its items are: a store of `capix/redis`, for all processes. @default the memory of this process */
  readonly store?: Store | undefined;
  /** The number of the newest items that subscribers may go on behind. @default 1000 */
  readonly maxItems?: number | undefined;
  /** The time for which they are there when nobody publishes or subscribes, milliseconds. @default 3600000 */
  readonly keepMs?: number | undefined;
  /** The items that may wait for one subscriber, before it ends with `SlowReader`. @default 1000 */
  readonly maxWaitingItems?: number | undefined;
}

/** For how long a subscriber hears, and from where on. */
export interface SubscribeOptions {
  /** Ends the subscription: the signal of the call. */
  readonly signal: AbortSignal;
  /** The id of the last item that the subscriber has, as of the header `last-event-id`. @default only later items */
  readonly after?: string | undefined;
}

/** The items of a topic, with their ids: events of a stream. What is behind an error is read by subscribing anew. */
export interface Subscription<T> extends AsyncIterableIterator<ServerSentEvent<T>, undefined> {
  /** The id behind which its items begin, for a snapshot that is sent before them. */
  readonly id: string;
  /** Ends it. */
  return(): Promise<IteratorResult<ServerSentEvent<T>, undefined>>;
}

/** What is published goes to every subscriber, in the same order for all. */
export interface Topic<in out T> {
  /** Of all processes that share its store. */
  readonly name: string;
  /**
   * Publishes a copy of a value: JSON, dates, maps, sets and big integers. Gives the id of the item; rejects where the
   * store is away, which may have it all the same.
   */
  publish(value: T): Promise<string>;
  /**
   * Hears from the moment at which the promise fulfils, so that a snapshot which is taken then and the items lose
   * nothing. Rejects with `Gap` where items behind `after` are no longer there, and where the store is away.
   */
  subscribe(options: SubscribeOptions): Promise<Subscription<T>>;
}

/** The topics that have no store. */
let memory: TopicLog | undefined;

/** A topic by its name: two of one name and store are one. @throws TypeError for a store that keeps no topics */
export function topic<T>(name: string, options: TopicOptions = {}): Topic<T> {
  expectKnownOptions('topic', options, { store: 1, maxItems: 1, keepMs: 1, maxWaitingItems: 1 });
  const { store, maxItems = 1000, keepMs = 3_600_000, maxWaitingItems = 1000 } = options;
  expectInteger('topic maxItems', maxItems, { min: 1 });
  expectInteger('topic maxWaitingItems', maxWaitingItems, { min: 1 });
  expectInteger('topic keepMs', keepMs, { min: 5000, max: MAX_TIMEOUT_MS });
  const limits = { maxItems, keepMs };
  const log = expectLog(name, store);

  const toEvent = (item: StoredItem): ServerSentEvent<T> | undefined => {
    item.event ??= readItem(name, item, log);
    return item.event === UNREADABLE ? undefined : (item.event as ServerSentEvent<T>);
  };

  return {
    name,
    publish: async (value) => log.append(name, stringify(value), limits),
    subscribe: async ({ signal, after }) => {
      const parts = { topic: name, log, limits, maxWaitingItems, toEvent, signal };
      const subscriber = new Subscriber(parts);
      return toSubscription(await subscriber.begin(after), subscriber);
    },
  };
}

function expectLog(name: string, store: Store | undefined): TopicLog {
  if (typeof name !== 'string' || name === '' || name.length > 200)
    throw new TypeError(
      `topic: expected a name of 1 to 200 characters, got ${JSON.stringify(name)}.`,
    );
  if (store === undefined) {
    memory ??= createMemoryTopics();
    return memory;
  }
  if (store.topics === undefined)
    throw new TypeError(`topic '${name}': the store '${store.name}' keeps no topics.`);
  return store.topics;
}

function toSubscription<T>(id: string, subscriber: Subscriber<T>): Subscription<T> {
  // A stream of the server's own kind has no wrapper around each of its items.
  const subscription: Subscription<T> & ItemSource = {
    id,
    [IS_BYTES]: false,
    end: async () => {
      subscriber.leave();
      return {};
    },
    next: () => subscriber.next(),
    return: async () => {
      subscriber.leave();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => subscription,
  };
  return subscription;
}

/** In the place of the event of an item that is not a value: others can write to a store, too. */
const UNREADABLE = Symbol('unreadable');

/** Makes one frozen event for all subscribers, so that its texts are made once. */
function readItem(name: string, { id, text }: StoredItem, log: TopicLog): unknown {
  try {
    return shareTexts(sse(parse(text), { id }));
  } catch (error) {
    const { message } = readThrown(error);
    log.warn(
      `[capix] An item of the topic '${name}' is not a value, and was left out: ${message}`,
      {
        id,
      },
    );
    return UNREADABLE;
  }
}
