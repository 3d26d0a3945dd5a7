import { createDeadlines } from '../../deadline/create-deadlines.ts';
import type { Deadline, Deadlines } from '../../deadline/deadline-list.ts';
import { isPromise, type MaybePromise } from '../../errors/outcome.ts';
import type { Store } from '../../stores/store.ts';
import { Circuit, type Passage } from '../flow/circuit.ts';

/** Given in the place of an answer while the store does not answer. */
export const AWAY: unique symbol = Symbol('away');

/** A store as enhancers ask it. */
export interface AskedStore {
  /** The answer, or `AWAY`. Never rejects. */
  readonly ask: <T>(question: (store: Store) => MaybePromise<T>) => MaybePromise<T | typeof AWAY>;
  readonly stop: () => MaybePromise<void>;
}

/** The time that a store has for an answer, and that passes before one that was away is asked again, milliseconds. */
const PATIENCE_MS = 1000;

export interface StoreEvents {
  readonly onAway: (error: unknown) => void;
  readonly onBack: () => void;
}

/**
 * Asks a store that may be away: a question that has no answer within a second is given up, and until it answers again one question a second
 * goes to it, so that no call waits for long. Each change is told once.
 */
export function toAskedStore(store: Store, { onAway, onBack }: StoreEvents): AskedStore {
  const circuit = new Circuit({ failures: 1, openMs: PATIENCE_MS });
  const deadlines = createDeadlines(PATIENCE_MS);
  let isAway = false;

  function succeed<T>(passage: Passage, value: T): T {
    circuit.report(passage, 'success', { now: performance.now() });
    if (isAway) onBack();
    isAway = false;
    return value;
  }
  function fail(passage: Passage, error: unknown): typeof AWAY {
    circuit.report(passage, 'failure', { now: performance.now() });
    if (!isAway) onAway(error);
    isAway = true;
    return AWAY;
  }

  return {
    ask: (question) => {
      const passage = circuit.enter(performance.now());
      if (typeof passage === 'number') return AWAY;
      try {
        const answer = question(store);
        if (!isPromise(answer)) return succeed(passage, answer);
        return within(deadlines, answer).then(
          (value) => succeed(passage, value),
          (error: unknown) => fail(passage, error),
        );
      } catch (error) {
        return fail(passage, error);
      }
    },
    stop: () => store.stop?.(),
  };
}

/** Rejects when the time of the list is over. */
function within<T>(deadlines: Deadlines, answer: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const expire = (): void => {
      isOver = true;
      reject(new Error(`There was no answer within ${deadlines.timeoutMs} ms.`));
    };
    const deadline: Deadline = { dueAt: 0, previous: undefined, next: undefined, expire };
    deadlines.add(deadline);
    const end = (settle: () => void): void => {
      if (!isOver) deadlines.remove(deadline);
      isOver = true;
      settle();
    };
    answer.then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error as Error)),
    );
  });
}
