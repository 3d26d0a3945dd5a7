import type { Redis } from 'ioredis';
import { readThrown } from '../errors/failure.ts';
import type { RedisEntry, RedisFeed } from './redis-feed.ts';
import { type LinkEvents, type RedisLink, toCommandError } from './redis-link.ts';
import { Gap, isNextItem } from './topic-log.ts';

/** The time for which Redis waits for an item before it answers that there is none, milliseconds. */
const WAIT_MS = 1000;

/** The time before Redis is tried again, milliseconds. */
const RETRY_MS = 250;

/** The entries of each topic that are read at a time. */
const PAGE = 100;

export interface RedisReaderParts {
  /** A connection of its own: while it waits, it takes no other command. */
  readonly open: (events: LinkEvents) => RedisLink;
  /** Ends the waiting of another connection, by its id. */
  readonly unblock: (clientId: number) => Promise<unknown>;
  /** Called once when Redis goes away, with the reason, and once when it is back. */
  readonly onChange: (reason: string | undefined) => void;
}

/**
 * Reads all topics that this process hears, over one connection that is open while there are any. It goes on behind the
 * last entry that it has read, so that a lost connection loses nothing.
 */
export class RedisReader {
  readonly #parts: RedisReaderParts;
  readonly #link: RedisLink;
  /** By the keys of their streams. */
  readonly #feeds = new Map<string, RedisFeed>();
  #isRunning = false;
  /** Whether the connection is a new one: the streams may have been lost or trimmed before it. */
  #isNew = false;
  #clientId: number | undefined = undefined;
  #isAway = false;
  /** Whether the connection was closed here, so that the question that waited fails. */
  #isClosed = false;

  constructor(parts: RedisReaderParts) {
    this.#parts = parts;
    const onReady = (): void => {
      this.#isNew = true;
    };
    this.#link = parts.open({ onReady });
  }

  add(feed: RedisFeed): void {
    this.#feeds.set(feed.key, feed);
    if (!this.#isRunning) void this.#run();
    // The question that waits does not name the new stream. Where it cannot be ended, it ends by itself.
    else if (this.#clientId !== undefined) this.#parts.unblock(this.#clientId).catch(() => {});
  }

  remove(feed: RedisFeed): void {
    if (this.#feeds.get(feed.key) !== feed) return;
    this.#feeds.delete(feed.key);
    if (this.#feeds.size > 0) return;
    this.#isClosed = true;
    this.#link.close();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#feeds.size > 0) {
      this.#isClosed = false;
      try {
        await this.#read();
        this.#noteState(undefined);
      } catch (error) {
        this.#isNew = true;
        if (!this.#isClosed) await this.#waitFor(readThrown(toCommandError(error)).message);
      }
    }
    this.#isRunning = false;
    this.#link.close();
  }

  async #waitFor(reason: string): Promise<void> {
    this.#noteState(reason);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }

  async #read(): Promise<void> {
    const redis = await this.#link.connect();
    if (this.#isNew) await this.#greet(redis);
    await this.#renew(redis);
    const feeds = [...this.#feeds.values()];
    if (feeds.length === 0) return;
    const keys = feeds.map(({ key }) => key);
    const positions = feeds.map(({ position }) => position);
    const answer = (await redis.xread(
      'COUNT',
      PAGE,
      'BLOCK',
      WAIT_MS,
      'STREAMS',
      ...keys,
      ...positions,
    )) as readonly (readonly [key: string, entries: readonly RedisEntry[]])[] | null;
    const entriesOf = new Map(answer);
    // Meanwhile another one may have taken its place, and begun further behind.
    for (const feed of feeds)
      if (this.#feeds.get(feed.key) === feed) feed.take(entriesOf.get(feed.key) ?? []);
  }

  /** A stream that no longer has the entry behind the last one read was lost, or trimmed, meanwhile. */
  async #greet(redis: Redis): Promise<void> {
    this.#clientId = undefined;
    const check = async (feed: RedisFeed): Promise<void> => {
      const { key, position } = feed;
      const [first] = await redis.xrange(key, position, '+', 'COUNT', 1);
      const id = first?.[0] ?? '';
      if (id !== position && !isNextItem(id, position)) feed.fail(Gap());
    };
    await Promise.all([...this.#feeds.values()].map(check));
    this.#isNew = false;
    // Some servers do not give it.
    this.#clientId = await redis.client('ID').catch(() => undefined);
  }

  /** A stream that somebody hears stays. */
  async #renew(redis: Redis): Promise<void> {
    const now = performance.now();
    const due = [...this.#feeds.values()].filter(
      ({ renewedAtMs, keepMs }) => now - renewedAtMs > keepMs / 3,
    );
    for (const feed of due) feed.renewedAtMs = now;
    await Promise.all(due.map(({ key, keepMs }) => redis.pexpire(key, keepMs)));
  }

  #noteState(reason: string | undefined): void {
    const isAway = reason !== undefined;
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    this.#parts.onChange(reason);
  }
}
