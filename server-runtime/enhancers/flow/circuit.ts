/** The end of a call that was let through. `unknown` proves nothing: its caller left. */
export type CircuitReport = 'success' | 'failure' | 'unknown';

export interface CircuitOptions {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** The time that it stays open before a call tries, and that a trial has before another one tries, milliseconds. */
  readonly openMs: number;
  /** The share of `openMs` by which it may be open for less, at random, so that processes do not try at once. @default 0 */
  readonly jitter?: number | undefined;
}

/** A call that was let through. */
export interface Passage {
  /** Milliseconds of `performance.now()`. */
  readonly since: number;
}

/**
 * Lets calls through while they succeed (closed), none after too many failures in a row (open), and after a while one that tries
 * (half open): its success closes the circuit, its failure opens it anew, and if nothing is heard of it the next call tries.
 */
export class Circuit {
  readonly #options: CircuitOptions;
  #failuresInRow = 0;
  /** Since when it is not closed. */
  #openedAt: number | undefined;
  #trial: Passage | undefined;
  /** The time that it stays open this time, milliseconds. */
  #openForMs = 0;

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  /** Lets a call through, whose result must be reported; or gives how long to wait, milliseconds. */
  enter(now: number): Passage | number {
    if (this.#openedAt === undefined) return CLOSED;
    const waitedMs = now - (this.#trial?.since ?? this.#openedAt);
    const mostMs = this.#trial === undefined ? this.#openForMs : this.#options.openMs;
    // A trial may end at any moment.
    if (waitedMs < mostMs) return this.#trial === undefined ? mostMs - waitedMs : 0;
    this.#trial = { since: now };
    return this.#trial;
  }

  /** @param end `askedMs` is the time that a failure asks to be left alone, milliseconds */
  report(passage: Passage, result: CircuitReport, end: { readonly now: number; readonly askedMs?: number }): void {
    if (passage === CLOSED) this.#count(result, end);
    else if (this.#trial !== undefined) this.#endTrial(passage, result, end);
  }

  #open({ now, askedMs = 0 }: { readonly now: number; readonly askedMs?: number }): void {
    const { openMs, jitter = 0 } = this.#options;
    this.#openedAt = now;
    this.#openForMs = Math.max(askedMs, openMs * (1 - jitter * Math.random()));
  }

  #count(result: CircuitReport, end: { readonly now: number; readonly askedMs?: number }): void {
    if (this.#openedAt !== undefined || result === 'unknown') return;
    if (result === 'success') this.#failuresInRow = 0;
    else if (++this.#failuresInRow >= this.#options.failures) this.#open(end);
  }

  /** A trial that another one followed may still close the circuit: what was slow is well. It opens nothing. */
  #endTrial(passage: Passage, result: CircuitReport, end: { readonly now: number; readonly askedMs?: number }): void {
    if (result === 'success') {
      this.#openedAt = undefined;
      this.#failuresInRow = 0;
    } else if (passage !== this.#trial) return;
    else if (result === 'failure') this.#open(end);
    this.#trial = undefined;
  }
}

const CLOSED: Passage = { since: 0 };
