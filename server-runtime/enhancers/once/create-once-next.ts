import { randomUUID } from 'node:crypto';
import type { Answer, Next } from '../../capability/enhancer.ts';
import { findCallRequest } from '../../capability/middleware/call-request.ts';
import { defaultErrors } from '../../errors/default-errors.ts';
import { isFrameworkError } from '../../errors/framework-error.ts';
import { toCacheKey } from '../cache/cache-key.ts';
import { findSignal } from '../find-signal.ts';
import { pause } from '../flow/pause.ts';
import { type AskedStore, AWAY } from '../state/asked-store.ts';
import type { AnswerCodec } from '../state/load-answer-codec.ts';
import { type OnStoreError, storeAway } from '../state/on-store-error.ts';
import { toDigest, toStoreKey } from '../state/to-store-key.ts';
import { expectIdempotencyKey } from './expect-idempotency-key.ts';
import { type OnceRecord, toSameError, toToldError } from './once-record.ts';

export interface Remembering {
  readonly store: AskedStore;
  readonly codec: AnswerCodec;
  readonly space: string;
  readonly ttlMs: number;
  readonly lockMs: number;
  readonly onStoreError: OnStoreError;
  readonly callerOf: (input: unknown, ctx: unknown) => string;
  readonly keyReused: () => Error;
}

/** The time between two looks at a call that another process runs, milliseconds. */
const LOOK_MS = 50;

interface Keyed {
  readonly input: unknown;
  readonly ctx: unknown;
  readonly key: string;
  /** The record of this call while it runs, as it stands in the store. */
  readonly mine: string;
  readonly print: string;
}

/** A step that calls `next` for the first call with a key; every later one gets what became of that. */
export function createOnceNext(next: Next, remembering: Remembering): Next {
  const { store, codec, space, ttlMs, lockMs, onStoreError, callerOf, keyReused } = remembering;

  return async (input, ctx) => {
    const key = toStoreKey(space, JSON.stringify([callerOf(input, ctx), expectIdempotencyKey(ctx)]));
    const print = toDigest(toCacheKey(input) ?? '').slice(1);
    const mine = JSON.stringify({ state: 'running', print, owner: randomUUID() } satisfies OnceRecord);
    const call: Keyed = { input, ctx, key, mine, print };
    for (;;) {
      const kept = await store.ask((to) => to.add(key, mine, lockMs));
      if (kept === AWAY) return withoutStore(call);
      if (kept === undefined) return run(call);
      const record = JSON.parse(kept) as OnceRecord;
      if (record.print !== print) throw keyReused();
      if (record.state !== 'running') return replay(record, ctx);
      await pause(LOOK_MS, findSignal(ctx));
      if (findSignal(ctx)?.aborted === true)
        throw defaultErrors.Conflict('The first call with this key has no answer yet');
    }
  };

  function withoutStore({ input, ctx }: Keyed): ReturnType<Next> {
    if (onStoreError === 'open') return next(input, ctx);
    throw storeAway();
  }

  function replay(record: Exclude<OnceRecord, { state: 'running' }>, ctx: unknown): Answer {
    findCallRequest(ctx)?.addHeader?.('idempotency-replayed', 'true');
    switch (record.state) {
      case 'done':
        return codec.read(record.text);
      case 'refused':
        throw toSameError(record.error);
      case 'unkept':
        throw defaultErrors.Conflict('The call was answered already, with what cannot be given twice');
    }
  }

  /** Holds the key for as long as the handler runs, also when its caller has left: the next one with the key waits for it. */
  async function run({ input, ctx, key, mine, print }: Keyed): Promise<Answer> {
    const hold = setInterval(() => {
      void store.ask((to) => to.swap(key, { from: mine, to: mine, ttlMs: lockMs }));
    }, lockMs / 3);
    hold.unref();
    const end = async (record: OnceRecord | undefined): Promise<void> => {
      const change = record === undefined ? {} : { to: JSON.stringify(record), ttlMs };
      await store.ask((to) => to.swap(key, { from: mine, ...change }));
    };
    try {
      const value = await next(input, ctx);
      const text = codec.write(value);
      await end(text === undefined ? { state: 'unkept', print } : { state: 'done', print, text });
      return value;
    } catch (error) {
      const isRefusal = isFrameworkError(error) && error.status < 500 && error.status !== 429;
      await end(isRefusal ? { state: 'refused', print, error: toToldError(error) } : undefined);
      throw error;
    } finally {
      clearInterval(hold);
    }
  }
}
