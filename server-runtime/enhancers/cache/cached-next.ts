import type { Answer, Next } from '../../capability/enhancer.ts';
import { findCallRequest } from '../../capability/middleware/call-request.ts';
import { andThen, isPromise, type MaybePromise } from '../../errors/outcome.ts';
import { findSignal } from '../find-signal.ts';
import { type AskedStore, AWAY } from '../state/asked-store.ts';
import { readTags } from '../state/invalidate-tags.ts';
import type { AnswerCodec } from '../state/load-answer-codec.ts';
import { type OnStoreError, storeAway } from '../state/on-store-error.ts';
import { toStoreKey } from '../state/to-store-key.ts';

export interface CacheParts {
  readonly store: AskedStore;
  readonly tags: AskedStore;
  readonly codec: AnswerCodec;
  readonly space: string;
  readonly ttlMs: number;
  readonly staleMs: number;
  readonly onStoreError: OnStoreError;
  /** Undefined is not cached. */
  readonly keyOf: (input: unknown, ctx: unknown) => string | undefined;
  readonly tagsOf: (input: unknown, ctx: unknown) => readonly string[];
  readonly isKept: (value: unknown) => boolean;
  /** Told of a refresh that failed, whose caller has its answer already. */
  readonly onFault: (error: unknown) => void;
}

/** The time that one process has to make a new answer before another one tries, milliseconds. */
const REFRESH_MS = 10_000;

/** One call that is cached. */
interface Asked {
  readonly input: unknown;
  readonly ctx: unknown;
  readonly key: string;
  /** When its tags were invalidated last. */
  readonly stamp: string;
}

/** An answer that is being made, and whether its caller has left meanwhile. */
interface Flight {
  readonly text: Promise<string | undefined>;
  readonly signal: AbortSignal | undefined;
}

/** A step that calls `next` only where there is no answer in the store. */
export class CachedNext {
  readonly #next: Next;
  readonly #caching: CacheParts;
  readonly #flights = new Map<string, Flight>();

  constructor(next: Next, caching: CacheParts) {
    this.#next = next;
    this.#caching = caching;
  }

  call(input: unknown, ctx: unknown): MaybePromise<Answer> {
    const { store, tags, codec, space, staleMs, keyOf, tagsOf, onFault } = this.#caching;
    const text = keyOf(input, ctx);
    if (text === undefined) return this.#next(input, ctx);
    if (store.isAway()) return this.#withoutStore(input, ctx);
    const key = toStoreKey(space, text);
    // All that is asked of the store is asked at once, so that a call waits for one answer of it.
    const stamped = readTags(tags, tagsOf(input, ctx));
    const kept = store.ask((from) => from.get(key));
    const fresh = staleMs === 0 ? '1' : store.ask((from) => from.get(`${key}:fresh`));
    return andThen(stamped, (stamp) =>
      andThen(kept, (entry) => {
        if (stamp === AWAY || entry === AWAY) return this.#withoutStore(input, ctx);
        const asked: Asked = { input, ctx, key, stamp };
        const found = entry === undefined ? undefined : findKept(entry, stamp);
        if (found === undefined) return this.#share(asked);
        noteKept(ctx, found.madeAt);
        return andThen(fresh, (mark) => {
          if (mark === undefined) void this.#refresh(asked).catch(onFault);
          return codec.read(found.text);
        });
      }),
    );
  }

  #withoutStore(input: unknown, ctx: unknown): MaybePromise<Answer> {
    if (this.#caching.onStoreError === 'open') return this.#next(input, ctx);
    throw storeAway();
  }

  /** One process at a time makes the new answer; where that failed, none does for a while. */
  async #refresh(asked: Asked): Promise<void> {
    const { store } = this.#caching;
    const lock = `${asked.key}:refresh`;
    if ((await store.ask((kept) => kept.add(lock, '1', REFRESH_MS))) !== undefined) return;
    await this.#keep(asked, await this.#next(asked.input, asked.ctx));
    await store.ask((kept) => kept.swap(lock, { from: '1' }));
  }

  /** Callers who come while an answer is being made wait for that one. */
  #share(asked: Asked): MaybePromise<Answer> {
    const flight = this.#flights.get(toFlightKey(asked));
    if (flight !== undefined) return this.#follow(asked, flight);
    const value = this.#next(asked.input, asked.ctx);
    if (!isPromise(value)) return andThen(this.#keep(asked, value), () => value);
    return this.#lead(asked, value);
  }

  async #lead(asked: Asked, value: PromiseLike<Answer>): Promise<Answer> {
    const text = Promise.resolve(value).then((made) => this.#keep(asked, made));
    this.#flights.set(toFlightKey(asked), { text, signal: findSignal(asked.ctx) });
    try {
      await text;
      return await value;
    } finally {
      this.#flights.delete(toFlightKey(asked));
    }
  }

  /** An answer that cannot be kept is made for each caller; so is one whose caller left, which may have ended it. */
  async #follow(asked: Asked, { text, signal }: Flight): Promise<Answer> {
    try {
      const made = await text;
      if (made !== undefined) {
        noteKept(asked.ctx);
        return this.#caching.codec.read(made);
      }
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
    return this.#next(asked.input, asked.ctx);
  }

  /** The text that was kept; undefined for an answer that is not. */
  #keep({ key, stamp, ctx }: Asked, value: unknown): MaybePromise<string | undefined> {
    const { store, codec, isKept, ttlMs, staleMs } = this.#caching;
    const text = isKept(value) ? codec.write(value) : undefined;
    if (text === undefined) return undefined;
    noteKept(ctx);
    const kept = store.ask((to) => to.set(key, `${stamp}\n${Date.now()}\n${text}`, ttlMs + staleMs));
    const marked = staleMs === 0 ? kept : andThen(kept, () => store.ask((to) => to.set(`${key}:fresh`, '1', ttlMs)));
    return andThen(marked, () => text);
  }
}

/** An answer that was begun before its tags were invalidated is not shared with those who came after. */
function toFlightKey({ key, stamp }: Asked): string {
  return `${key}\n${stamp}`;
}

/** An answer as it is kept. */
interface Kept {
  readonly text: string;
  /** Milliseconds since 1970, by the clock of the process that made it. */
  readonly madeAt: number;
}

/** The answer of an entry; undefined for one whose tags were invalidated since. */
function findKept(entry: string, stamp: string): Kept | undefined {
  const end = entry.indexOf('\n');
  const start = entry.indexOf('\n', end + 1) + 1;
  if (entry.slice(0, end) !== stamp) return undefined;
  return { text: entry.slice(start), madeAt: Number(entry.slice(end + 1, start - 1)) };
}

/** Tells the transport that the answer is kept, so that callers may keep it too. Clocks of processes differ a little. */
function noteKept(ctx: unknown, madeAt?: number): void {
  findCallRequest(ctx)?.noteKept?.(madeAt === undefined ? 0 : Math.max(0, Math.floor((Date.now() - madeAt) / 1000)));
}
