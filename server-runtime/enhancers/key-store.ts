import { defaultErrors } from '../errors/default-errors.ts';
import type { MaybePromise } from '../errors/failure.ts';
import { type AskedStore, AWAY, type StateLogger, toDigest } from './enhancer-state.ts';
import type { EndedRecord } from './once-step.ts';

export interface KeyStoreOptions {
  /** Key of the capability. */
  readonly capability: string;
  readonly store: AskedStore;
  readonly logger: StateLogger | undefined;
  readonly ttlMs: number;
  readonly lockMs: number;
}

/** A call that has taken its idempotency key. */
export interface TakenKey {
  readonly key: string;
  /** The record of this call while it runs, as it stands in the store. */
  readonly mine: string;
  readonly requestId: string | undefined;
}

/** The records of calls by their idempotency keys. */
export interface KeyStore {
  /** Takes a key, or gives the record that it has. Rejects with 503 while the store is away. */
  readonly take: (key: string, mine: string) => Promise<string | undefined>;
  /** Keeps a key from running out until the function that it gives is called. */
  readonly hold: (taken: TakenKey) => () => void;
  /** Lets others take the key. */
  readonly release: (taken: TakenKey) => Promise<void>;
  /** Writes what became of a call, before it is answered. Rejects with 503 where it cannot, and logs it. */
  readonly keep: (taken: TakenKey, record: EndedRecord) => Promise<void>;
}

/** The time between two attempts to write, milliseconds. */
const AGAIN_MS = 50;

export function createKeyStore({ capability, store, logger, ttlMs, lockMs }: KeyStoreOptions): KeyStore {
  const release: KeyStore['release'] = async ({ key, mine }) =>
    void (await store.ask((to) => to.swap(key, { from: mine })));

  const take: KeyStore['take'] = async (key, mine) => {
    let late: MaybePromise<string | undefined> = mine;
    const kept = await store.ask((to) => (late = to.add(key, mine, lockMs)));
    if (kept !== AWAY) return kept;
    // The store may still take the key, which nobody would hold.
    const settled = Promise.resolve(late);
    settled
      .then((found) => (found === undefined ? release({ key, mine, requestId: undefined }) : undefined))
      .catch(() => {});
    throw storeAway();
  };

  const hold: KeyStore['hold'] = ({ key, mine }) => {
    const timer = setInterval(() => {
      void store.ask((to) => to.swap(key, { from: mine, to: mine, ttlMs: lockMs }));
    }, lockMs / 3);
    timer.unref();
    return () => clearInterval(timer);
  };

  const keep: KeyStore['keep'] = async ({ key, mine, requestId }, record) => {
    const text = JSON.stringify(record);
    const lastAt = performance.now() + lockMs / 3;
    for (;;) {
      const isWritten = await store.ask((to) => to.swap(key, { from: mine, to: text, ttlMs }));
      if (isWritten === true) return;
      // The answer to a former attempt was lost, or the hold has run out.
      const kept = isWritten === AWAY ? AWAY : await store.ask((to) => to.add(key, text, ttlMs));
      if (kept === undefined || kept === text) return;
      if (kept !== AWAY || performance.now() > lastAt) break;
      await pause(AGAIN_MS, undefined);
    }
    const outcome = record.state === 'refused' ? 'was refused' : 'has succeeded';
    const digest = toDigest(key).slice(1);
    logger?.error(
      `[capix] ${capability} ${outcome}, and this could not be stored under its idempotency key (digest ` +
        `${digest}): another call with the key may run it again.`,
      { requestId },
    );
    throw defaultErrors.ServiceUnavailable(
      'The outcome of the call could not be stored; look what became of it before you repeat it',
    );
  };

  return { take, hold, release, keep };
}

/** Waits so many milliseconds; ends early when the signal fires. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** The refusal of a call that must not run without the store. */
export function storeAway(): Error {
  return defaultErrors.ServiceUnavailable('Unavailable for the moment; try again in 1 s', { retryAfterSeconds: 1 });
}
