import { isFrameworkError } from '../errors/define-error.ts';

type Work = () => Promise<unknown>;

/**
 * The work that waits for the success of a call: jobs to add, caches to invalidate, functions that were passed to
 * `afterSuccess`. Whether the call succeeds is decided once. Work that is added after that is done at once, or dropped.
 */
export class SuccessQueue {
  #state: 'open' | 'succeeded' | 'failed';
  #works: Work[] = [];

  constructor(state: 'open' | 'succeeded' | 'failed' = 'open') {
    this.#state = state;
  }

  /** Gives the promise of work that is done at once; undefined for work that waits, and for work that is dropped. */
  add(work: Work): Promise<unknown> | undefined {
    switch (this.#state) {
      case 'open':
        this.#works.push(work);
        return undefined;
      case 'succeeded':
        return work();
      case 'failed':
        return undefined;
      default:
        return this.#state satisfies never;
    }
  }

  /** A place to which `rollBack` returns: a middleware may try again what has left work before it failed. */
  mark(): number {
    return this.#works.length;
  }

  rollBack(mark: number): void {
    this.#works.length = Math.min(mark, this.#works.length);
  }

  /**
   * Does the waiting work, in order, and the work that it adds. @throws the error of one of them; AggregateError for
   * several
   */
  async succeed(): Promise<void> {
    if (this.#state !== 'open') return;
    const faults = new Set<unknown>();
    for (const work of this.#works) await work().catch((fault: unknown) => faults.add(fault));
    this.#state = 'succeeded';
    this.#works = [];
    if (faults.size > 1 && ![...faults].every(isFrameworkError))
      throw new AggregateError(faults, `${faults.size} things failed after the call's success.`);
    for (const fault of faults) throw fault;
  }

  fail(): void {
    if (this.#state !== 'open') return;
    this.#state = 'failed';
    this.#works = [];
  }
}

/** The queue of every call that has succeeded with nothing to do then, as most do: whatever comes is done at once. */
export const queueOfSuccess: SuccessQueue = new SuccessQueue('succeeded');

/** The queue of every call that has failed with nothing left to do: whatever comes is dropped. */
export const queueOfFailure: SuccessQueue = new SuccessQueue('failed');
