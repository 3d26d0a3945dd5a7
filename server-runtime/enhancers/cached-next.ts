import { withAdded } from '../capability/define-middleware.ts';
import type { Answer, Next } from '../capability/enhancer.ts';
import { isReply } from '../capability/reply.ts';
import { andThen, isPromise, type MaybePromise } from '../errors/failure.ts';
import { untilAborted } from '../resources/item-source.ts';
import type { AnswerCodec } from './answer-codec.ts';
import { type AskedStore, AWAY, findSignal, toStoreKey } from './enhancer-state.ts';
import { readTags } from './invalidates.ts';

export interface CacheParts {
  readonly store: AskedStore;
  readonly tags: AskedStore;
  readonly codec: AnswerCodec;
  readonly space: string;
  readonly ttlMs: number;
  readonly staleMs: number;
  /** The time that a new answer for later callers may take, milliseconds. */
  readonly refreshMs: number;
  /** Undefined is not cached. */
  readonly keyOf: (input: unknown, ctx: unknown) => string | undefined;
  readonly tagsOf: (input: unknown, ctx: unknown) => readonly string[];
  /** Told of a refresh that failed, whose caller has its answer already. */
  readonly onFault: (error: unknown) => void;
}

interface CachedCall {
  readonly input: unknown;
  readonly ctx: unknown;
  readonly key: string;
  /** When its tags were invalidated last; undefined while the store does not say, and nothing is kept. */
  readonly stamp: string | undefined;
}

/** An answer as it is kept, in one record, so that no key of an input can be a mark. Milliseconds since 1970. */
interface Kept {
  readonly stamp: string;
  readonly freshUntil: number;
  readonly keptUntil: number;
  readonly text: string;
}

/** An answer that is being made, and whether its caller has left meanwhile. */
interface Flight {
  readonly text: Promise<string | undefined>;
  readonly signal: AbortSignal | undefined;
}

/** A step that calls `next` only where there is no answer in the store. While that does not answer, it calls `next`. */
export function createCachedNext(next: Next, parts: CacheParts): Next {
  const { store, tags, codec, space, ttlMs, staleMs, refreshMs, keyOf, tagsOf, onFault } = parts;
  const flights = new Map<string, Flight>();

  /** Callers who come while an answer is being made wait for that one, unless its tags were invalidated since. */
  function share(call: CachedCall): MaybePromise<Answer> {
    const name = `${call.key}\n${call.stamp}`;
    const flight = flights.get(name);
    if (flight !== undefined) return follow(call, flight);
    const value = next(call.input, call.ctx);
    if (!isPromise(value)) return andThen(keep(call, value), () => value);
    const text = Promise.resolve(value).then((made) => keep(call, made));
    flights.set(name, { text, signal: findSignal(call.ctx) });
    const land = (): void => void flights.delete(name);
    text.then(land, land);
    return text.then(() => value);
  }

  /** An answer that cannot be kept is made for each caller; so is one whose caller left, which may have ended it. */
  async function follow({ input, ctx }: CachedCall, { text, signal }: Flight): Promise<Answer> {
    try {
      const made = await text;
      if (made !== undefined) return codec.read(made);
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
    return next(input, ctx);
  }

  /** The text of an answer that is as good for the next caller: it succeeded, and sets nobody's cookie. */
  function keep({ key, stamp }: CachedCall, value: unknown): MaybePromise<string | undefined> {
    const text = isForAll(value) ? codec.write(value) : undefined;
    if (text === undefined || stamp === undefined) return text;
    const freshUntil = Date.now() + ttlMs;
    const record = toRecord({ stamp, freshUntil, keptUntil: freshUntil + staleMs, text });
    const written = store.ask((to) => to.set(key, record, ttlMs + staleMs));
    return andThen(written, () => text);
  }

  /** One process at a time makes the new answer, within a time and with its own signal; others give the old one. */
  async function refresh(call: CachedCall, record: string, kept: Kept): Promise<void> {
    const now = Date.now();
    const to = toRecord({ ...kept, freshUntil: now + refreshMs });
    const change = { from: record, to, ttlMs: Math.max(1, kept.keptUntil - now) };
    if ((await store.ask((of) => of.swap(call.key, change))) !== true) return;
    const signal = AbortSignal.timeout(refreshMs);
    const made = async (): Promise<Answer> => next(call.input, withAdded(call.ctx, { signal }));
    await keep(call, await untilAborted(made(), signal));
  }

  return (input, ctx) => {
    const text = keyOf(input, ctx);
    if (text === undefined) return next(input, ctx);
    const call = { input, ctx, key: toStoreKey(space, text), stamp: undefined };
    if (store.isAway()) return share(call);
    // All that is asked of the store is asked at once, so that a call waits for one answer of it.
    const stamped = readTags(tags, tagsOf(input, ctx));
    const found = store.ask((from) => from.get(call.key));
    return andThen(stamped, (stamp) =>
      andThen(found, (record) => {
        if (stamp === AWAY || record === AWAY) return share(call);
        const kept = record === undefined ? undefined : readRecord(record);
        if (record === undefined || kept?.stamp !== stamp) return share({ ...call, stamp });
        if (staleMs > 0 && kept.freshUntil <= Date.now()) refresh({ ...call, stamp }, record, kept).catch(onFault);
        return codec.read(kept.text);
      }),
    );
  };
}

function toRecord({ stamp, freshUntil, keptUntil, text }: Kept): string {
  return [stamp, freshUntil, keptUntil, text].join('\n');
}

function readRecord(record: string): Kept {
  const [stamp = '', freshUntil = '', keptUntil = ''] = record.split('\n', 3);
  const text = record.slice(stamp.length + freshUntil.length + keptUntil.length + 3);
  return { stamp, freshUntil: Number(freshUntil), keptUntil: Number(keptUntil), text };
}

function isForAll(value: unknown): boolean {
  if (!isReply(value)) return true;
  const { status = 200, headers } = value;
  return status < 400 && !Object.keys(headers).some((name) => name.toLowerCase() === 'set-cookie');
}
