import { isPromise, type MaybePromise } from '../../errors/outcome.ts';
import { answerWithin } from '../../stores/answer-within.ts';
import type { Store } from '../../stores/store.ts';

/** Given in the place of an answer that a store did not give in time. */
export const AWAY: unique symbol = Symbol('away');

/** A store as enhancers ask it. */
export interface AskedStore {
  /** The answer, or `AWAY` where the question failed or had no answer within a second. Never rejects. */
  readonly ask: <T>(question: (store: Store) => MaybePromise<T>) => MaybePromise<T | typeof AWAY>;
  /** Whether the store answers nobody at the moment: for the cache, which does without it. */
  readonly isAway: () => boolean;
  /** Looks whether the store answers, and says so where it does not; gives way after a second. */
  readonly start: () => Promise<void>;
  readonly stop: () => MaybePromise<void>;
}

export interface StoreEvents {
  /** The store answers nobody. */
  readonly onAway: (error: unknown) => void;
  readonly onBack: () => void;
  /** One question failed, and the store answers others. */
  readonly onFault: (error: unknown) => void;
}

/** The time that a store has for an answer, and that passes between two looks at it, milliseconds. */
const PATIENCE_MS = 1000;

/**
 * Asks a store, each question on its own: one that is slow or fails concerns its caller alone. After such a one, a
 * harmless question in the background tells a store that is away, which is asked again each second until it answers,
 * from a question that it cannot answer.
 */
export function createAskedStore(store: Store, { onAway, onBack, onFault }: StoreEvents): AskedStore {
  let isAway = false;
  let isStopped = false;
  let looking: Promise<void> | undefined;

  async function look(fault?: { readonly error: unknown }): Promise<void> {
    try {
      await answerWithin(Promise.resolve(store.get('start')), PATIENCE_MS);
      if (!isAway && fault === undefined) {
        looking = undefined;
        return;
      }
      if (isAway) onBack();
      else onFault(fault?.error);
      isAway = false;
    } catch (error) {
      if (isStopped) return;
      if (!isAway) onAway(error);
      isAway = true;
    }
    const again = (): void => {
      looking = undefined;
      if (isAway && !isStopped) looking = look();
    };
    setTimeout(again, PATIENCE_MS).unref?.();
  }
  function fail(error: unknown): typeof AWAY {
    if (!isStopped) looking ??= look({ error });
    return AWAY;
  }

  return {
    ask: (question) => {
      try {
        const answer = question(store);
        return isPromise(answer) ? answerWithin(answer, PATIENCE_MS).catch(fail) : answer;
      } catch (error) {
        return fail(error);
      }
    },
    isAway: () => isAway,
    start: async () => {
      isStopped = false;
      looking = look();
      await looking;
    },
    stop: () => {
      isStopped = true;
      return store.stop?.();
    },
  };
}
