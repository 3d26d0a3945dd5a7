/** A call that waits for a place. */
interface Waiting {
  readonly enter: () => void;
}

/** Places for a bounded number of calls, and a bounded queue before them, first come first served. */
export class Places {
  readonly #limit: number;
  readonly #maxQueuedCalls: number;
  readonly #queue = new Set<Waiting>();
  #taken = 0;

  constructor({ limit, maxQueuedCalls }: { readonly limit: number; readonly maxQueuedCalls: number }) {
    this.#limit = limit;
    this.#maxQueuedCalls = maxQueuedCalls;
  }

  /** True once there is a place, which must be left; false where the queue is full, and when the signal fires first. */
  enter(signal: AbortSignal | undefined): boolean | Promise<boolean> {
    if (this.#taken < this.#limit) {
      this.#taken++;
      return true;
    }
    if (this.#queue.size >= this.#maxQueuedCalls || signal?.aborted === true) return false;
    return new Promise((resolve) => {
      const settle = (hasPlace: boolean): void => {
        this.#queue.delete(waiting);
        signal?.removeEventListener('abort', giveUp);
        resolve(hasPlace);
      };
      const giveUp = (): void => settle(false);
      const waiting: Waiting = { enter: () => settle(true) };
      this.#queue.add(waiting);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Gives the place to who has waited longest. */
  leave(): void {
    const [first] = this.#queue;
    if (first === undefined) this.#taken--;
    else first.enter();
  }
}
