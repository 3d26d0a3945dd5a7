import type { Duplex } from 'node:stream';

/** The socket of a connection. Only one of node:net can tell that its client takes nothing. */
export type DrainingSocket = Duplex & { readonly setTimeout?: (ms: number) => unknown };

interface BacklogParts {
  readonly patienceMs: number;
  readonly onDrain: () => void;
  readonly onTimeout: () => void;
}

/** The bytes that wait for a client, until it has taken them. */
export class Backlog {
  readonly drained: Promise<void>;
  readonly #socket: DrainingSocket;
  readonly #parts: BacklogParts;
  #fulfil!: () => void;

  constructor(socket: DrainingSocket, parts: BacklogParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.drained = new Promise((resolve) => {
      this.#fulfil = resolve;
    });
    socket.on('drain', parts.onDrain).on('timeout', parts.onTimeout);
    socket.setTimeout?.(parts.patienceMs);
  }

  end(): void {
    this.#socket.setTimeout?.(0);
    this.#socket.off('drain', this.#parts.onDrain).off('timeout', this.#parts.onTimeout);
    this.#fulfil();
  }
}

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
