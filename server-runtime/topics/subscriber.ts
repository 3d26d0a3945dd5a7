import type { ServerSentEvent } from '../capability/reply.ts';
import { defineError } from '../errors/define-error.ts';
import {
  type Following,
  isBehind,
  type StoredItem,
  type TopicLimits,
  type TopicListener,
  type TopicLog,
} from '../stores/topic-log.ts';

/** A subscriber took items so slowly that more waited for it than may. It may go on behind the last one that it has. */
export const SlowReader = defineError(
  503,
  'The items of this topic were read too slowly: go on behind the last one',
  'SlowReader',
);

interface SubscriberParts<T> {
  readonly topic: string;
  readonly log: TopicLog;
  readonly limits: TopicLimits;
  readonly maxWaitingItems: number;
  /** Undefined for an item that nobody can read, which is passed over. */
  readonly toEvent: (item: StoredItem) => ServerSentEvent<T> | undefined;
  /** Ends it: the call for which it is. */
  readonly signal: AbortSignal;
}

/**
 * Where a subscriber is. One that goes on behind an earlier item first reads what it has missed, page by page, while
 * what is published waits.
 */
type Phase =
  | { readonly kind: 'behind'; readonly after: string }
  | { readonly kind: 'current' }
  | { readonly kind: 'over'; readonly reason?: Error | undefined };

type Result<T> = IteratorResult<ServerSentEvent<T>, undefined>;

interface Reader<T> {
  readonly resolve: (result: Result<T>) => void;
  readonly reject: (reason: unknown) => void;
}

/** The items of a topic for one subscriber. It hears from `begin` on, whether it is read or not, and ends once. */
export class Subscriber<T> implements TopicListener {
  readonly #parts: SubscriberParts<T>;
  #phase: Phase = { kind: 'current' };
  #following: Following | undefined = undefined;
  /** The item that it has already, while its process has not yet heard of that one. */
  #ahead: string | undefined = undefined;
  /** What it has missed, and not taken yet. */
  #missed: StoredItem[] = [];
  /** What was published since it hears. */
  #waiting: StoredItem[] = [];
  /** The calls of `next` that wait for an item. While there is an item, no call waits. */
  #readers: Reader<T>[] = [];
  #isLoading = false;

  constructor(parts: SubscriberParts<T>) {
    this.#parts = parts;
  }

  /**
   * Gives the id behind which its items begin. Rejects with `Gap` where items behind `after` are no longer there, and
   * where the store is away.
   */
  async begin(after: string | undefined): Promise<string> {
    const { log, topic, limits, signal } = this.#parts;
    signal.throwIfAborted();
    const following = await log.follow(topic, limits, this);
    const { newest } = following;
    this.#following = following;
    try {
      this.#skipTo(after ?? newest);
      if (after !== undefined && after !== newest) await this.#loadPage(after);
      signal.throwIfAborted();
    } catch (error) {
      this.#end();
      throw error;
    }
    signal.addEventListener('abort', this.leave);
    return after ?? newest;
  }

  next(): Promise<Result<T>> {
    const value = this.#shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (this.#phase.kind === 'over') return this.#shiftEnd();
    return new Promise((resolve, reject) => {
      this.#readers.push({ resolve, reject });
      void this.#load();
    });
  }

  /** Called by its reader, or when the signal fires. */
  readonly leave = (): void => this.#end();

  take(item: StoredItem): void {
    if (this.#ahead !== undefined) {
      if (item.id === this.#ahead) this.#ahead = undefined;
      return;
    }
    this.#waiting.push(item);
    if (this.#readers.length > 0) return this.#serve();
    const { maxWaitingItems, topic } = this.#parts;
    if (this.#waiting.length <= maxWaitingItems) return;
    const text = `More than ${maxWaitingItems} items of '${topic}' waited: go on behind the last one`;
    this.#end(SlowReader(text));
  }

  fail(reason: Error): void {
    this.#end(reason);
  }

  /** Passes over what it hears up to the item that it has already. */
  #skipTo(id: string): void {
    if (!isBehind(id, this.#heardAfter)) return;
    const at = this.#waiting.findIndex((item) => item.id === id);
    this.#waiting = at === -1 ? [] : this.#waiting.slice(at + 1);
    if (at === -1) this.#ahead = id;
  }

  async #load(): Promise<void> {
    if (this.#phase.kind !== 'behind' || this.#isLoading) return;
    this.#isLoading = true;
    try {
      await this.#loadPage(this.#phase.after);
      this.#serve();
    } catch (error) {
      this.#end(error as Error);
    }
    this.#isLoading = false;
    if (this.#readers.length > 0) await this.#load();
  }

  /** What comes behind the items that it hears of is left out: it hears of that, too. */
  async #loadPage(after: string): Promise<void> {
    const { log, topic } = this.#parts;
    this.#phase = { kind: 'behind', after };
    const page = await log.read(topic, after);
    if (this.#isOver()) return;
    const heardAfter = this.#heardAfter;
    const missed = page.filter(({ id }) => !isBehind(id, heardAfter));
    this.#missed.push(...missed);
    const last = missed.at(-1)?.id ?? heardAfter;
    this.#phase = isBehind(heardAfter, last)
      ? { kind: 'behind', after: last }
      : { kind: 'current' };
  }

  /** The id behind which it hears everything. */
  get #heardAfter(): string {
    return this.#following?.id ?? '';
  }

  #isOver(): boolean {
    return this.#phase.kind === 'over';
  }

  /** Gives items to the calls of `next` that wait for one. */
  #serve(): void {
    while (this.#readers.length > 0) {
      const value = this.#shift();
      if (value === undefined) return;
      this.#readers.shift()?.resolve({ done: false, value });
    }
  }

  #shift(): ServerSentEvent<T> | undefined {
    for (;;) {
      const isCurrent = this.#phase.kind === 'current';
      const item = this.#missed.shift() ?? (isCurrent ? this.#waiting.shift() : undefined);
      if (item === undefined) return undefined;
      const event = this.#parts.toEvent(item);
      if (event !== undefined) return event;
    }
  }

  /** The reason of its end, once. */
  #shiftEnd(): Promise<Result<T>> {
    const { reason } = this.#phase as { readonly reason?: Error | undefined };
    this.#phase = { kind: 'over' };
    return reason === undefined
      ? Promise.resolve({ done: true, value: undefined })
      : Promise.reject(reason);
  }

  #end(reason?: Error): void {
    if (this.#phase.kind === 'over') return;
    this.#phase = { kind: 'over', reason };
    this.#following?.leave();
    this.#parts.signal.removeEventListener('abort', this.leave);
    this.#missed = [];
    this.#waiting = [];
    const readers = this.#readers;
    this.#readers = [];
    for (const { resolve, reject } of readers) this.#shiftEnd().then(resolve, reject);
  }
}
