import type { Duplex } from 'node:stream';

/** The socket of a connection. Only one of node:net can tell that its client takes nothing. */
export type DrainingSocket = Duplex & { readonly setTimeout?: (ms: number) => unknown };

interface SlowReaderParts {
  readonly patienceMs: number;
  readonly onDrain: () => void;
  readonly onTimeout: () => void;
}

/** A client for which bytes wait, until it has taken them. */
export class SlowReader {
  readonly drained: Promise<void>;
  readonly #socket: DrainingSocket;
  readonly #parts: SlowReaderParts;
  #fulfil!: () => void;

  constructor(socket: DrainingSocket, parts: SlowReaderParts) {
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
