import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** The end of a conversation, or of all conversations of a transport. */
export class Closing {
  readonly #controller = new AbortController();
  readonly #cleaning = new Set<Promise<void>>();

  constructor() {
    // Every call that is being read listens.
    setMaxListeners(0, this.signal);
  }

  /** Fires when the end is near: streams that are being read have another second. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Says that the end is near. */
  begin(): void {
    this.#controller.abort();
  }

  /** A stream that was let go of before its end, and cleans up. */
  add(cleaned: Promise<void>): void {
    this.#cleaning.add(cleaned);
    void cleaned.then(() => this.#cleaning.delete(cleaned));
  }

  /** Waits until all have cleaned up, at most a second: some never do. */
  async cleaned(): Promise<void> {
    if (this.#cleaning.size === 0) return;
    const over = new AbortController();
    const limit = pause(CLEAN_UP_MS, undefined, { signal: over.signal }).catch(() => {});
    await Promise.race([limit, Promise.all(this.#cleaning)]);
    over.abort();
  }
}

const CLEAN_UP_MS = 1000;
