/** The calls that may begin in a second. */
export class Pace {
  readonly #perSecond: number;
  readonly #onRefill: () => void;
  /** The calls that may begin now. */
  #left: number;
  #refilledAtMs = performance.now();
  #refill: NodeJS.Timeout | undefined;

  /** `onRefill` is called once another call may begin. */
  constructor(perSecond: number, onRefill: () => void) {
    this.#perSecond = perSecond;
    this.#onRefill = onRefill;
    this.#left = perSecond;
  }

  /** Whether a call may begin now. */
  take(): boolean {
    const now = performance.now();
    const more = ((now - this.#refilledAtMs) / 1000) * this.#perSecond;
    this.#left = Math.min(this.#perSecond, this.#left + more);
    this.#refilledAtMs = now;
    if (this.#left >= 1) {
      this.#left--;
      return true;
    }
    clearTimeout(this.#refill);
    const waitMs = Math.ceil(((1 - this.#left) / this.#perSecond) * 1000);
    this.#refill = setTimeout(this.#onRefill, waitMs);
    return false;
  }

  stop(): void {
    clearTimeout(this.#refill);
  }
}
