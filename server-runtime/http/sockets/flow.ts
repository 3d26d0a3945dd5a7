import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** A connection is read no further while so many bytes wait for its client. */
const MAX_WAITING_BYTES = 262_144;

interface FlowParts<Waiting> {
  readonly limits: { readonly callsPerSecond: number; readonly slowReaderMs: number };
  /** Runs a call that may begin. */
  readonly run: (call: Waiting) => void;
  /** Ends the connection of a client that takes or answers nothing. */
  readonly cut: (reason: string) => void;
}

/**
 * How fast a connection goes: streams wait while the socket is full, and its calls wait where the client does not read
 * its answers, or sends more calls a second than it may. Knows, too, whether the client still lives.
 */
export class Flow<Waiting> {
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex & { readonly setTimeout?: (ms: number) => unknown };
  readonly #parts: FlowParts<Waiting>;
  /** The waiting calls, which one read of the socket has brought. */
  #calls: Waiting[] = [];
  #drained: Promise<void> | undefined;
  #onDrained: (() => void) | undefined;
  /** Takes the listeners off the socket, which an idle connection does without. */
  #unwatch: (() => void) | undefined;
  /** The number of messages to the client. */
  sent = 0;
  #hears = true;
  #isHeld = false;
  #isOver = false;
  /** The calls that may still begin in this second. Below zero where more have begun. */
  #left: number;
  #refilledAtMs = 0;
  #refill: NodeJS.Timeout | undefined;

  constructor(webSocket: WebSocket, socket: Duplex, parts: FlowParts<Waiting>) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#parts = parts;
    this.#left = parts.limits.callsPerSecond;
  }

  send(text: string): void {
    if (this.#isOver || this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    this.sent++;
    // What is compressed waits in ws, and not in the socket, which then has no word for its end.
    if (this.#webSocket.extensions === '') this.#webSocket.send(text);
    else this.#webSocket.send(text, () => this.#drain());
    if (this.#needsDrain()) this.#watchReader();
    if (this.#isFull()) this.#webSocket.pause();
  }

  /** Undefined where the socket takes more at once. Never fulfils once the connection has ended. */
  whenDrained(): Promise<void> | undefined {
    return this.#needsDrain() ? this.#drained : undefined;
  }

  /** Runs a call now, or once it is the first that waits. */
  take(call: Waiting): void {
    this.#calls.push(call);
    this.#runNext();
  }

  /** Forgets the calls that have not begun and are meant. False where there is none. */
  drop(isMeant: (call: Waiting) => boolean): boolean {
    const others = this.#calls.filter((call) => !isMeant(call));
    const isDropped = others.length < this.#calls.length;
    this.#calls = others;
    return isDropped;
  }

  /** Whether nothing is read for now. */
  set isHeld(isHeld: boolean) {
    this.#isHeld = isHeld;
    this.#runNext();
  }

  hear(): void {
    this.#hears = true;
  }

  /** Of a client that is not read, nothing is heard either. */
  beat(): void {
    if (this.#webSocket.isPaused) return;
    if (!this.#hears) return this.#parts.cut('The client answered no ping');
    this.#hears = false;
    this.#webSocket.ping();
  }

  end(): void {
    this.#isOver = true;
    this.#calls = [];
    clearTimeout(this.#refill);
    // The bytes that arrive from now on answer the close frame.
    this.#webSocket.resume();
  }

  #runNext(): void {
    while (this.#calls.length > 0 && this.#mayRun()) {
      const call = this.#calls.shift();
      if (call !== undefined) this.#parts.run(call);
    }
    if (this.#isFull()) this.#watchReader();
    const mayRead = this.#calls.length === 0 && !this.#isFull() && !this.#isHeld;
    if (this.#isOver || mayRead === !this.#webSocket.isPaused) return;
    if (mayRead) this.#webSocket.resume();
    else this.#webSocket.pause();
  }

  #isFull(): boolean {
    return this.#webSocket.bufferedAmount > MAX_WAITING_BYTES;
  }

  #mayRun(): boolean {
    if (this.#isOver || this.#isFull()) return false;
    const { callsPerSecond } = this.#parts.limits;
    if (!Number.isFinite(callsPerSecond)) return true;
    const now = performance.now();
    const more = ((now - this.#refilledAtMs) / 1000) * callsPerSecond;
    this.#left = Math.min(callsPerSecond, this.#left + more);
    this.#refilledAtMs = now;
    if (this.#left >= 1) {
      this.#left--;
      return true;
    }
    clearTimeout(this.#refill);
    const waitMs = Math.ceil(((1 - this.#left) / callsPerSecond) * 1000);
    this.#refill = setTimeout(() => this.#runNext(), waitMs);
    return false;
  }

  /** Ends a client that leaves waiting bytes untouched: Node looks at the bytes that the system has taken. */
  #watchReader(): void {
    if (this.#drained !== undefined) return;
    this.#drained = new Promise((resolve) => {
      this.#onDrained = resolve;
    });
    const onDrain = (): void => this.#drain();
    const onTimeout = (): void => this.#parts.cut('The client took nothing of what waited for it');
    this.#socket.on('drain', onDrain).on('timeout', onTimeout);
    this.#unwatch = () => void this.#socket.off('drain', onDrain).off('timeout', onTimeout);
    this.#socket.setTimeout?.(this.#parts.limits.slowReaderMs);
  }

  #needsDrain(): boolean {
    return this.#socket.writableNeedDrain || this.#isFull();
  }

  #drain(): void {
    if (this.#drained === undefined || this.#needsDrain()) return;
    this.#socket.setTimeout?.(0);
    this.#unwatch?.();
    this.#onDrained?.();
    this.#onDrained = undefined;
    this.#drained = undefined;
    if (!this.#isOver) this.#runNext();
  }
}
