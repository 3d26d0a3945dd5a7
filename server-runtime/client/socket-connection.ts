import type { PendingCall } from './pending-call.ts';

/** A WebSocket as browsers, Node, undici and ws have it. */
export interface WebSocketLike {
  /** Sends a message. */
  send(text: string): void;
  /** Begins to close. */
  close(code?: number, reason?: string): void;
  /** Calls the listener with each event of the type. */
  addEventListener(
    type: 'open' | 'message' | 'close' | 'error',
    listener: (event: SocketEvent) => void,
  ): void;
}

/** An event of a WebSocket, with what is read of it: the data of a message, or the code and reason of a close. */
export interface SocketEvent {
  /** `message`, `close` or another one. */
  readonly type: string;
  /** The text of a message. */
  readonly data?: unknown;
  /** Of a close. */
  readonly code?: number | undefined;
  /** Of a close. */
  readonly reason?: string | undefined;
}

/** The class of such. */
export type WebSocketClass = new (url: string, protocols: string[]) => WebSocketLike;

/** How a connection has ended, with the calls that have no answer. */
export interface ConnectionEnd {
  readonly code: number;
  readonly reason: string;
  readonly calls: readonly PendingCall[];
}

/** A message of the server. */
export interface ServerMessage {
  readonly id?: number | null;
  readonly method?: string;
  readonly params?: {
    readonly id?: number;
    readonly data?: unknown;
    readonly eventId?: string;
    readonly status?: number;
    readonly repeats?: true;
    readonly reason?: string;
  };
  readonly result?: unknown;
  readonly status?: number;
  readonly error?: {
    readonly message: string;
    readonly data?: {
      readonly error?: string;
      readonly status?: number;
      readonly meta?: unknown;
      readonly moves?: true;
    };
  };
}

interface ConnectionParts {
  readonly open: () => WebSocketLike;
  readonly headers: Headers;
  readonly connectMs: number;
  readonly idleMs: number;
  readonly silenceMs: number;
  /** Called once the server has taken the headers: it takes calls. */
  readonly onOpen: () => void;
  /** Called with each word about a call, except for one that sends it elsewhere. */
  readonly onAnswer: () => void;
  /** Called where the server takes no more calls; another one may be connected to after this time. */
  readonly onGoAway: (waitMs: number) => void;
  /** Called once. */
  readonly onClose: (end: ConnectionEnd) => void;
}

/** The ids of messages that are not calls; those of calls begin with 1. */
const HELLO_ID = 0;
const PING_ID = -1;
/** The most time that a server has to show that it lives, milliseconds. */
const PATIENCE_MS = 10_000;

/** One connection: owns the calls that were sent over it, until they have answers or it is closed. */
export class SocketConnection {
  readonly #parts: ConnectionParts;
  readonly #calls = new Map<number, PendingCall>();
  #socket: WebSocketLike | undefined;
  #headers: Headers;
  #heardAtMs = Date.now();
  #isOver = false;
  /** Runs until the server takes calls. */
  #opening: ReturnType<typeof setTimeout> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#headers = parts.headers;
    const { connectMs } = parts;
    const late = `The server did not open the connection within ${connectMs} ms`;
    this.#opening = setTimeout(() => this.#end(1006, late), connectMs);
    try {
      const socket = parts.open();
      this.#socket = socket;
      socket.addEventListener('open', () => this.#sayHello());
      socket.addEventListener('message', ({ data }) => this.#hear(data as string));
      socket.addEventListener('close', ({ code, reason }) =>
        this.#end(code as number, reason as string),
      );
      // The close event that follows carries the reason.
      socket.addEventListener('error', () => {});
    } catch (error) {
      // The address is invalid: a connection must not end in the turn in which it is made.
      const { message } = error as Error;
      queueMicrotask(() => this.#end(4400, `BadRequest: ${message}`));
    }
  }

  /** Sends a call, after the headers of its client where these have changed. */
  send(call: PendingCall, headers: Headers): void {
    this.#sendHeaders(headers);
    this.#calls.set(call.id, call);
    call.sendOver(this);
    clearTimeout(this.#idle);
    this.#silence ??= setTimeout(this.#look, this.#parts.silenceMs);
  }

  sendText(text: string): void {
    if (!this.#isOver) this.#socket?.send(text);
  }

  /** Forgets a call that its caller has left. */
  cancel(call: PendingCall): void {
    if (!this.#calls.delete(call.id)) return;
    this.sendText(toText({ method: '$/cancel', params: { id: call.id } }));
    this.#watchIdle();
  }

  close(reason: string): void {
    this.#end(1000, reason);
  }

  #sayHello(): void {
    const params = Object.fromEntries(this.#headers);
    this.sendText(toText({ id: HELLO_ID, method: '$/headers', params }));
  }

  #sendHeaders(headers: Headers): void {
    const params: Record<string, string | null> = {};
    for (const name of this.#headers.keys()) if (!headers.has(name)) params[name] = null;
    for (const [name, value] of headers)
      if (this.#headers.get(name) !== value) params[name] = value;
    this.#headers = headers;
    if (Object.keys(params).length > 0) this.sendText(toText({ method: '$/headers', params }));
  }

  #hear(data: string): void {
    if (this.#isOver) return;
    this.#heardAtMs = Date.now();
    try {
      this.#take(JSON.parse(data) as ServerMessage);
    } catch {
      // The server at that address speaks another protocol.
      this.#end(1002, 'The server has sent what is not an answer');
    }
  }

  #take(message: ServerMessage): void {
    const { id, method, params = {} } = message;
    if (method === '$/goaway')
      this.#parts.onGoAway(params.reason === 'stop' ? Math.random() * 1000 : 0);
    else if (id === HELLO_ID) this.#hearHello(message);
    else this.#hearCall(message, this.#calls.get(id ?? params.id ?? PING_ID));
  }

  #hearCall(message: ServerMessage, call: PendingCall | undefined): void {
    if (call === undefined) return;
    if (message.error?.data?.moves !== true) this.#parts.onAnswer();
    if (message.method !== undefined) return call.takeItem(message);
    call.takeAnswer(message);
    // An answer that cannot be read has ended the connection by then, with this call.
    this.#calls.delete(call.id);
    this.#watchIdle();
  }

  #hearHello({ error }: ServerMessage): void {
    clearTimeout(this.#opening);
    if (error === undefined) this.#parts.onOpen();
    else this.#end(4400, `BadRequest: ${error.message}`);
    this.#watchIdle();
  }

  #watchIdle(): void {
    if (this.#calls.size > 0 || this.#isOver) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#end(1000, 'Idle'), this.#parts.idleMs);
  }

  /** Asks a server that has been silent whether it lives: nothing else tells that a connection has broken off. */
  readonly #look = (): void => {
    this.#silence = undefined;
    if (this.#calls.size === 0) return;
    const { silenceMs } = this.#parts;
    const quietMs = Date.now() - this.#heardAtMs;
    if (quietMs < silenceMs) {
      this.#silence = setTimeout(this.#look, silenceMs - quietMs);
      return;
    }
    this.sendText(toText({ id: PING_ID, method: '$/ping' }));
    const pingedAtMs = Date.now();
    this.#silence = setTimeout(
      () => {
        if (this.#heardAtMs < pingedAtMs) this.#end(1006, 'The server is silent');
        else this.#look();
      },
      Math.min(silenceMs, PATIENCE_MS),
    );
  };

  #end(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of [this.#opening, this.#idle, this.#silence]) clearTimeout(timer);
    this.#socket?.close();
    this.#parts.onClose({ code, reason, calls: [...this.#calls.values()] });
  }
}

function toText(message: object): string {
  return JSON.stringify({ jsonrpc: '2.0', ...message });
}
