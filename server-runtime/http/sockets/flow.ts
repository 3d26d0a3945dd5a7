import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { Backlog, type DrainingSocket, Pace } from './brakes.ts';
import { type ConnectionEnd, toCloseReason, toFaultCode } from './socket-connection.ts';

/** A connection is read no further while so many bytes wait for its client. */
const MAX_WAITING_BYTES = 262_144;
/** The time that a client has to answer a close frame, milliseconds. */
const CLOSE_MS = 1000;

/** The connection that a flow belongs to, by what the flow calls. */
export interface FlowOwner<Waiting> {
  readonly limits: { readonly callsPerSecond: number; readonly slowReaderMs: number };
  /** Takes a message. Not called once the connection has ended. */
  hear(data: Buffer, isBinary: boolean): void;
  /** Runs a call that may begin. */
  run(call: Waiting): void;
  /** Called once: neither side says anything more. */
  end(end: ConnectionEnd): void;
}

/**
 * The socket of a connection, from the handshake to its end, and how fast it goes: streams wait while the socket is
 * full, and calls wait where the client does not read its answers, or sends more calls a second than it may. What only
 * a busy connection needs is made with its first call.
 */
export class Flow<Waiting> {
  readonly #webSocket: WebSocket;
  readonly #socket: DrainingSocket;
  readonly #owner: FlowOwner<Waiting>;
  /** The waiting calls, which one read of the socket has brought. */
  #calls: Waiting[] | undefined;
  #backlog: Backlog | undefined;
  #pace: Pace | undefined;
  /** The number of messages of the client, and to it. */
  received = 0;
  sent = 0;
  /** ws makes a text of its extensions each time. */
  readonly #isCompressed: boolean;
  #hasHeard = true;
  #isHeld = false;
  #isOver = false;

  constructor(webSocket: WebSocket, socket: Duplex, owner: FlowOwner<Waiting>) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#owner = owner;
    this.#isCompressed = webSocket.extensions !== '';
    (webSocket as FlowingSocket)[FLOW] = this;
    webSocket.on('message', onMessage).on('pong', onPong).on('error', onError).on('close', onClose);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  send(text: string): void {
    if (this.#isOver || this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    this.sent++;
    // What is compressed waits in ws, and not in the socket, which then has no word for its end.
    if (this.#isCompressed) this.#webSocket.send(text, () => this.#drain());
    else this.#webSocket.send(text);
    if (this.#needsDrain()) this.#watchBacklog();
    if (this.#isFull()) this.#webSocket.pause();
  }

  /** Undefined where the socket takes more at once. Never fulfils once the connection has ended. */
  whenDrained(): Promise<void> | undefined {
    return this.#needsDrain() ? this.#backlog?.drained : undefined;
  }

  /** Runs a call now, or once it is the first that waits. */
  take(call: Waiting): void {
    this.#calls ??= [];
    this.#calls.push(call);
    this.#runNext();
  }

  /** Forgets the calls that have not begun and are meant. False where there is none. */
  drop(isMeant: (call: Waiting) => boolean): boolean {
    const calls = this.#calls ?? [];
    this.#calls = calls.filter((call) => !isMeant(call));
    return this.#calls.length < calls.length;
  }

  /** Whether nothing is read until this is false again. */
  set isHeld(isHeld: boolean) {
    this.#isHeld = isHeld;
    this.#runNext();
  }

  /** Sends a ping, unless the client has not answered the last one. Of a client that is not read, nothing is heard. */
  beat(): void {
    if (this.#webSocket.isPaused) return;
    if (!this.#hasHeard) return this.terminate('The client answered no ping');
    this.#hasHeard = false;
    this.#webSocket.ping();
  }

  /** Gives the reason, and closes. */
  close(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#webSocket.close(code, toCloseReason(reason));
    setTimeout(() => this.#webSocket.terminate(), CLOSE_MS).unref();
    this.end({ by: 'server', code, reason });
  }

  /** Ends without a close frame, which the client may never read. */
  terminate(reason: string): void {
    this.#webSocket.terminate();
    this.end({ by: 'server', code: 1006, reason });
  }

  /** Called by the listeners of the WebSocket. Nothing that comes behind the close frame is run. */
  hear(data: Buffer, isBinary: boolean): void {
    if (this.#isOver) return;
    this.received++;
    this.#hasHeard = true;
    this.#owner.hear(data, isBinary);
  }

  hearPong(): void {
    this.#hasHeard = true;
  }

  end(end: ConnectionEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#calls = undefined;
    this.#pace?.stop();
    // The bytes that arrive from now on answer the close frame.
    this.#webSocket.resume();
    this.#owner.end(end);
  }

  #runNext(): void {
    while (this.#hasCalls() && this.#mayRun()) {
      const call = this.#calls?.shift();
      if (call !== undefined) this.#owner.run(call);
    }
    if (this.#isFull()) this.#watchBacklog();
    const mayRead = !this.#hasCalls() && !this.#isFull() && !this.#isHeld;
    if (this.#isOver || mayRead === !this.#webSocket.isPaused) return;
    if (mayRead) this.#webSocket.resume();
    else this.#webSocket.pause();
  }

  #hasCalls(): boolean {
    return this.#calls !== undefined && this.#calls.length > 0;
  }

  #isFull(): boolean {
    return this.#webSocket.bufferedAmount > MAX_WAITING_BYTES;
  }

  #mayRun(): boolean {
    if (this.#isOver || this.#isFull()) return false;
    const { callsPerSecond } = this.#owner.limits;
    if (!Number.isFinite(callsPerSecond)) return true;
    this.#pace ??= new Pace(callsPerSecond, () => this.#runNext());
    return this.#pace.take();
  }

  /** Ends a client that leaves waiting bytes untouched: Node looks at the bytes that the system has taken. */
  #watchBacklog(): void {
    this.#backlog ??= new Backlog(this.#socket, {
      patienceMs: this.#owner.limits.slowReaderMs,
      onDrain: () => this.#drain(),
      onTimeout: () => this.terminate('The client took nothing of what waited for it'),
    });
  }

  #needsDrain(): boolean {
    return this.#socket.writableNeedDrain || this.#isFull();
  }

  #drain(): void {
    if (this.#backlog === undefined || this.#needsDrain()) return;
    this.#backlog.end();
    this.#backlog = undefined;
    if (!this.#isOver) this.#runNext();
  }
}

/** The flow of a WebSocket. All share their listeners: closures of each would take a quarter of a kilobyte. */
const FLOW: unique symbol = Symbol('flow');

interface FlowingSocket extends WebSocket {
  [FLOW]?: Pick<Flow<never>, 'hear' | 'hearPong' | 'end'>;
}

function onMessage(this: FlowingSocket, data: Buffer, isBinary: boolean): void {
  this[FLOW]?.hear(data, isBinary);
}

function onPong(this: FlowingSocket): void {
  this[FLOW]?.hearPong();
}

/** ws has sent a close frame for an invalid frame. Without a listener, the error would end the process. */
function onError(this: FlowingSocket, error: Error): void {
  this[FLOW]?.end({ by: 'server', code: toFaultCode(error), reason: error.message });
}

function onClose(this: FlowingSocket, code: number, reason: Buffer): void {
  const by = code === 1006 ? 'nobody' : 'client';
  this[FLOW]?.end({ by, code, reason: reason.toString() });
}
