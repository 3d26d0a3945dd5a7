import { type Following, Gap, isNextItem, StoredItem, type TopicListener } from './topic-log.ts';

/** An entry of a stream of Redis, as the client gives it: `['1700000000000-7', ['v', '[1]']]`. */
export type RedisEntry = readonly [id: string, fields: readonly string[]];

/**
 * The item of an entry; undefined for the first entry of a stream, which has none: by its id, whoever hears a topic
 * before anything was published knows which item comes first.
 */
export function toStoredItem([id, [name, text]]: RedisEntry): StoredItem | undefined {
  return name === 'v' && text !== undefined ? new StoredItem(id, text) : undefined;
}

/**
 * A topic in this process, which reads its stream once for all listeners. It ends once: when the last of them leaves,
 * or when it fails.
 */
export class RedisFeed {
  readonly key: string;
  readonly keepMs: number;
  /** The id of the last entry that its listeners have. */
  position: string;
  /** The time at which the expiry of the stream was last put off, milliseconds. */
  renewedAtMs = performance.now();
  end: 'left' | Error | undefined = undefined;
  readonly #listeners = new Set<TopicListener>();
  readonly #onEnd: (feed: RedisFeed) => void;

  constructor(
    { key, id, keepMs }: { readonly key: string; readonly id: string; readonly keepMs: number },
    onEnd: (feed: RedisFeed) => void,
  ) {
    this.key = key;
    this.position = id;
    this.keepMs = keepMs;
    this.#onEnd = onEnd;
  }

  add(listener: TopicListener): Omit<Following, 'newest'> {
    this.#listeners.add(listener);
    const leave = (): void => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#finish('left');
    };
    return { id: this.position, leave };
  }

  /** Gives the entries behind its position to all listeners. They fail with `Gap` where one is missing. */
  take(entries: readonly RedisEntry[]): void {
    for (const entry of entries) {
      const [id] = entry;
      if (!isNextItem(id, this.position)) return this.fail(Gap());
      this.position = id;
      const item = toStoredItem(entry);
      if (item !== undefined) for (const listener of this.#listeners) listener.take(item);
    }
  }

  fail(reason: Error): void {
    const failing = [...this.#listeners];
    this.#listeners.clear();
    this.#finish(reason);
    for (const listener of failing) listener.fail(reason);
  }

  #finish(end: 'left' | Error): void {
    if (this.end !== undefined) return;
    this.end = end;
    this.#onEnd(this);
  }
}
