/** Something that is over at a point in time unless it is taken off its list first. */
export interface Deadline {
  /** Milliseconds of `performance.now()`. Set by the list. */
  dueAt: number;
  previous: Deadline | undefined;
  next: Deadline | undefined;
  /** Called once, when the time is over. The deadline is off the list by then. */
  expire(): void;
}

/** The deadlines of one timeout. */
export interface Deadlines {
  readonly timeoutMs: number;
  add(deadline: Deadline): void;
  /** Takes it off. A deadline that is not on must not be given. */
  remove(deadline: Deadline): void;
}

/**
 * The deadlines of one timeout. They fall due in the order in which they were added, so one timer serves them all: adding
 * and removing are pointer changes, and no request makes a timer of its own. The timer does not keep the process alive.
 */
export class DeadlineList implements Deadlines {
  readonly timeoutMs: number;
  #first: Deadline | undefined;
  #last: Deadline | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs;
  }

  add(deadline: Deadline): void {
    deadline.dueAt = performance.now() + this.timeoutMs;
    deadline.previous = this.#last;
    if (this.#last === undefined) this.#first = deadline;
    else this.#last.next = deadline;
    this.#last = deadline;
    if (this.#timer === undefined) this.#wait(this.timeoutMs);
  }

  remove(deadline: Deadline): void {
    if (deadline.previous === undefined) this.#first = deadline.next;
    else deadline.previous.next = deadline.next;
    if (deadline.next === undefined) this.#last = deadline.previous;
    else deadline.next.previous = deadline.previous;
    deadline.previous = undefined;
    deadline.next = undefined;
  }

  #wait(delayMs: number): void {
    this.#timer = setTimeout(() => this.#expireDue(), Math.ceil(delayMs));
    this.#timer.unref();
  }

  #expireDue(): void {
    this.#timer = undefined;
    const now = performance.now();
    while (this.#first !== undefined && this.#first.dueAt <= now) {
      const due = this.#first;
      this.remove(due);
      due.expire();
    }
    if (this.#first !== undefined) this.#wait(Math.max(1, this.#first.dueAt - now));
  }
}
