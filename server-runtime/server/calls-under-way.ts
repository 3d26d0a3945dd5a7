/** A call, or the sending of an answer: `drain` waits for its end. */
export interface UnderWay {
  /** Ends it early. Called at most once, and harmless where it has ended. */
  cancel(): void;
}

/** What one owner has under way: the calls of a transport, or those that are part of one call. */
export class CallsUnderWay {
  /** Whether new ones may begin. */
  isOpen: boolean;
  readonly #all = new Set<UnderWay>();
  #waiting: (() => void)[] = [];

  constructor({ isOpen }: { readonly isOpen: boolean }) {
    this.isOpen = isOpen;
  }

  get size(): number {
    return this.#all.size;
  }

  add(one: UnderWay): void {
    this.#all.add(one);
  }

  delete(one: UnderWay): void {
    if (this.#all.delete(one) && this.#all.size === 0) this.#tellNone();
  }

  /** Fulfils once none is under way. */
  async whenNone(): Promise<void> {
    if (this.#all.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Lets no new one begin, and fulfils once none is under way. After `graceMs` it ends those that are left, which still
   * have a turn to say so, and waits for none of them: a handler may ignore its signal. A drain before it ends, too.
   */
  async drain(graceMs: number): Promise<void> {
    this.isOpen = false;
    if (this.#all.size === 0) return;
    const timer = setTimeout(() => this.#cut(), graceMs);
    await this.whenNone();
    clearTimeout(timer);
  }

  #cut(): void {
    for (const each of this.#all) each.cancel();
    setImmediate(() => {
      this.#all.clear();
      this.#tellNone();
    });
  }

  #tellNone(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
