import type { Deadline, Deadlines } from './deadline-list.ts';

/**
 * The deadlines of one timeout, each with a timer of its own: for runtimes where a timer belongs to the request that set it and ends with
 * it, as in Workers of Cloudflare.
 */
export class DeadlineTimers implements Deadlines {
  readonly timeoutMs: number;
  readonly #timers = new Map<Deadline, ReturnType<typeof setTimeout>>();

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs;
  }

  add(deadline: Deadline): void {
    deadline.dueAt = performance.now() + this.timeoutMs;
    const expire = (): void => {
      this.#timers.delete(deadline);
      deadline.expire();
    };
    this.#timers.set(deadline, setTimeout(expire, this.timeoutMs));
  }

  remove(deadline: Deadline): void {
    clearTimeout(this.#timers.get(deadline));
    this.#timers.delete(deadline);
  }
}
