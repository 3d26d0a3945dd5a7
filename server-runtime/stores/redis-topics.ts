import type { Redis } from 'ioredis';
import { defaultErrors } from '../errors/define-error.ts';
import { answerWithin } from './answer-within.ts';
import { type RedisEntry, RedisFeed, toStoredItem } from './redis-feed.ts';
import { RedisReader, type RedisReaderParts } from './redis-reader.ts';
import {
  type Following,
  Gap,
  isNextItem,
  parseItemId,
  type StoredItem,
  type TopicLimits,
  type TopicListener,
  type TopicLog,
} from './topic-log.ts';

/** The entries that are read at a time. */
const PAGE = 100;

/** How long an answer of Redis is waited for, milliseconds. */
const PATIENCE_MS = 1000;

interface RedisTopicsParts {
  /** Runs a command for a key of the store. */
  readonly ask: <T>(key: string, command: (redis: Redis, key: string) => Promise<T>) => Promise<T>;
  /** Opens a connection beside that of the store. */
  readonly open: RedisReaderParts['open'];
}

/**
 * Keeps topics in streams of Redis, one for each. The numbers of their ids are counted one by one, so that a reader
 * sees what was trimmed or lost.
 */
export class RedisTopics implements TopicLog {
  readonly #ask: RedisTopicsParts['ask'];
  readonly #reader: RedisReader;
  /** The topics that this process hears, by their names; each is there once its stream is. */
  readonly #feeds = new Map<string, Promise<RedisFeed>>();
  #logger: Pick<Console, 'info' | 'warn'> = console;

  constructor({ ask, open }: RedisTopicsParts) {
    this.#ask = ask;
    this.#reader = new RedisReader({
      open,
      unblock: (clientId) => ask('', (redis) => redis.call('CLIENT', 'UNBLOCK', clientId)),
      onChange: (reason) => {
        if (reason === undefined) this.#logger.info('[capix] Topics are heard again in Redis.');
        else this.#logger.warn(`[capix] Topics are not heard, as Redis does not answer: ${reason}`);
      },
    });
  }

  append(topic: string, text: string, { keepMs, maxItems }: TopicLimits): Promise<string> {
    return this.#answer(topic, async (redis, key) =>
      String(await redis.eval(APPEND, 1, key, keepMs, maxItems, text)),
    );
  }

  async read(topic: string, after: string): Promise<readonly StoredItem[]> {
    if (parseItemId(after) === undefined) throw Gap();
    const found = await this.#answer(
      topic,
      (redis, key) =>
        redis.xrange(key, after, '+', 'COUNT', PAGE + 1) as Promise<readonly RedisEntry[]>,
    );
    const isThere = found[0]?.[0] === after;
    const entries = isThere ? found.slice(1) : found;
    if (!isThere && !isNextItem(found[0]?.[0] ?? '', after)) throw Gap();
    return entries.flatMap((entry) => toStoredItem(entry) ?? []);
  }

  async follow(topic: string, limits: TopicLimits, listener: TopicListener): Promise<Following> {
    const feed = await (this.#feeds.get(topic) ?? this.#open(topic, limits));
    // Its last listener has left while this one waited.
    if (feed.end === 'left') return this.follow(topic, limits, listener);
    if (feed.end !== undefined) throw feed.end;
    const following = feed.add(listener);
    try {
      const { id } = await this.#findNewest(topic, limits);
      return { ...following, newest: id };
    } catch (error) {
      following.leave();
      throw error;
    }
  }

  logTo(logger: Pick<Console, 'info' | 'warn'>): void {
    this.#logger = logger;
  }

  warn(text: string, details: object): void {
    this.#logger.warn(text, details);
  }

  /** Ends all subscriptions, and with them the connection. */
  async stop(): Promise<void> {
    const reason = defaultErrors.ServiceUnavailable('The store of the topic was stopped');
    const failing = [...this.#feeds.values()].map(async (feed) => (await feed).fail(reason));
    await Promise.allSettled(failing);
  }

  #open(topic: string, limits: TopicLimits): Promise<RedisFeed> {
    const forget = (): void => {
      if (this.#feeds.get(topic) === opening) this.#feeds.delete(topic);
    };
    const opening = this.#begin(topic, limits, forget);
    opening.catch(forget);
    this.#feeds.set(topic, opening);
    return opening;
  }

  /** Begins behind the last entry of the stream, or begins the stream. */
  async #begin(topic: string, limits: TopicLimits, onEnd: () => void): Promise<RedisFeed> {
    const newest = await this.#findNewest(topic, limits);
    const feed = new RedisFeed({ ...newest, keepMs: limits.keepMs }, () => {
      onEnd();
      this.#reader.remove(feed);
    });
    this.#reader.add(feed);
    return feed;
  }

  /** The id of the last entry of a stream, which is begun where it is not there. */
  #findNewest(topic: string, { keepMs, maxItems }: TopicLimits) {
    return this.#answer(topic, async (redis, key) => {
      const id = await redis.eval(APPEND, 1, key, keepMs, maxItems);
      return { key, id: String(id) };
    });
  }

  /** Rejects with 503 where Redis is away, or does not answer in time. */
  async #answer<T>(topic: string, command: (redis: Redis, key: string) => Promise<T>): Promise<T> {
    try {
      return await answerWithin(this.#ask(`topic:${topic}`, command), PATIENCE_MS);
    } catch (cause) {
      throw defaultErrors.ServiceUnavailable(
        `The topic '${topic}' cannot be reached; try again in 1 s`,
        { retryAfterSeconds: 1 },
        { cause },
      );
    }
  }
}

/**
 * ARGV: the time for which the stream stays, milliseconds; its length; the text of an item. Without a text, gives the
 * id of the last entry, and begins a stream that is not there with an entry that is not an item.
 */
const APPEND = `
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local id
if last then
  local epoch, number = string.match(last[1], '(%d+)-(%d+)')
  id = string.format('%s-%.0f', epoch, number + 1)
else
  local time = redis.call('TIME')
  id = string.format('%.0f-1', time[1] * 1000 + math.floor(time[2] / 1000))
end
if last and not ARGV[3] then
  id = last[1]
else
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], id, ARGV[3] and 'v' or 'begin', ARGV[3] or '')
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return id`;
